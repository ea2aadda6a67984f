"""Two full-screen clients and a server, each in a process of its own: whole matches by keys, and a crash."""

import re
import signal
from contextlib import asynccontextmanager

import pytest

from client.tui.call import KEEP_TITLE, RESTORE_TITLE
from tests.e2e.line import line_client
from tests.e2e.process import serving
from tests.e2e.screen import HEIGHT, LEAVE, WIDTH, screen_client


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    settings = {"TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": str(HEIGHT)}
    for name, value in {**settings, "TEXTUAL_ANIMATIONS": "none"}.items():
        monkeypatch.setenv(name, value)


@asynccontextmanager
async def two_players(server, home, game):
    """Let Ann host a match on a server, and Bob join it by address and code."""
    address = f"127.0.0.1:{server.port}"
    host = ("host", game, "--at", address, "--first", "creator", "--name", "Ann")
    async with screen_client(home / "ann", *host) as ann:
        waiting = await ann.sees("Waiting for your friend to join.", "This server")
        code = re.search(r"[0-9A-Z]{4}-[0-9A-Z]{4}", waiting)
        assert code is not None
        async with screen_client(home / "bob", "join", address, code[0], "--name", "Bob") as bob:
            yield ann, bob


async def test_a_terminal_without_unicode_gets_ascii_by_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    async with screen_client(tmp_path, "--name", "Ann") as ann:
        await ann.sees("Play against the computer", "You play as Ann.")
        assert ann.transcript.isascii()
    async with line_client(tmp_path, "join", "7K3M-9QXZ", "--name", "Ann", is_terminal=True) as ann:
        await ann.until("Looking for match 7K3M-9QXZ on this network and on the servers known from before...")


async def test_the_terminal_has_its_title_back_at_the_end(tmp_path):
    async with screen_client(tmp_path, "--name", "Ann") as ann:
        await ann.sees("You play as Ann.")
        assert KEEP_TITLE in ann.transcript
        assert RESTORE_TITLE not in ann.transcript
        ann.press(LEAVE + LEAVE)
        assert await ann.ended() == 0
        assert ann.transcript.endswith(RESTORE_TITLE)


async def test_it_ends_with_its_terminal_even_where_the_system_tells_somebody_else(tmp_path):
    # As `make play` does: the first program at the terminal hears of its end and waits for the others.
    leader = ("sh", "-c", 'trap : HUP; "$@"; exit $?', "sh")
    async with screen_client(tmp_path, "--name", "Ann", through=leader) as ann:
        await ann.sees("You play as Ann.")
        ann.close_window()
        assert await ann.ended() == 128 + signal.SIGHUP


async def take_turns(players, moves):
    """Let the players type moves in turn, each when the screen asks for it and all news are there."""
    for at, key in enumerate(moves):
        player, other = players[at % 2], players[1 - at % 2]
        await player.sees("Your turn: ")
        await other.sees("Waiting for")
        player.press(key)
        await player.sees("Waiting for" if at + 1 < len(moves) else "")


async def test_a_match_is_played_across_a_killed_server_and_played_again(tmp_path):
    async with (
        serving(tmp_path / "server") as server,
        two_players(server, tmp_path, "conquer") as (ann, bob),
    ):
        await take_turns((ann, bob), "47")
        await ann.sees("Your turn: ")
        await server.kill()
        for player in (ann, bob):
            await player.sees("Connection lost, trying again")
        await server.start()
        for player in (ann, bob):
            await player.sees_no_more("Connection lost")
        await take_turns((ann, bob), "312")
        await ann.sees("You win with", "Territories 3", "Matches won 1", "R Rematch")
        await bob.sees("Ann wins with")
        ann.press("r")
        await bob.sees("Ann offers a rematch.", "R Rematch")
        bob.press("r")
        await ann.sees("Score: You 1, Bob 0", "Waiting for Bob to move")
        await bob.sees("Your turn: ")
        for player in (ann, bob):
            player.press(LEAVE)
            await player.sees("Your seat is kept")
            player.press("y")
            assert await player.ended() == 0
            assert "Traceback" not in player.transcript


async def test_a_secret_number_never_reaches_the_other_screen_before_the_reveal(tmp_path):
    async with serving(tmp_path / "server") as server, two_players(server, tmp_path, "grid") as (ann, bob):
        await take_turns((ann, bob), "12")
        await ann.sees("Your turn: ")
        ann.press("2")
        for player in (ann, bob):
            await player.sees("Your secret number for cell 2", "Type it, and press Enter")
        ann.press("5")
        await ann.sees("Chosen. Enter plays it")
        ann.press("\r")
        await ann.sees("Waiting for Bob to choose a number")
        bob.press("\x1b")
        await bob.sees("Ann picks a number")
        assert "Ann 5" not in bob.transcript
        bob.press("\r")
        await bob.sees("Your secret number for cell 2", "Type it, and press Enter")
        bob.press("3")
        await bob.sees("Chosen. Enter plays it")
        bob.press("\r")
        await ann.sees("You 5, Bob 3: You take 2")
        await bob.sees("Ann 5, You 3: Ann takes 2")
