"""Matches over a bad network: `python -m tests.e2e.bad_network --troubles 500`, or as many as are asked for.

The same players as under the kills of a server, and the same ledger: no acknowledged move is lost, none is
made twice, and everybody's memory of a match is what the journal holds. Here the server lives on.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.e2e.kill import Trial
from tests.e2e.process import ROOMY
from tests.e2e.proxy import TROUBLES, Proxy, proxied

IMPATIENT = ("--dead-s=3", "--frame-timeout-s=1")


class NetworkTrial(Trial):
    """A trial without kills, between players and a server that a bad network parts."""

    def __init__(self, home: Path, troubles: Sequence[str], seed: int, pace_s: float = 0.005) -> None:
        super().__init__(home, 0, seed, flags=(*ROOMY, *IMPATIENT), module="server")
        self.struck: Counter[str] = Counter()
        self._troubles = troubles
        self._seed = seed
        self._pace_s = pace_s

    async def _reap(self) -> None:
        """Have the server up, and let the network be bad until all troubles are used up."""
        await self.server.start()
        server = self.server
        network = Proxy(server.port, server.fingerprint, self._troubles, self._seed, self._pace_s)
        async with proxied(network) as proxy:
            self.where = proxy
            self.up.set()
            await proxy.calmed.wait()
            self.is_over = True
            await self.all_done.wait()
            self.struck = proxy.struck


def main() -> int:
    """Trouble as often as asked, and say what was seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.bad_network", description=__doc__)
    parser.add_argument("--troubles", type=int, default=100)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--pace", type=float, default=0.02, help="seconds that a trickling byte takes")
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    troubles = random.Random(given.seed).choices(TROUBLES, k=given.troubles)
    with tempfile.TemporaryDirectory() as home:

        async def run() -> NetworkTrial:
            trial = NetworkTrial(Path(home), troubles, given.seed, given.pace)
            await trial.run()
            return trial

        done = asyncio.run(run())
    struck = ", ".join(f"{count} {trouble}" for trouble, count in sorted(done.struck.items()))
    print(f"{given.troubles} troubled connections (what struck: {struck})")
    print(f"{len({code for code, _ in done.memories})} matches, {done.resumed} resumed connections")
    print(f"{len(done.sent)} moves sent, {len(done.acknowledged)} acknowledged: none lost, none made twice")
    return 0


if __name__ == "__main__":
    sys.exit(main())
