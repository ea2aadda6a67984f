"""Real matches over a bad network: everybody sees the whole match once, and the journal has what they saw.

Scaled in time: a byte takes a hundredth of a second instead of a second, and the server's patience with
frames and silence is as much shorter.
"""

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from client.core.games import RENDERERS
from tests.e2e.bad_network import NetworkTrial
from tests.e2e.ledger import account, opened
from tests.e2e.line import line_client
from tests.e2e.process import serving
from tests.e2e.proxy import CALM, CUT, LATENCY, RESET, STALL, TRICKLE, TROUBLES, Proxy, proxied

IMPATIENT = ("--dead-s=2", "--heartbeat-s=1", "--frame-timeout-s=1")
HEALS, ATTACKS = 12, 20


@pytest.mark.parametrize(
    ("tls", "spared", "before"),
    [("--no-tls", 700, (CALM,)), ("--tls", 3500, ())],
    ids=["plain", "encrypted"],
)
async def test_two_clients_play_a_match_to_its_end_through_every_trouble(
    tmp_path: Path, tls: str, spared: int, before: tuple[str, ...]
) -> None:
    """Spared is the first word: who cannot connect at all is told so, and not kept waiting.

    A plain server is first tried with encryption, which costs one connection.
    """
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serving(tmp_path / "server", *IMPATIENT, tls))
        troubles = ((LATENCY, STALL, RESET), (TRICKLE, CUT, RESET))
        networks = [
            Proxy(server.port, server.fingerprint, (*before, *each), seed, pace_s=0.01, spared=spared)
            for seed, each in enumerate(troubles)
        ]
        for network in networks:
            await stack.enter_async_context(proxied(network))
        places = [f"127.0.0.1:{network.port}" for network in networks]
        flags = ("--at", places[0], "--first", "creator", "--name", "Ann")
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", "host", "duel", *flags))
        await ann.until("Code: ")
        code = (await ann.until("\n")).strip()
        bob = await stack.enter_async_context(
            line_client(tmp_path / "bob", "join", places[1], code, "--name", "Bob")
        )
        # All answers are there before they are asked for, so that nothing but the network sets the pace.
        for client in (ann, bob):
            client.type(*["heal"] * HEALS, *["attack"] * ATTACKS)
            client.end_input()
        assert await asyncio.gather(ann.ended(), bob.ended()) == [0, 0], ann.errors + bob.errors
        assert await server.stop() == 0
    struck = networks[0].struck + networks[1].struck
    assert set(struck) == set(TROUBLES), "every trouble came about"
    with opened(server.db) as journal:
        told = account(journal, code.replace("-", ""))
    ids = [(move["seat"], move["id"]) for move in told.moves]
    assert len(set(ids)) == len(ids)
    for seat, client in enumerate((ann, bob), start=1):
        lines = [line for event in told.events for line in RENDERERS["duel"].announce(event, seat)]
        assert announced(client.transcript.splitlines()) == announced(lines)


def announced(lines: list[str]) -> list[str]:
    """Pick what is said of the players' actions, and of the end."""
    return [line for line in lines if re.match(r"Player \d (attacks|heals|wins|defends)", line)]


@pytest.mark.parametrize("trouble", TROUBLES)
async def test_no_acknowledged_move_is_lost_and_none_is_made_twice(tmp_path: Path, trouble: str) -> None:
    trial = NetworkTrial(tmp_path, [trouble] * 24, seed=TROUBLES.index(trouble), pace_s=0.002)
    await trial.run()
    assert trial.struck[trouble] >= 12
    assert len(trial.acknowledged) > 30
