"""What visitors by ssh do not get: anything but the game, more than their share, or endless time."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from tests.e2e.line import LineClient
from tests.e2e.process import ServerProcess, free_port
from tests.e2e.ssh import letting_in, needs_ssh, options, ssh_port, visitor

pytestmark = needs_ssh
SAID_S = 20.0


@asynccontextmanager
async def running(*command: str, **more: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a program for the length of a block."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe, env={**os.environ, **more}
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def said_by(*command: str, **more: str) -> tuple[int, str]:
    """Run a program to its end; return its exit code and what it complained of."""
    async with running(*command, **more) as process:
        out, errors = await asyncio.wait_for(process.communicate(), SAID_S)
        assert out == b""
        assert process.returncode is not None
        return process.returncode, errors.decode()


def by_ssh(home: Path, server: ServerProcess, *flags: str) -> tuple[str, ...]:
    port = str(ssh_port(server.printed))
    return ("ssh", *options(home, True), "-p", port, *flags, "bob@127.0.0.1")


async def test_no_command_is_run_and_none_of_a_shell(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        for command in ("id", "rules galaxy", "/bin/sh -c id", "scp -f /etc/passwd"):
            code, said = await said_by(*by_ssh(tmp_path / "bob", server), command)
            assert (code, said) == (
                1,
                "This is a game of Conquest: leave out the command. Nothing else runs here.\n",
            )
        code, said = await said_by(*by_ssh(tmp_path / "bob", server, "-s"), "sftp")
        assert code == 255
        assert "subsystem request failed" in said


async def test_nothing_is_forwarded(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        there = f"127.0.0.1:{server.port}"
        code, said = await said_by(*by_ssh(tmp_path / "bob", server, "-W", there))
        assert code == 255
        assert "stdio forwarding failed" in said
        strict = ("-o", "ExitOnForwardFailure=yes", "-N", "-R", f"{free_port()}:{there}")
        code, said = await said_by(*by_ssh(tmp_path / "bob", server, *strict))
        assert code == 255
        assert "remote port forwarding failed" in said


@pytest.mark.parametrize("flag", ["-L", "-D"])
async def test_a_forwarded_port_leads_nowhere(flag: str, tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        local = free_port()
        to = f"{local}:127.0.0.1:{server.port}" if flag == "-L" else str(local)
        async with visitor(tmp_path / "bob", ssh_port(server.printed), "bob", flag, to) as bob:
            await bob.until("Welcome to Conquest")
            reader, writer = await asyncio.open_connection("127.0.0.1", local)
            if flag == "-D":
                writer.write(b"\x05\x01\x00\x05\x01\x00\x01\x7f\x00\x00\x01" + server.port.to_bytes(2))
                assert await reader.readexactly(2) == b"\x05\x00"
            assert await reader.read() in (b"", b"\x05\x00\x00\x01" + bytes(6))
            writer.close()
            bob.type("6")
            assert await bob.ended() == 0


async def test_no_agent_no_display_and_no_variable_comes_along(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        flags = ("-A", "-X", "-o", "SetEnv=CONQUEST_HOME=/tmp FOO=bar", "-o", "IdentityAgent=/nonexistent")
        client = visitor(tmp_path / "bob", ssh_port(server.printed), "bob", *flags, is_terminal=True)
        async with client as bob:
            await bob.until("Welcome to Conquest")
            assert await environment(server) == {
                *("CONQUEST_HOME", "CONQUEST_VISIT", "HOME", "INPUTRC", "LANG", "PATH"),
                *("PYTHONPATH", "PYTHONUNBUFFERED", "TERM", "USER"),
            }


async def environment(server: ServerProcess) -> set[str]:
    """Name what the one visitor's program has in its environment."""
    (front,) = await children(server.pid)
    (program,) = await children(front)
    async with running("ps", "eww", "-o", "args=", "-p", str(program)) as process:
        out, _ = await process.communicate()
    pairs = (word.partition("=") for word in out.decode().split())
    return {name for name, equals, _ in pairs if equals and name.isupper()}


async def children(pid: int) -> list[int]:
    """List the processes that a process has started."""
    async with running("ps", "-e", "-o", "pid=,ppid=") as process:
        out, _ = await process.communicate()
    lines = (map(int, line.split()) for line in out.decode().splitlines())
    return [child for child, parent in lines if parent == pid]


