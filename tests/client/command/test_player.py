"""The player's name: given, remembered, asked for, or made up."""

import asyncio
import getpass
from pathlib import Path

import pytest

from client.command.player import player_name
from client.flow.name import bot_name
from client.net.store import Store
from protocol.process.usage import Misused
from tests.client.scripted import ScriptedTerminal, settle


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


async def test_a_given_name_comes_first_and_is_not_remembered(store: Store) -> None:
    store.keep_name("Ann")
    assert await player_name(ScriptedTerminal().terminal, store, " Bob ") == "Bob"
    assert store.name() == "Ann"


async def test_a_given_name_must_be_usable(store: Store) -> None:
    with pytest.raises(Misused, match="A name is 1 to 16"):
        await player_name(ScriptedTerminal().terminal, store, "x" * 17)


async def answered(tty: ScriptedTerminal, store: Store, *lines: str) -> str:
    """Ask for a name and type each line at its own question."""
    asking = asyncio.create_task(player_name(tty.terminal, store, None))
    for line in lines:
        await settle()
        await tty.type(line)
    return await asking


async def test_a_name_is_asked_for_once(store: Store) -> None:
    tty = ScriptedTerminal(is_terminal=True)
    assert await answered(tty, store, "x" * 17, "Zoë") == "Zoë"
    assert "A name is 1 to 16 characters wide." in tty.take()
    assert await player_name(tty.terminal, store, None) == "Zoë"
    assert tty.take() == ""


async def test_enter_takes_the_login_name(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "carol")
    tty = ScriptedTerminal(is_terminal=True)
    assert await answered(tty, store, "") == "carol"


async def test_a_pipe_is_never_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "carol")
    tty = ScriptedTerminal()
    assert await player_name(tty.terminal, store, None) == "carol"
    assert tty.take() == ""


async def test_a_login_name_that_cannot_be_shown_is_replaced(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "a-login-name-far-too-long")
    assert await player_name(ScriptedTerminal().terminal, store, None) == "Player"


async def test_a_name_that_cannot_be_remembered_can_still_be_used(tmp_path: Path) -> None:
    tty = ScriptedTerminal(is_terminal=True)
    blocked = tmp_path / "file"
    _block(blocked)
    store = Store(blocked / "folder", tty.terminal.say)
    assert await answered(tty, store, "Ann") == "Ann"
    assert "Nothing can be remembered in" in tty.take()


def _block(path: Path) -> None:
    path.write_text("")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        (None, "Computer"),
        (Path("bots/mine.py"), "mine"),
        (Path("a_very_long_name_for_a_bot.py"), "a_very_long_name"),
        (Path("\x1b.py"), "Player"),
    ],
)
def test_a_bot_is_called_by_its_file(file: Path | None, name: str) -> None:
    assert bot_name(file) == name
