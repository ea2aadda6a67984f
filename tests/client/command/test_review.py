"""Looking at a finished match with the computer's eyes, from a file."""

from pathlib import Path

import pytest

from client.command.review import review
from client.core.failure import CouldNot
from client.core.record import Record, dump
from tests.client.core.test_record import HEADER, record
from tests.client.scripted import ScriptedTerminal


def keep(path: Path, match: Record) -> None:
    path.write_text(dump(match))


async def reviewed(path: Path, match: Record, is_ascii: bool = False) -> str:
    keep(path, match)
    tty = ScriptedTerminal(is_ascii=is_ascii)
    await review(tty.terminal, str(path))
    return tty.take()


async def test_every_move_is_told_with_its_value_and_what_was_better(tmp_path: Path) -> None:
    lines = (await reviewed(tmp_path / "match", record(1, 4, 7, 3))).splitlines()
    assert lines[0] == "Conquer, match 7K3M-9QXZ. Player 1 is Ann, Player 2 is Bob."
    assert "Every move, and the chance of Ann to win before and after it:" in lines
    assert "    1. Ann: claim territory 1  100 %  100 %" in lines
    assert (
        "    3. Ann: claim territory 7  100 %    0 %  cost 100 points;"
        " better: claim territory 2 or claim territory 3 or claim territory 5" in lines
    )
    assert lines.index("The chance of Ann to win, from the first move to the last:") == 8


async def test_a_record_that_ends_before_its_match_invents_no_mistake(tmp_path: Path) -> None:
    text = await reviewed(tmp_path / "match", record(4))
    assert "Bob" not in text.split("before and after it:\n")[1].split("The chance of")[0]
    assert "The record ends before the match did; what is missing was not looked at.\n" in text
    assert text.endswith("Nobody made a mistake.\n")


async def test_two_players_of_one_name_are_told_apart(tmp_path: Path) -> None:
    played = record(1, 4, 7, 3)
    twins = Record(played.header.model_copy(update={"names": ("Ann", "ann")}), played.moves)
    text = await reviewed(tmp_path / "match", twins)
    assert "    1. Ann (Player 1): claim territory 1  100 %  100 %" in text
    assert "    2. ann (Player 2): claim territory 4 " in text
    assert "Ann:" not in text


async def test_ascii_alone_is_drawn_where_it_is_asked_for(tmp_path: Path) -> None:
    assert not (await reviewed(tmp_path / "match", record(4, 7, 3, 5, 2))).isascii()
    assert (await reviewed(tmp_path / "match", record(4, 7, 3, 5, 2), is_ascii=True)).isascii()


async def test_names_in_a_record_cannot_steer_the_terminal(tmp_path: Path) -> None:
    hostile = HEADER.model_copy(update={"names": ("\x1b[2JAnn", "Bob\r")})
    text = await reviewed(tmp_path / "match", record(4, 7, 3, header=hostile))
    assert "\x1b" not in text
    assert "\r" not in text


@pytest.mark.parametrize(
    ("match", "sentence"),
    [
        (record(4, 4), "Move 2 is not legal: "),
        (record(4, header=HEADER.model_copy(update={"game": "chess"})), "There is no game 'chess'."),
        (
            record(header=HEADER.model_copy(update={"game": "digit"})),
            "What chance answered at the start does not fit the match.",
        ),
    ],
)
async def test_a_damaged_record_is_one_sentence(tmp_path: Path, match: Record, sentence: str) -> None:
    path = tmp_path / "match"
    with pytest.raises(CouldNot) as raised:
        await reviewed(path, match)
    assert str(raised.value).startswith(f"{path} cannot be reviewed. {sentence}")
    assert "\n" not in str(raised.value)


async def test_a_foreign_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CouldNot, match=r"cannot be reviewed\. It cannot be read: Is a directory\."):
        await review(ScriptedTerminal().terminal, str(tmp_path))
