"""Editing what is typed at a terminal: keys, history and Tab; news, secrets and the shell leave it whole."""

import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client.line.terminal import EDITED, TOO_EARLY, UNEDITED
from tests.e2e.line import LineClient, as_new, line_client, shell

PROMPT = "Enter the territory number to claim: "
PICK = "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: "
FLAGS = ("--bind", "127.0.0.1", "--port", "0", "--first", "creator", "--name", "Ann")
HOST = ("host", "conquer", *FLAGS)
PLAY = ("play", "conquer", "--first", "creator", "--name", "Ann")
GRID = ("host", "grid", *FLAGS, "--hide-picks")
LEFT, UP, HOME, END, WORD_LEFT = "\x1b[D", "\x1b[A", "\x1b[H", "\x1b[F", "\x1bb"


@asynccontextmanager
async def seated(home: Path, *host: str, term: str = "xterm") -> AsyncIterator[tuple[LineClient, LineClient]]:
    """Ann, at a terminal, has the first move; Bob is a pipe."""
    async with (
        line_client(home / "ann", *host, is_terminal=True, term=term) as ann,
        line_client(home / "bob", "join", await ann.link(), "--name", "Bob") as bob,
    ):
        await bob.until("You are Player 2.")
        yield ann, bob


async def challenged(ann: LineClient, bob: LineClient) -> None:
    """Play until Ann is asked for a secret number."""
    await ann.answer("claim 5")
    await bob.answer("claim 1")
    await ann.answer("challenge 1")
    await ann.until(PICK)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (f"helo{LEFT}l", "hello"),
        (f"world{WORD_LEFT}hello {END}!", "hello world!"),
        (f"hello{HOME}\x1b[3~/{END}.", "hello."),
        ("征服é\x7f\x7f戦", "征戦"),
        ("one two\x17three", "one three"),
    ],
)
async def test_keys_edit_the_line(tmp_path: Path, keys: str, said: str) -> None:
    async with seated(tmp_path, *HOST) as (ann, bob):
        await ann.until(PROMPT)
        ann.press(f"/chat {keys}\r")
        await bob.until(f"Ann: {said}\n")


async def test_what_was_typed_comes_back_and_can_be_changed(tmp_path: Path) -> None:
    async with seated(tmp_path, *HOST) as (ann, bob):
        await ann.until(PROMPT)
        ann.press("/chat one\r")
        await ann.until(PROMPT)
        ann.press("/moves\r")
        await ann.until(PROMPT)
        ann.press(f"{UP}{UP} more\r")
        await bob.until("Ann: one more\n")


async def test_news_leaves_the_half_typed_line_and_the_cursor_in_it(tmp_path: Path) -> None:
    async with seated(tmp_path, *HOST) as (ann, bob):
        await ann.until(PROMPT)
        ann.press(f"/chat hllo{LEFT * 3}")
        bob.type("/chat hi")
        await ann.until(f"Bob: hi\n{PROMPT}/chat hllo")
        ann.press("e\r")
        await bob.until("Ann: hello\n")


async def test_what_is_half_typed_while_nothing_is_asked_stands_behind_the_next_question(
    tmp_path: Path,
) -> None:
    async with seated(tmp_path, *HOST) as (ann, bob):
        await ann.answer("4")
        await ann.until("Player 2's turn.\n")
        ann.press("/chat wait")
        await ann.until("/chat wait")
        bob.type("7")
        await ann.until(f"{PROMPT}/chat wait")
        ann.press("ed\r")
        await bob.until("Ann: waited\n")


async def test_news_amid_a_search_keeps_what_was_found(tmp_path: Path) -> None:
    async with seated(tmp_path, *HOST) as (ann, bob):
        await ann.until(PROMPT)
        ann.press("/chat found\r")
        await ann.until(PROMPT)
        ann.press("\x12oun")
        await ann.until("(reverse-i-search)")
        bob.type("/chat hi")
        await ann.until(f"Bob: hi\n{PROMPT}/chat found")
        ann.press(f"{END} again\r")
        await bob.until("Ann: found again\n")


async def test_of_several_lines_pasted_at_once_only_the_first_is_the_answer(tmp_path: Path) -> None:
    async with seated(tmp_path, *HOST) as (ann, bob):
        await ann.until(PROMPT)
        ann.press("4\r3\r")
        await bob.until("Player 1 claims territory 4.\n")
        await ann.until(TOO_EARLY)
        bob.type("7")
        await ann.until(PROMPT)


async def test_tab_completes_a_command_and_nothing_else(tmp_path: Path) -> None:
    async with seated(tmp_path, *HOST) as (ann, _):
        await ann.until(PROMPT)
        ann.press("/he\t\r")
        await ann.until(EDITED)
        await ann.until(PROMPT)
        ann.press("/chat /he\tREADM\t\r")
        await ann.until("You: /heREADM\n")


async def test_ctrl_c_drops_what_is_half_typed(tmp_path: Path) -> None:
    async with seated(tmp_path, *HOST) as (ann, bob):
        await ann.until(PROMPT)
        ann.press("/resign")
        await ann.until("/resign")
        ann.press("\x03")
        await ann.until(f"\nLeave? Press Ctrl-C again to leave, or just go on.\n{PROMPT}")
        ann.press("4\r")
        await bob.until("Player 1 claims territory 4.\n")


