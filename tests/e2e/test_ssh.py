"""Visitors who have nothing but ssh play everybody else: every game, and after a lost connection."""

import asyncio
import re
import termios
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from client.ssh.session import RESTORED
from tests.e2e.line import LineClient, holds_in_order, line_client
from tests.e2e.screen import LEAVE, screen_client
from tests.e2e.ssh import letting_in, needs_ssh, screen_visitor, ssh_port, visitor
from tests.e2e.test_line_books import SAMPLES, Sample

pytestmark = needs_ssh
CODE = re.compile(r"[0-9A-Z]{4}-[0-9A-Z]{4}")


def host_at(port: int, game: str) -> tuple[str, ...]:
    return ("host", game, "--at", f"127.0.0.1:{port}", "--first", "creator", "--name", "Ann")


async def code_of(client: LineClient) -> str:
    """Wait for the code that a host sees."""
    await client.until("Code: ")
    return (await client.until("\n")).strip()


@pytest.mark.parametrize("is_terminal", [False, True], ids=["pipes", "terminal"])
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.game)
async def test_every_game_is_played_by_ssh_against_a_normal_client(
    sample: Sample, is_terminal: bool, tmp_path: Path
) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(letting_in(tmp_path / "server"))
        host = (*host_at(server.port, sample.game), *sample.flags)
        ann = await stack.enter_async_context(line_client(tmp_path / "ann", *host))
        bob = await stack.enter_async_context(
            visitor(tmp_path / "bob", ssh_port(server.printed), await code_of(ann), is_terminal=is_terminal)
        )
        if is_terminal:
            await bob.until("Your name, as others will see it")
            bob.type("Bob")
        clients: list[LineClient] = [ann, bob]
        await asyncio.gather(*(c.answer(*typed) for c, typed in zip(clients, sample.typed, strict=True)))
        for client, read in zip(clients, sample.read, strict=True):
            await client.until("/quit leaves.\n")
            client.type("/quit")
            assert await client.ended() == 0
            holds_in_order(client.transcript, read)


