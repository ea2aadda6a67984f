"""Stepping through a finished match, forward and back."""

from pathlib import Path

import pytest

from client.command.replay import replay
from client.core.failure import CouldNot
from client.core.record import Record, dump
from client.line.terminal import InputOver
from client.net.history import SIZE_MAX
from tests.client.core.test_record import HEADER, record
from tests.client.scripted import ScriptedTerminal


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "match.jsonl"
    keep(path, record(4, 7, 3, 5, 2))
    return path


def keep(path: Path, match: Record) -> None:
    path.write_text(dump(match))


async def test_a_record_can_be_printed_whole(file: Path) -> None:
    tty = ScriptedTerminal()
    await replay(tty.terminal, str(file), "text")
    text = tty.take()
    assert text.startswith(
        "Conquer, match 7K3M-9QXZ. Player 1 is Ann, Player 2 is Bob.\n\nWelcome to Conquer!\n"
    )
    assert "Move 1 of 5. Player 1: claim territory 4.\n" in text
    assert "Player 1 has claimed territories 2, 3, 4.\nPlayer 1 wins!\n" in text
    assert text.count("Territories (P1") == 6


async def test_a_record_can_be_stepped_through_forward_and_back(file: Path) -> None:
    tty = ScriptedTerminal()
    await tty.type("n", "", "p", "5", "n", "6", "0", "p", "what", "e", "q")
    await replay(tty.terminal, str(file), None)
    text = tty.take()
    shown = [line.split(".")[0] for line in text.splitlines() if line.startswith(("Move", "Welcome"))]
    assert shown == [
        "Welcome to Conquer!",
        "Move 1 of 5",
        "Move 2 of 5",
        "Move 1 of 5",
        "Move 5 of 5",
        "Welcome to Conquer!",
        "Move 5 of 5",
    ]
    assert text.count("There is nothing after that.") == 2
    assert text.count("There is nothing before that.") == 1
    assert "[0/5] what\nn: next, p: previous" in text


async def test_the_end_of_input_ends_it(file: Path) -> None:
    tty = ScriptedTerminal()
    tty.terminal.inbox.put_nowait(InputOver())
    await replay(tty.terminal, str(file), None)
    assert "Move 1" not in tty.take()


async def test_an_end_from_outside_the_game_is_told(file: Path) -> None:
    resigned = HEADER.outcome.model_copy(update={"reason": "resigned"})
    keep(file, record(4, header=HEADER.model_copy(update={"outcome": resigned})))
    tty = ScriptedTerminal()
    await replay(tty.terminal, str(file), "text")
    assert tty.take().endswith("Bob resigned. Ann wins!\n")


async def test_an_end_that_the_moves_do_not_reach_is_told(file: Path) -> None:
    keep(file, record(4, 7))
    tty = ScriptedTerminal()
    await replay(tty.terminal, str(file), "text")
    assert tty.take().endswith("\nThe record ends before the match did; what is missing was not looked at.\n")


async def test_names_in_a_record_cannot_steer_the_terminal(file: Path) -> None:
    hostile = HEADER.model_copy(update={"names": ("\x1b[2JAnn", "Bob\r")})
    keep(file, record(4, header=hostile))
    tty = ScriptedTerminal()
    await replay(tty.terminal, str(file), "text")
    text = tty.take()
    assert "\x1b" not in text
    assert "\r" not in text


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "It cannot be read: No such file or directory."),
        (b"\xff\xfe\x00", "It is not a text file."),
        (b"{}", "The file is not the record of a match"),
        (b"x" * (SIZE_MAX + 1), "It is far too big for the record of a match."),
    ],
)
async def test_a_foreign_file_is_one_sentence(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CouldNot) as raised:
        await replay(ScriptedTerminal().terminal, str(path), None)
    assert str(raised.value).startswith(f"{path} cannot be shown. {sentence}")
