"""Visitors by ssh: the stock client in a process of its own, with a key or without one, and a server.

As a module this is `conquest serve`. Nothing of the person who runs the tests is touched: no configuration,
no agent, no key, no list of known hosts.
"""

import re
import shutil
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from client.command.serve import serve
from tests.e2e.line import LineClient
from tests.e2e.process import ServerProcess, serving
from tests.e2e.screen import HEIGHT, WIDTH, ScreenClient

NO_SSH = "" if shutil.which("ssh") else "there is no ssh here: install openssh-client (sudo sh .ci/lab)"
needs_ssh = pytest.mark.skipif(bool(NO_SSH), reason=NO_SSH)


@asynccontextmanager
async def letting_in(home: Path, *flags: str) -> AsyncIterator[ServerProcess]:
    """Run a server that lets visitors in on any port."""
    # They all come from one address here, and from one test after the other.
    roomy = ("--ssh-limit=logins_per_minute=1000", "--ssh-limit=visitors_per_address=8")
    async with serving(home, "--ssh=0", *roomy, *flags, module="tests.e2e.ssh") as server:
        yield server


def ssh_port(printed: str) -> int:
    """Find where visitors are let in."""
    (port,) = re.findall(r"^By ssh: ssh -p (\d+) \S+$", printed, re.MULTILINE)
    return int(port)


def options(home: Path, has_key: bool) -> tuple[str, ...]:
    """What keeps the client from all that is not the test's."""
    home.mkdir(exist_ok=True)
    key = home / "key"
    if has_key and not key.exists():
        import asyncssh

        key.touch(0o600)
        asyncssh.generate_private_key("ssh-ed25519").write_private_key(str(key))
    return (
        *("-F", "none", "-o", f"UserKnownHostsFile={home / 'known_hosts'}"),
        *("-o", "StrictHostKeyChecking=accept-new", "-o", "IdentityAgent=none", "-o", "IdentitiesOnly=yes"),
        *("-o", f"IdentityFile={key if has_key else 'none'}", "-o", "LogLevel=ERROR"),
    )


class _BySsh:
    """What to run instead of `conquest`."""

    def visit(self, home: Path, port: int, who: str, has_key: bool, flags: tuple[str, ...]) -> None:
        tty = "-t" if getattr(self, "is_terminal", False) else "-T"
        where = f"{who}@127.0.0.1" if who else "127.0.0.1"
        self._command = ("ssh", tty, *flags, *options(home, has_key), "-p", str(port), where)

    def command(self) -> tuple[str, ...]:
        return self._command


class SshClient(_BySsh, LineClient):
    """`ssh` in line mode."""


class SshScreen(_BySsh, ScreenClient):
    """`ssh` in full screen."""


@asynccontextmanager
async def visitor(
    home: Path,
    port: int,
    who: str,
    *flags: str,
    is_terminal: bool = False,
    has_key: bool = True,
) -> AsyncIterator[SshClient]:
    """Let somebody come in line mode for the length of a block."""
    client = SshClient(home, is_terminal=is_terminal)
    client.more_environment = {"TERM": "dumb"}
    async with _running(client, home, port, who, has_key, flags):
        yield client


@asynccontextmanager
async def screen_visitor(
    home: Path, port: int, who: str, *flags: str, has_key: bool = True
) -> AsyncIterator[SshScreen]:
    """Let somebody come in full screen for the length of a block."""
    client = SshScreen(home)
    client.more_environment = {"TERM": "xterm-256color"}
    async with _running(client, home, port, who, has_key, flags):
        yield client


@asynccontextmanager
async def _running(client: Any, *visit: Any) -> AsyncIterator[None]:
    client.visit(*visit)
    try:
        await client.start()
        if client.is_terminal:
            import termios

            termios.tcsetwinsize(client._controller, (HEIGHT, WIDTH))
        yield
    finally:
        await client.close()


if __name__ == "__main__":
    sys.exit(serve("serve", *sys.argv[1:]))