async def test_a_secret_is_neither_shown_nor_remembered(tmp_path: Path) -> None:
    async with seated(tmp_path, *GRID) as (ann, bob):
        await challenged(ann, bob)
        ann.press(f"{UP}\r")
        assert "Please select a valid number." in await ann.until(PICK)
        ann.press("4\r")
        assert await ann.until("You have selected a challenge number.\n") == (
            "\nYou have selected a challenge number.\n"
        )
        await bob.answer("3")
        await ann.until("It's Player 2's turn.\n")
        ann.press(UP)
        await ann.until("challenge 1")


async def test_what_was_half_typed_stays_away_from_a_secret(tmp_path: Path) -> None:
    async with seated(tmp_path, *GRID) as (ann, bob):
        await ann.answer("claim 5")
        await ann.until("It's Player 2's turn.\n")
        ann.press("/chat ")
        await ann.until("/chat ")
        bob.type("challenge 5")
        await ann.until(PICK)
        ann.press("4\r")
        await ann.until("You have selected a challenge number.\n")
        bob.type("3")
        await ann.until("/chat ")
        ann.press("well\r")
        await bob.until("Ann: well\n")


async def test_a_secret_that_was_not_entered_is_not_shown_afterwards(tmp_path: Path) -> None:
    async with seated(tmp_path, *GRID) as (ann, bob):
        await challenged(ann, bob)
        ann.press("4")
        bob.type("/resign")
        await ann.until("/quit leaves.\n> ")
        ann.press("/chat seen\r")
        assert await ann.until("You: seen\n") == "/chat seen\n\nYou: seen\n"


async def test_the_shell_has_its_terminal_on_ctrl_z_and_what_is_half_typed_is_there_after_fg(
    tmp_path: Path,
) -> None:
    async with shell(tmp_path) as ann:
        found = ann.mode()
        ann.type(f"{sys.executable} -m client.command.main {' '.join(PLAY)} --plain")
        await ann.until(PROMPT)
        ann.press(f"/mves{LEFT * 3}")
        await ann.until("/mves")
        ann.press("\x1a")
        await ann.until("ready> ")
        assert ann.mode() == found
        ann.type("fg")
        await ann.until(f"{PROMPT}/mves")
        ann.press("o\r")
        await ann.until("claim territory 1\n")


@pytest.mark.parametrize(
    ("keys", "number", "code"),
    [
        ("/quit\r", None, 0),
        ("\x04", None, 0),
        ("half a line\x1c", None, -signal.SIGQUIT),
        ("half a line", signal.SIGTERM, 0),
        ("half a line", signal.SIGHUP, -signal.SIGHUP),
    ],
)
async def test_the_terminal_is_left_as_it_was_found(
    tmp_path: Path, keys: str, number: int | None, code: int
) -> None:
    async with line_client(tmp_path, *PLAY, is_terminal=True) as ann:
        await ann.until(PROMPT)
        assert ann.mode() != as_new()
        ann.press(keys)
        if number is not None:
            await ann.until(keys)
            ann.signal(number)
        assert await ann.ended() == code
        assert ann.mode() == as_new()


@pytest.mark.parametrize("face", ["--plain", "--tui"])
async def test_whoever_closes_the_window_has_lost_the_connection_and_has_not_left(
    tmp_path: Path, face: str
) -> None:
    async with line_client(tmp_path / "ann", "host", "conquer", "--name", "Annabel") as ann:
        link = await ann.link()
        async with shell(tmp_path / "bob") as bob:
            bob.type(f"{sys.executable} -m client.command.main join '{link}' --name Bob {face}")
            await bob.until("Annabel")
            bob.close_window()
            await ann.until("Bob has lost the connection.")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [((), 0, ""), (("host",), 1, "conquest: There was a question, but no more input to answer it.\n")],
    ids=["the menu is left", "a question before a match is not answered"],
)
async def test_ctrl_d_says_that_there_is_no_more_input(
    tmp_path: Path, words: tuple[str, ...], code: int, sentence: str
) -> None:
    async with line_client(tmp_path, *words, "--name", "Ann", is_terminal=True) as ann:
        await ann.until("Enter a number from ")
        ann.press("\x04")
        assert await ann.ended() == code
        await ann.finished()
        assert ann.transcript.endswith(sentence)
        assert ann.mode() == as_new()


async def test_a_terminal_that_hides_a_secret_is_left_as_it_was_found(tmp_path: Path) -> None:
    async with seated(tmp_path, *GRID) as (ann, bob):
        await challenged(ann, bob)
        ann.press("4\x1c")
        assert await ann.ended() == -signal.SIGQUIT
        assert ann.mode() == as_new()


@pytest.mark.parametrize("term", ["dumb", "nobody-knows-it"])
async def test_a_terminal_that_cannot_show_editing_edits_as_it_always_did(tmp_path: Path, term: str) -> None:
    async with line_client(tmp_path, *PLAY, is_terminal=True, term=term) as ann:
        await ann.until(PROMPT)
        assert ann.mode() == as_new()
        ann.type("/help")
        await ann.until(UNEDITED)
        ann.type("4")
        await ann.until("Player 1 claims territory 4.\n")
