"""Matches on a journal in PostgreSQL, under troubles: `python -m tests.e2e.database --troubles 200`.

The same players as under the kills of a server, and the same ledger: no acknowledged move is lost, none is
made twice, and everybody's memory of a match is what the journal holds. Here servers and database are killed,
connections between them are cut amid commits, and servers sleep, are replaced, wake up, and race.
"""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests import postgres
from tests.e2e.kill import Trial
from tests.e2e.process import ROOMY, ServerProcess
from tests.e2e.severed import Severed

FRAMES_AT_MOST = 200
FRAMES_MEANWHILE = 40
"""How many pass while a server sleeps: half of the players wait for it, and not for ever."""
PATIENCE_S = 60.0
NOWHERE = 1
"""A port on which nobody listens."""
FENCED = "Another server has taken"


@dataclass
class Address:
    """Where the players find the server that is the owner just now."""

    port: int = 0
    fingerprint: str | None = None


class DatabaseTrial(Trial):
    """A trial on a database, which is troubled too."""

    def __init__(
        self,
        home: Path,
        database: postgres.Postgres,
        troubles: Sequence[str],
        seed: int,
        planted: str = "",
        on_trouble: "Callable[[DatabaseTrial], None]" = lambda trial: None,
    ) -> None:
        super().__init__(home, 0, seed)
        self.journal = database.url()
        self.pause_s = 0.02
        self.where = self._address = Address()
        self.trouble = ""
        """What was done last."""
        self.woken = 0
        """How many servers woke up and found that they had been replaced."""
        self._database = database
        self._troubles = troubles
        self._planted = planted
        self._on_trouble = on_trouble
        self._link = Severed(database.port)
        self._homes = 0
        self._home = home
        self._asleep: ServerProcess | None = None

    async def _reap(self) -> None:
        async with self._link.listening():
            await self._replace(self._made())
            try:
                for trouble in self._troubles:
                    await self._some_frames()
                    self.trouble = trouble
                    await TROUBLES[trouble](self)
                    self.kills[trouble] += 1
                    self._on_trouble(self)
                self.is_over = True
                await self.all_done.wait()
                assert await self.server.stop() == 0
            finally:
                for server in (self.server, self._asleep):
                    if server is not None:
                        await server.kill()

    async def _stop(self) -> None:
        """Do nothing more: the server has been stopped while its way to the database was still there."""

    def _made(self) -> ServerProcess:
        self._homes += 1
        flags = ("--journal", self._database.url(self._link.port), *ROOMY)
        home = self._home / str(self._homes)
        return ServerProcess(home, *flags, module="tests.e2e.brisk", rig={"PLANTED": self._planted})

    async def _some_frames(self, at_most: int = FRAMES_AT_MOST) -> None:
        self._enough.clear()
        self._frames_left = self.random.randint(1, at_most)
        await self._enough.wait()

    async def _until_logged(self, words: str, before: int) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while words not in self.server.log.read_text()[before:]:  # noqa: ASYNC110
                await asyncio.sleep(self.pause_s)

    async def _replace(self, server: ServerProcess) -> None:
        """Have players come to another server from now on."""
        self.server = server
        if not server.is_running():
            await server.start()
        self._address.port = server.port
        self.up.set()

    async def kill_server(self) -> None:
        """Kill the server, and start it again."""
        self.up.clear()
        await self.server.kill()
        await self._replace(self.server)

    async def kill_database(self) -> None:
        """Kill PostgreSQL, and start it again; the server lives on."""
        self._database.kill()
        self._database.start()

    async def kill_both(self) -> None:
        """Kill the database, and before it is back the server."""
        before = self.server.log_size()
        self._database.kill()
        await self._until_logged("cannot be written", before)
        self.up.clear()
        await self.server.kill()
        self._database.start()
        await self._replace(self.server)

    async def cut_request(self) -> None:
        """Cut the connection in the middle of an append."""
        await self._link.sever("request")

    async def lose_answer(self) -> None:
        """Cut the connection when an append was carried out, and keep its answer back."""
        await self._link.sever("answer")

    async def put_to_sleep(self) -> None:
        """Let the owner sleep until another server has replaced it and played, and then wake it up."""
        self._asleep = sleeper = self.server
        sleeper.send_signal(signal.SIGSTOP)
        self.up.clear()
        # The system would go on taking connections for it.
        self._address.port = NOWHERE
        # The other pairs stay, and what they have sent is what the sleeper finds when it wakes up.
        pairs = sorted({player.name[:-1] for player in self.players})
        cut = self.random.sample(pairs, len(pairs) // 2)
        for player in self.players:
            if player.name[:-1] in cut:
                player.cut()
        await self._replace(self._made())
        await self._some_frames(FRAMES_MEANWHILE)
        sleeper.send_signal(signal.SIGCONT)
        assert await sleeper.ended(PATIENCE_S) == 1
        assert FENCED in sleeper.log.read_text()
        self.woken += 1

    async def race(self) -> None:
        """Kill the server, and have two others want its journal at once."""
        self.up.clear()
        await self.server.kill()
        both = [self._made(), self._made()]
        outcomes = await asyncio.gather(*(each.start() for each in both), return_exceptions=True)
        (winner,) = [each for each, outcome in zip(both, outcomes, strict=True) if outcome is None]
        (loser,) = [each for each in both if each is not winner]
        await self._replace(winner)
        assert "Another server is using" in loser.log.read_text()
        await loser.kill()


TROUBLES: dict[str, Callable[[DatabaseTrial], Awaitable[None]]] = {
    "server killed": DatabaseTrial.kill_server,
    "database killed": DatabaseTrial.kill_database,
    "both killed": DatabaseTrial.kill_both,
    "append cut": DatabaseTrial.cut_request,
    "answer lost": DatabaseTrial.lose_answer,
    "server asleep": DatabaseTrial.put_to_sleep,
    "race": DatabaseTrial.race,
}


def main() -> int:
    """Trouble as often as asked, and say what was seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.database", description=__doc__)
    parser.add_argument("--troubles", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    given = parser.parse_args()
    if postgres.why_not():
        print(postgres.why_not())
        return 1
    print(f"seed {given.seed}", flush=True)
    os.environ["PGPASSWORD"] = postgres.PASSWORD
    troubles = random.Random(given.seed).choices(list(TROUBLES), k=given.troubles)
    database = postgres.Postgres()
    try:
        database.start()
        with tempfile.TemporaryDirectory() as home:
            trial = DatabaseTrial(Path(home), database, troubles, given.seed, on_trouble=_tell)
            try:
                asyncio.run(trial.run())
            except BaseException:
                print(f"trouble {trial.kills.total() + 1}, {trial.trouble}, ended badly; {trial.server.log}:")
                print(trial.server.log.read_text()[-2000:], flush=True)
                raise
    finally:
        database.remove()
    kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(trial.kills.items()))
    print(f"{trial.kills.total()} troubles ({kinds})")
    print(f"{len({code for code, _ in trial.memories})} matches, {trial.resumed} resumed connections")
    print(f"{trial.woken} servers woke up after they had been replaced, and acknowledged nothing")
    print(f"{len(trial.acknowledged)} moves acknowledged: none lost, none applied twice")
    return 0


def _tell(trial: DatabaseTrial) -> None:
    """Show how far a long run is."""
    if trial.kills.total() % 10 == 0:
        print(f"{trial.kills.total()} troubles, {len(trial.acknowledged)} moves acknowledged", flush=True)


if __name__ == "__main__":
    sys.exit(main())
