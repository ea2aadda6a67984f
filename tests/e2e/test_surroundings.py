"""Homes, disks and streams that say no: one sentence, or play without remembering; never a traceback."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.line import ROOT, line_client
from tests.e2e.process import serving

MOVES = "4\n3\n2\n1\n5\n6\n7\n"
COMMANDS = [
    "",
    "--version",
    "--help",
    "play conquer",
    "host --resume",
    "join 127.0.0.1:1 ABCDEFGH",
    "join --resume",
    "watch 127.0.0.1:1 ABCDEFGH",
    "rules",
    "rules grid",
    "replay missing.jsonl",
    "review missing.jsonl",
    "arena easy easy conquer --matches 2",
    "bot easy --help",
    "doctor",
    "serve --help",
    "serve --export ABCDEFGH",
    "completion bash",
]
STREAMS = ["0<&-", "2>&-", "0<&- >&- 2>&-", ">/dev/full 2>&1"]
FORGETFUL = "Nothing can be remembered in /dev/null/home: Not a directory."
UNSET = ("CONQUEST_HOME", "HOME", "XDG_DATA_HOME")
HOMES = {"a file": "/dev/null/home", "empty": "", "unset": None}


def run(command: str, home: str | None, streams: str = "", **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a shell that closes or replaces streams, with a home of some kind."""
    environment = {key: value for key, value in os.environ.items() if key not in UNSET}
    if home is not None:
        environment["HOME"] = home
    return subprocess.run(
        ["sh", "-c", f"exec {shlex.quote(sys.executable)} -m client.command.main {command} {streams}"],
        input=MOVES if command.startswith("play") else "",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        cwd=ROOT,
        env={**environment, "CONQUEST_LAN": "127.0.0.1", **more},
    )


def assert_is_civil(done: subprocess.CompletedProcess[str]) -> None:
    said = done.stdout + done.stderr
    assert "Traceback" not in said
    assert "Exception ignored" not in said
    assert done.returncode in (0, 1)
    if done.returncode == 1 and done.stderr:
        assert done.stderr.splitlines()[-1].startswith("conquest: ")


@pytest.mark.parametrize("streams", STREAMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_streams_that_are_closed_or_full(tmp_path: Path, command: str, streams: str) -> None:
    assert_is_civil(run(command, None, streams, CONQUEST_HOME=str(tmp_path)))


@pytest.mark.parametrize(
    "command", ["--version", "--help", "rules", "completion bash", "doctor", "play conquer"]
)
@pytest.mark.parametrize("streams", [">&-", ">/dev/full"])
def test_what_could_not_be_said_is_not_done(tmp_path: Path, command: str, streams: str) -> None:
    done = run(command, None, streams, CONQUEST_HOME=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("conquest: Standard output cannot be written: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("home", HOMES.values(), ids=HOMES)
@pytest.mark.parametrize("command", [command for command in COMMANDS if not command.startswith("serve --e")])
def test_homes_that_keep_nothing(tmp_path: Path, command: str, home: str | None) -> None:
    # A home that is not named is looked up in the system's list; that one must not be touched.
    redirected = {"XDG_DATA_HOME": str(tmp_path)} if not home else {}
    assert_is_civil(run(command, home, **redirected))


def test_a_server_that_cannot_keep_its_journal_says_so() -> None:
    done = run("serve --bind 127.0.0.1 --port 0", "/dev/null/home")
    assert done.returncode == 1
    db = "/dev/null/home/.local/share/conquest/conquest.db"
    assert done.stderr == f"conquest: The journal {db} cannot be opened: Not a directory.\n"


def test_a_server_that_cannot_keep_its_certificate_says_so() -> None:
    done = run("serve --bind 127.0.0.1 --port 0 --tls --db :memory:", "/dev/null/home")
    assert done.returncode == 1
    folder = "/dev/null/home/.local/share/conquest"
    assert done.stderr == f"conquest: The certificate in {folder} cannot be used: Not a directory.\n"


async def test_friends_play_although_neither_can_remember_anything() -> None:
    nowhere = Path("/dev/null/home")
    async with line_client(nowhere, "host", "conquer", "--port", "0", "--first", "creator") as ann:
        await ann.until(FORGETFUL)
        link = await ann.link()
        async with line_client(nowhere, "join", link) as bob:
            await ann.answer("4")
            await bob.answer("7")
            await ann.answer("3")
            await bob.answer("6")
            await ann.answer("2")
            await bob.until("Player 1 wins!")
            await ann.until("Player 1 wins!")
            ann.type("/quit")
            bob.type("/quit")
            assert await ann.ended() == 0
            assert await bob.ended() == 0


async def test_an_encrypted_server_is_joined_from_a_home_that_keeps_nothing(tmp_path: Path) -> None:
    async with serving(tmp_path, "--tls") as server:
        where = f"127.0.0.1:{server.port}"
        async with line_client(Path("/dev/null/home"), "join", where, "ABCDEFGH") as bob:
            await bob.until(FORGETFUL)
            assert await bob.ended() == 1