async def test_a_name_stands_before_the_address_and_a_menu_behind_it(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(letting_in(tmp_path / "server"))
        port = ssh_port(server.printed)
        bob = await stack.enter_async_context(visitor(tmp_path / "bob", port, "bob"))
        await bob.until("Welcome to Conquest, bob.")
        await bob.until("1. Host a match for a friend\n")
        assert "Play against the computer" not in bob.transcript
        bob.type("1", "conquer")
        code = await code_of(bob)
        await bob.until(f"By ssh alone: ssh -p {port} {code}@127.0.0.1\n")
        cid = await stack.enter_async_context(visitor(tmp_path / "cid", port, "cid"))
        cid.type("2")
        await cid.until("1. Conquer against bob\n")
        cid.type("1")
        await cid.until("You are Player ")
        dot = await stack.enter_async_context(visitor(tmp_path / "dot", port, "dot"))
        dot.type("3")
        await dot.until("1. Conquer, ")
        dot.type("1")
        await dot.until("You are watching.")


async def test_who_has_a_key_drops_and_is_back_at_the_same_seat(tmp_path: Path) -> None:
    async with (
        letting_in(tmp_path / "server") as server,
        line_client(tmp_path / "ann", *host_at(server.port, "conquer")) as ann,
    ):
        port, code = ssh_port(server.printed), await code_of(ann)
        async with visitor(tmp_path / "bob", port, code) as bob:
            await bob.until("You are Player 2.")
            await ann.answer("4")
            await bob.until("Player 1 claims territory 4.")
            await bob.killed()
        await ann.until("Guest has lost the connection.")
        async with visitor(tmp_path / "bob", port, code) as bob:
            await bob.until(f"Going back to match {code} at 127.0.0.1:{server.port}.")
            await ann.until("Guest is back.")
            await bob.answer("7")
            await ann.until("Player 2 claims territory 7.")
        async with visitor(tmp_path / "bob", port, "bob") as bob:
            await bob.until(f"0. Go back to your match (Conquer, {code})\n")
            bob.type("0")
            await bob.until("You are Player 2.")


async def test_who_is_still_there_on_a_dead_line_gives_way_to_themselves(tmp_path: Path) -> None:
    async with (
        letting_in(tmp_path / "server") as server,
        line_client(tmp_path / "ann", *host_at(server.port, "conquer")) as ann,
    ):
        port, code = ssh_port(server.printed), await code_of(ann)
        async with visitor(tmp_path / "bob", port, code) as bob:
            await bob.until("You are Player 2.")
            async with visitor(tmp_path / "bob", port, code) as again:
                await again.until("You are Player 2.")
                await bob.until("You have come in again from elsewhere, so this ends here.")
                assert "\x1b[?1049l" not in bob.transcript


async def test_who_has_no_key_comes_back_by_a_word(tmp_path: Path) -> None:
    async with (
        letting_in(tmp_path / "server") as server,
        line_client(tmp_path / "ann", *host_at(server.port, "conquer")) as ann,
    ):
        port, code = ssh_port(server.printed), await code_of(ann)
        async with visitor(tmp_path / "bob", port, code, has_key=False) as bob:
            await bob.until("so this is your way back to your matches: ssh -p ")
            (word,) = re.findall(r"back-\w{4}-\w{4}-\w{4}", await bob.until("\n"))
            await bob.until("You are Player 2.")
            await bob.killed()
        await ann.until("has lost the connection.")
        async with visitor(tmp_path / "cid", port, word, has_key=False) as bob:
            await bob.until(f"0. Go back to your match (Conquer, {code})\n")
            bob.type("0")
            await ann.until("is back.")
            bob.type("/quit")
            await bob.until(f"Your seat is kept. The way back: ssh -p {port} {word}@127.0.0.1\n")
        async with visitor(tmp_path / "dot", port, "back-0000-0000-0000", has_key=False) as dot:
            await dot.until("Nobody is known here by that word any more.")
            assert await dot.ended() == 1


async def test_the_screen_has_the_size_of_the_visitors_terminal_and_follows_it(
    tmp_path: Path,
) -> None:
    async with (
        letting_in(tmp_path / "server") as server,
        screen_visitor(tmp_path / "bob", ssh_port(server.printed), "bob") as bob,
    ):
        assert "Play against the computer" not in await bob.sees("Host a match", "You play as bob.")
        # The menu is in the middle of the screen, and the keys are in the last line of it.
        while not re.search(r"\x1b\[24;\d+H", bob.transcript):
            await bob._something("the last line never came")
        assert not re.search(r"\x1b\[30;\d+H", bob.transcript)
        termios.tcsetwinsize(bob._controller, (30, 100))
        while not re.search(r"\x1b\[30;\d+H", bob.transcript):
            await bob._something("the last line never moved")


async def test_a_match_in_full_screen_and_a_hangup_amid_it(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        port = ssh_port(server.printed)
        async with screen_visitor(tmp_path / "bob", port, "bob") as bob:
            await bob.sees("Host a match for a friend")
            bob.press("2")
            await bob.sees("Claim territories", "Who begins")
            bob.press("\x1b[15~")
            waiting = await bob.sees("Waiting for your friend to join.", "With ssh alone: ssh -p")
            found = CODE.search(waiting)
            assert found is not None
            at = ("join", f"127.0.0.1:{server.port}", found[0], "--name", "Ann")
            async with screen_client(tmp_path / "ann", *at) as ann:
                await ann.sees("bob")
                await bob.killed()
                await ann.sees("bob has lost the connection")
                async with screen_visitor(tmp_path / "bob", port, found[0]) as bob:
                    await ann.sees("is back")
                    await bob.sees("Ann")
                    bob.press(LEAVE)
                    await bob.sees(f"The way back: ssh -p {port} 127.0.0.1")
                    bob.press("y")
                    assert await bob.ended() == 0


async def test_the_server_says_goodbye_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    async with (
        letting_in(tmp_path / "server") as server,
        screen_visitor(tmp_path / "bob", ssh_port(server.printed), "bob") as bob,
    ):
        await bob.sees("You play as bob.")
        assert await server.stop() == 0
        assert RESTORED in await bob.until("The server has stopped.")
        assert await bob.ended() == 1


async def test_the_key_stays_across_a_restart_and_its_fingerprint_is_printed(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        shown = re.findall(r"^Key of ssh: (SHA256:\S+) \(ED25519\)$", server.printed, re.MULTILINE)
    key = tmp_path / "server" / "ssh_host_key"
    assert key.stat().st_mode & 0o777 == 0o600
    async with letting_in(tmp_path / "server") as server:
        assert re.findall(r"^Key of ssh: (\S+)", server.printed, re.MULTILINE) == shown
        flags = ("-o", "LogLevel=DEBUG1")
        async with visitor(tmp_path / "bob", ssh_port(server.printed), "bob", *flags) as bob:
            await bob.until("Welcome to Conquest")
            assert f"Server host key: ssh-ed25519 {shown[0]}" in bob.errors


async def test_whoever_hosts_lets_friends_in_by_ssh_and_does_so_again_on_coming_back(tmp_path: Path) -> None:
    flags = ("--bind", "127.0.0.1", "--port", "0", "--ssh", "0", "--name", "Ann", "--first", "creator")
    async with line_client(tmp_path / "ann", "host", "conquer", *flags) as ann:
        await ann.until("Key of ssh: SHA256:")
        code = await code_of(ann)
        line = await ann.until("\n")
        port = ssh_port(ann.transcript)
        assert line == f"By ssh alone: ssh -p {port} {code}@127.0.0.1\n"
        async with visitor(tmp_path / "bob", port, code) as bob:
            await bob.until("You are Player 2.")
            await ann.answer("4")
            await bob.until("Player 1 claims territory 4.")
            await ann.killed()
            await bob.finished()
    async with line_client(tmp_path / "ann", "host", "--resume") as ann:
        await ann.until(f"By ssh: ssh -p {port} 127.0.0.1\n")
        async with visitor(tmp_path / "bob", port, code) as bob:
            await bob.until("You are Player 2.")
            await bob.answer("7")
            await ann.until("Player 2 claims territory 7.")
