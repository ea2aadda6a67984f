"""`conquest matches`: what goes on is listed with whose turn it is, and a number goes there."""

import asyncio
from pathlib import Path

import pytest

from client.command.matches import go_on
from client.core.ongoing import NOTHING
from client.net.store import Store
from tests.client.net.test_ongoing import saved
from tests.client.scripted import ScriptedTerminal
from tests.client.tui.application import Opponent, running


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    return Store(tmp_path)


async def test_nothing_is_said_in_a_sentence() -> None:
    tty = ScriptedTerminal(is_terminal=True)
    await go_on(tty.terminal)
    assert tty.take() == f"{NOTHING}\n"


async def test_a_pipe_gets_the_table(store: Store) -> None:
    store.new_session_file().save(saved("127.0.0.1:1", "7K3M9QXZ"))
    tty = ScriptedTerminal()
    await go_on(tty.terminal)
    head, row = tty.take().splitlines()
    assert head.split() == ["Game", "Opponent", "Whose", "turn", "Where"]
    assert " ".join(row.split()) == "1. Command Line Conquer 7K3M-9QXZ the server is away 127.0.0.1:1"


async def test_a_number_goes_to_the_match(store: Store, tmp_path: Path) -> None:
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel")
        kept = saved(f"127.0.0.1:{server.port}", code)
        store.new_session_file().save(kept)
        tty = ScriptedTerminal(is_terminal=True)
        going = asyncio.create_task(go_on(tty.terminal))
        await tty.until("Enter leaves: ")
        await tty.type("1")
        await tty.until(f"Going back to match {code[:4]}-{code[4:]} at {kept.address}.")
        going.cancel()
        await asyncio.gather(going, return_exceptions=True)
