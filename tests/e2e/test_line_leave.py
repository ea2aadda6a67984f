"""Who leaves says goodbye: a host, and a server that stops. Nobody else is blamed for it."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.line import LineClient, line_client
from tests.e2e.process import serving
from tests.e2e.screen import HEIGHT, LEAVE, WIDTH, screen_client

PROMPT = "Enter the territory number to claim: "
HOST = ("host", "conquer", "--bind", "127.0.0.1", "--port", "0", "--first", "creator", "--name", "Ann")
HOST_LEFT = (
    "The host has left. The match is kept, and goes on when the host is back (conquest host --resume)."
    " /quit leaves.\nWaiting for the host, trying again ("
)
STOPPING = (
    "The server is stopping. The match is kept, and goes on when the server is back. /quit leaves.\n"
    "Waiting for the server, trying again ("
)


@asynccontextmanager
async def hosted(
    home: Path, *flags: str, is_terminal: bool = False
) -> AsyncIterator[tuple[LineClient, LineClient]]:
    """Ann hosts, and is asked for the first move; Bob has joined."""
    async with line_client(home / "ann", *HOST, *flags, is_terminal=is_terminal) as ann:
        arguments = ("join", await ann.link(), "--name", "Bob")
        async with line_client(home / "bob", *arguments, is_terminal=is_terminal) as bob:
            await bob.until("Player 1's turn.\n")
            await ann.until(PROMPT)
            yield ann, bob


async def leave_by_command(ann: LineClient) -> None:
    ann.type("/quit")


async def leave_by_signal(ann: LineClient) -> None:
    ann.signal(signal.SIGTERM)


async def leave_by_the_end_of_input(ann: LineClient) -> None:
    ann.end_input()


async def leave_by_command_and_a_yes(ann: LineClient) -> None:
    ann.type("/quit")
    await ann.until("Leave? (y/n) ")
    ann.type("y")


async def leave_by_two_interrupts(ann: LineClient) -> None:
    ann.press("\x03")
    await ann.until("Press Ctrl-C again to leave")
    ann.press("\x03")


@pytest.mark.parametrize(
    ("is_terminal", "leave"),
    [
        (False, leave_by_command),
        (False, leave_by_signal),
        (False, leave_by_the_end_of_input),
        (True, leave_by_command_and_a_yes),
        (True, leave_by_two_interrupts),
    ],
)
async def test_a_host_who_leaves_says_goodbye_and_the_match_goes_on_later(
    tmp_path: Path, is_terminal: bool, leave: Callable[[LineClient], Awaitable[None]]
) -> None:
    async with hosted(tmp_path, is_terminal=is_terminal) as (ann, bob):
        await leave(ann)
        await bob.until(HOST_LEFT)
        assert await ann.ended() == 0
        async with line_client(tmp_path / "ann", "host", "--resume") as back:
            await back.until(PROMPT)
            back.type("4")
            await bob.until("Connected again.\n")
            await bob.until(PROMPT)
            assert "onnection lost" not in bob.transcript
            assert "lost the connection" not in bob.transcript


async def test_a_host_who_leaves_full_screen_says_goodbye(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = {"TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": str(HEIGHT)}
    for name, value in {**settings, "TEXTUAL_ANIMATIONS": "none"}.items():
        monkeypatch.setenv(name, value)
    async with line_client(tmp_path / "ann", *HOST) as ann:
        arguments = ("join", await ann.link(), "--name", "Bob")
        async with line_client(tmp_path / "bob", *arguments) as bob:
            await bob.until("Player 1's turn.\n")
            ann.type("/quit")
            assert await ann.ended() == 0
            async with screen_client(tmp_path / "ann", "host", "--resume") as back:
                await bob.until("Connected again.\n")
                await back.sees("Your turn: ", "Bob")
                back.press(LEAVE)
                await back.sees("Leave?")
                back.press("y")
                await bob.until(HOST_LEFT)
                assert await back.ended() == 0
                assert "lost the connection" not in bob.transcript


async def test_a_host_who_keeps_nothing_ends_the_match(tmp_path: Path) -> None:
    async with hosted(tmp_path, "--db", ":memory:") as (ann, bob):
        ann.type("/quit")
        assert await bob.ended() == 1
        assert bob.errors == "conquest: The host has left. The match was not kept, so it has ended.\n"
        assert "lost the connection" not in bob.transcript
        assert await ann.ended() == 0
        async with line_client(tmp_path / "bob", "join", "--resume") as back:
            assert await back.ended() == 1
            assert back.errors == "conquest: There is no match to go back to.\n"


async def test_a_host_who_leaves_after_the_match_takes_nothing_away(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (ann, bob):
        ann.type("/resign")
        await bob.until("/quit leaves.\n")
        ann.type("/quit")
        await bob.until("The match is over, and the host has left.\n")
        assert await bob.ended() == 0
        assert await ann.ended() == 0


@asynccontextmanager
async def at_a_server(home: Path, port: int) -> AsyncIterator[tuple[LineClient, LineClient]]:
    """Ann, at a terminal, opens a match on a server and is asked for the first move; Bob has joined."""
    flags = ("--at", f"127.0.0.1:{port}", "--first", "creator", "--name", "Ann")
    async with (
        line_client(home / "ann", "host", "conquer", *flags, is_terminal=True) as ann,
        line_client(home / "bob", "join", await ann.link(), "--name", "Bob") as bob,
    ):
        await bob.until("Player 1's turn.\n")
        await ann.until(PROMPT)
        yield ann, bob


async def test_a_server_that_stops_is_nobodys_lost_connection(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "server", "--tls") as server,
        at_a_server(tmp_path, server.port) as (ann, bob),
    ):
        assert await server.stop() == 0
        for client in (ann, bob):
            await client.until(STOPPING)
        ann.type("/claim")
        await ann.until("There is no connection to the server just now; try again when it is back.\n")
        await ann.until(PROMPT)
        bob.type("/quit")
        assert await bob.ended() == 0
        await server.start()
        await ann.until("Connected again.\n")
        await ann.until("Bob is not back yet. The seat is kept; you can /claim the win in ")
        for client in (ann, bob):
            assert "onnection lost" not in client.transcript
            assert "lost the connection" not in client.transcript


async def test_who_opened_a_match_at_somebody_elses_server_says_goodbye_too(tmp_path: Path) -> None:
    async with serving(tmp_path / "server") as server, at_a_server(tmp_path, server.port) as (ann, bob):
        await leave_by_two_interrupts(ann)
        assert await ann.ended() == 0
        await bob.until("Ann has left. The seat is kept; you can /claim the win in ")
        async with line_client(tmp_path / "ann", "join", "--resume") as back:
            await bob.until("Ann is back.")
            await back.until(PROMPT)
            assert "lost the connection" not in bob.transcript


async def test_that_the_win_can_be_claimed_is_said_when_it_can(tmp_path: Path) -> None:
    async with (
        serving(tmp_path / "server", "--grace-s=1") as server,
        at_a_server(tmp_path, server.port) as (ann, bob),
    ):
        await bob.killed()
        await ann.until("Bob has lost the connection. The seat is kept; you can /claim the win in ")
        await ann.until("You can /claim the win now.\n")
        ann.type("/claim")
        await ann.until("You win!")
