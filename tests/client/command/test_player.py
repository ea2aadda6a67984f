"""The player's name: given, remembered, asked for, or made up."""

import asyncio
import getpass
from pathlib import Path

import pytest

from client.command.player import bot_name, player_name
from client.net.store import Store
from protocol.process.usage import Misused
from tests.client.scripted import Paper, settle


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


async def test_a_given_name_comes_first_and_is_not_remembered(store: Store) -> None:
    store.keep_name("Ann")
    assert await player_name(Paper().desk, store, " Bob ") == "Bob"
    assert store.name() == "Ann"


async def test_a_given_name_must_be_usable(store: Store) -> None:
    with pytest.raises(Misused, match="A name is 1 to 16"):
        await player_name(Paper().desk, store, "x" * 17)


async def answered(paper: Paper, store: Store, *lines: str) -> str:
    """Ask for a name and type each line at its own question."""
    asking = asyncio.create_task(player_name(paper.desk, store, None))
    for line in lines:
        await settle()
        await paper.type(line)
    return await asking


async def test_a_name_is_asked_for_once(store: Store) -> None:
    paper = Paper(is_terminal=True)
    assert await answered(paper, store, "x" * 17, "Zoë") == "Zoë"
    assert "A name is 1 to 16 characters wide." in paper.take()
    assert await player_name(paper.desk, store, None) == "Zoë"
    assert paper.take() == ""


async def test_enter_takes_the_login_name(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "carol")
    paper = Paper(is_terminal=True)
    assert await answered(paper, store, "") == "carol"


async def test_a_pipe_is_never_asked(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "carol")
    paper = Paper()
    assert await player_name(paper.desk, store, None) == "carol"
    assert paper.take() == ""


async def test_a_login_name_that_cannot_be_shown_is_replaced(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "a-login-name-far-too-long")
    assert await player_name(Paper().desk, store, None) == "Player"


async def test_a_name_that_cannot_be_remembered_can_still_be_used(tmp_path: Path) -> None:
    paper = Paper(is_terminal=True)
    blocked = tmp_path / "file"
    _block(blocked)
    store = Store(blocked / "folder", paper.desk.say)
    assert await answered(paper, store, "Ann") == "Ann"
    assert "Nothing can be remembered in" in paper.take()


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
