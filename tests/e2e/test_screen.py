"""Two full-screen clients and a server, each in a process of its own: whole matches by keys, and a crash."""

import re

import pytest

from tests.e2e.process import serving
from tests.e2e.screen import LEAVE, screen_client


@pytest.fixture(autouse=True)
def terminal(monkeypatch):
    for name, value in {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")


async def take_turns(players, moves):
    """Let the players make moves in turn, each when the screen asks for it."""
    for at, keys in enumerate(moves):
        player = players[at % 2]
        await player.until("Your turn: ")
        player.press(keys)


async def test_a_match_is_played_across_a_killed_server_and_played_again(tmp_path):
    async with serving(tmp_path / "server") as server:
        address = f"127.0.0.1:{server.port}"
        host = ("host", "conquer", "--at", address, "--first", "creator", "--name", "Ann")
        async with screen_client(tmp_path / "ann", *host) as ann:
            await ann.until("Your friend types:")
            code = re.search(rf"{address} ([0-9A-Z]{{4}}-[0-9A-Z]{{4}})", await ann.until("This server"))
            assert code is not None
            async with screen_client(tmp_path / "bob", "join", address, code[1], "--name", "Bob") as bob:
                await take_turns((ann, bob), "47")
                await server.kill()
                await ann.until("Connection lost, trying again")
                await bob.until("Connection lost, trying again")
                await server.start()
                await take_turns((ann, bob), "312")
                await ann.until("You win!")
                await bob.until("Ann wins.")
                ann.press("r")
                await bob.until("offers a rematch")
                bob.press("r")
                await bob.until("Your turn: ")
                bob.press("4")
                for player in (ann, bob):
                    player.press(LEAVE)
                    await player.until("Your seat is kept")
                    player.press("y")
                    assert await player.ended() == 0
                    assert "Traceback" not in player.transcript


async def test_a_secret_number_never_reaches_the_other_screen_before_the_reveal(tmp_path):
    async with serving(tmp_path / "server") as server:
        address = f"127.0.0.1:{server.port}"
        host = ("host", "grid", "--at", address, "--first", "creator", "--name", "Ann")
        async with screen_client(tmp_path / "ann", *host) as ann:
            await ann.until("Your friend types:")
            code = re.search(rf"{address} ([0-9A-Z]{{4}}-[0-9A-Z]{{4}})", await ann.until("This server"))
            assert code is not None
            async with screen_client(tmp_path / "bob", "join", address, code[1], "--name", "Bob") as bob:
                await take_turns((ann, bob), "122")
                await ann.until("Your secret number for cell 2")
                ann.press("5")
                await bob.until("Your secret number for cell 2")
                assert "number: 5" not in bob.transcript
                bob.press("3")
                await bob.until("Player 1's number: 5")
                await ann.until("Player 2's number: 3")
