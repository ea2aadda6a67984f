"""Every attack beside a match, for a moment: the match goes on, and others get in.

How fast it goes on, and how soon others get in, is a matter for `python -m tests.e2e.neighbour`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.attack import ATTACKS, Target, addresses, assault
from tests.e2e.neighbour import FLAGS, Parties, open_match
from tests.e2e.process import serving

MOVES = 50


@asynccontextmanager
async def beside(name: str, target: Target) -> AsyncIterator[None]:
    """Attack for the length of a block; an attack that ends by itself fails it."""
    attacking = asyncio.create_task(assault(name, target, addresses(4)))
    try:
        yield
        assert not attacking.done()
    finally:
        attacking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await attacking


@pytest.mark.parametrize("tls", ["--tls", "--no-tls"])
@pytest.mark.parametrize("name", ATTACKS)
async def test_nobody_is_kept_out_by_an_attack(tmp_path: Path, name: str, tls: str) -> None:
    async with serving(tmp_path, "--log-json", tls, *FLAGS) as server:
        parties = await Parties.seated(server)
        async with beside(name, Target(server.port, server.fingerprint)):
            await parties.bystanders.play(MOVES)
            await parties.lose_and_return()
            await open_match(await parties.come())
        await parties.bystanders.play(2)
        assert await server.stop() == 0
    assert all(line["level"] == "info" for line in server.log_lines())
