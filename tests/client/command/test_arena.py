"""The arena on the command line: the table on stdout, everything else on stderr, and the same for a seed."""

import io
import sys
from pathlib import Path

import pytest

from client.command.arena import MATCHES_MAX, Bar
from client.command.main import main

GRABBER = """
class Grabber:
    def choose(self, view, choices):
        print("thinking")
        return {"kind": "claim", "territory": choices[0].values["territory"][-1]}
"""
CHEAT = GRABBER.replace('choices[0].values["territory"][-1]', "4")
RAISING = GRABBER.replace('"territory"][-1]', '"planet"][-1]')


@pytest.fixture(autouse=True)
def _own_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(GRABBER)
    return path


def arena(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["arena", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out, err


def test_two_levels_play_and_the_table_is_all_that_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = arena(capsys, "easy", "perfect", "conquer", "-n", 10)
    assert (code, err) == (0, "")
    title, head, easy, perfect, _ = out.splitlines()
    assert title == "Conquer: 10 matches, seats alternating"
    assert head.split()[:3] == ["won", "drawn", "lost"]
    assert easy.startswith("easy")
    assert perfect.startswith("perfect")


def test_the_same_seed_plays_the_same_matches(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("easy", "easy", "galaxy", "-n", 10, "--seed", 3)
    assert arena(capsys, *words) == arena(capsys, *words)


def test_options_are_those_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = arena(capsys, "easy", "hard", "grid", "-n", 1, "--option", "size=2")
    assert out.startswith("Grid Conquest, size 2: 1 match, seats alternating\n")


def test_what_a_bot_prints_is_no_part_of_the_table(capsys: pytest.CaptureFixture[str], bot: Path) -> None:
    code, out, err = arena(capsys, bot, "easy", "conquer", "-n", 2)
    assert code == 0
    assert "thinking" not in out
    assert "thinking\n" in err
    assert "\nmine.py " in out


def test_an_illegal_answer_loses_and_is_told(capsys: pytest.CaptureFixture[str], bot: Path) -> None:
    bot.write_text(CHEAT)
    code, out, err = arena(capsys, bot, "easy", "conquer", "-n", 4, "--seed", 1)
    assert code == 0
    assert "easy is the better" in out or "does not tell" in out
    assert "mine.py, as Player 1, answered {'kind': 'claim', 'territory': 4}, which is not legal." in err
    assert err.endswith("So 4 matches were lost by an illegal answer. To see it again: --seed 1\n")


def test_a_bot_that_raises_ends_it_with_its_own_traceback_and_none_of_ours(
    capsys: pytest.CaptureFixture[str], bot: Path
) -> None:
    bot.write_text(RAISING)
    code, out, err = arena(capsys, bot, "easy", "conquer", "-n", 4)
    assert (code, out) == (1, "")
    assert "conquest: mine.py raised KeyError: 'planet'\n" in err
    assert [line for line in err.splitlines() if line.startswith("  File")] == [
        f'  File "{bot}", line 5, in choose'
    ]
    assert "That was in match 1. To see it again: --seed " in err


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (
            ("esy", "hard", "grid"),
            2,
            "There is no level or file 'esy'. Did you mean 'easy'? The levels are easy",
        ),
        (("easy", "hard", "grid", "-n", "0"), 2, f"-n must be from 1 to {MATCHES_MAX}."),
        (("easy", "hard", "grid", "--option", "siez=2"), 2, "Did you mean 'size'?"),
    ],
)
def test_what_is_misspelled_is_a_sentence(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, sentence: str
) -> None:
    assert arena(capsys, *words)[0] == code
    main(["arena", *words])
    assert sentence in capsys.readouterr().err


def test_a_misspelled_file_is_guessed(capsys: pytest.CaptureFixture[str], bot: Path) -> None:
    code, _, err = arena(capsys, bot.with_name("mien.py"), "hard", "grid")
    assert code == 2
    assert f"Did you mean '{bot}'?" in err


def test_a_file_without_a_bot_is_a_sentence(capsys: pytest.CaptureFixture[str], bot: Path) -> None:
    bot.write_text("")
    code, _, err = arena(capsys, bot, "hard", "grid")
    assert code == 1
    assert "must hold one class with a method choose(self, view, choices); it holds 0." in err


class Stopping:
    """Presses Ctrl-C after so many matches."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, bar: Bar, won: int, lost: int) -> None:
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt


def test_ctrl_c_shows_what_was_played_so_far(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stopping = Stopping(3)
    monkeypatch.setattr(Bar, "show", lambda bar, won, lost: stopping(bar, won, lost))
    code, out, err = arena(capsys, "easy", "hard", "conquer", "-n", 50)
    assert code == 1
    assert out.startswith("Conquer: 3 matches, seats alternating\n")
    assert err == "conquest: Stopped after 3 of 50 matches.\n"


class Terminal(io.StringIO):
    """A terminal that keeps what was drawn."""

    def isatty(self) -> bool:
        return True


def test_the_bar_is_drawn_on_terminals_only_and_leaves_nothing_behind() -> None:
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        bar = Bar(stream, 4, ("easy", "hard"))
        bar.show(1, 0)
        bar.clear()
    assert pipe.getvalue() == ""
    drawn = terminal.getvalue().split("\r")
    assert drawn[1].rstrip() == "[#######-----------------------] 1 of 4  easy 1, hard 0"
    assert drawn[2].strip() == ""
    assert drawn[3] == ""