async def greeted(server: ServerProcess, stack: AsyncExitStack) -> asyncio.StreamReader | None:
    """Connect, and hear whether somebody answers."""
    reader, writer = await asyncio.open_connection("127.0.0.1", ssh_port(server.printed))
    stack.callback(writer.close)
    try:
        line = await reader.readline()
    except ConnectionError:
        return None
    return reader if line.startswith(b"SSH-2.0-Conquest") else None


async def test_of_a_hundred_connections_only_a_few_are_kept_and_others_play_on(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server", "--ssh-limit=connections_per_address=8") as server:
        async with visitor(tmp_path / "bob", ssh_port(server.printed), "bob") as bob:
            await bob.until("Welcome to Conquest")
            async with AsyncExitStack() as stack:
                kept = [await greeted(server, stack) for _ in range(100)]
                assert sum(reader is not None for reader in kept) == 7
                bob.type("5", "duel")
                await bob.until("Command Line Conquer")
        async with visitor(tmp_path / "bob", ssh_port(server.printed), "bob") as bob:
            await bob.until("Welcome to Conquest")


async def test_a_login_that_never_ends_is_ended_at_any_stage(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server", "--ssh-limit=login_timeout_s=1.5") as server:
        async with AsyncExitStack() as stack:
            reader = await greeted(server, stack)
            assert reader is not None
            await asyncio.wait_for(reader.read(), SAID_S)
        code, _ = await said_by(*by_ssh(tmp_path / "bob", server, "-N"))
        assert code == 255


async def test_a_line_without_an_end_is_the_end(tmp_path: Path) -> None:
    async with (
        letting_in(tmp_path / "server") as server,
        visitor(tmp_path / "bob", ssh_port(server.printed), "bob") as bob,
    ):
        await bob.until("Welcome to Conquest")
        bob.press("x" * 100_000)
        await bob.until("That line has no end, so this ends here.")
        assert await bob.ended() == 1


async def test_who_presses_no_key_leaves_room_for_others(tmp_path: Path) -> None:
    async with (
        letting_in(tmp_path / "server", "--ssh-limit=idle_timeout_s=2") as server,
        visitor(tmp_path / "bob", ssh_port(server.printed), "bob") as bob,
    ):
        await bob.until("You have pressed no key for a long time, so this ends here.")


async def test_when_all_places_are_taken_the_next_one_hears_so(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server", "--ssh-limit=visitors=1") as server:
        port = ssh_port(server.printed)
        async with visitor(tmp_path / "bob", port, "bob") as bob:
            await bob.until("Welcome to Conquest")
            async with visitor(tmp_path / "cid", port, "cid") as cid:
                await cid.until("There are as many visitors here as there can be; try again in a while.")
                assert await cid.ended() == 1
            bob.type("6")
            assert await bob.ended() == 0
        async with visitor(tmp_path / "cid", port, "cid") as cid:
            await cid.until("Welcome to Conquest")


async def test_no_way_leads_elsewhere_and_no_file_is_written(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        elsewhere = await asyncio.start_server(lambda reader, writer: None, "127.0.0.1", 0)
        port = elsewhere.sockets[0].getsockname()[1]
        async with elsewhere, visitor(tmp_path / "bob", ssh_port(server.printed), "bob") as bob:
            await leave_a_match(bob)
            for way in ("2", "3"):
                bob.type(way)
                await bob.until("The code of your friend's match: ")
                bob.type(f"127.0.0.1:{port} 7K3M-9QXZ")
                await bob.until("By ssh you reach the matches of this server only.")


async def leave_a_match(bob: LineClient) -> None:
    """Let a visitor open a match and take it back."""
    bob.type("1", "duel")
    await bob.until("Code: ")
    bob.type("/quit")
    await bob.until("What would you like to do?")


async def test_what_lets_visitors_in_is_started_again_when_it_dies(tmp_path: Path) -> None:
    async with letting_in(tmp_path / "server") as server:
        (front,) = await children(server.pid)
        os.kill(front, signal.SIGKILL)
        while True:
            code, _ = await said_by(*by_ssh(tmp_path / "bob", server), "id")
            if code == 1:
                break
        assert "The process that lets visitors in by ssh has died" in server.log.read_text()
