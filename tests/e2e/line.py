"""A line client in a process of its own, driven through pipes or through a terminal.

Each has a home of its own; nothing of the person who runs the tests is touched. What it prints can be
waited for, and is kept whole as its transcript.
"""

import asyncio
import contextlib
import os
import pty
import re
import signal
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Self

from client.line.terminal import TOO_EARLY

PATIENCE_S = 30.0
"""Generous: other tests may be running on the same machine."""

QUESTION = re.compile(r"^(Enter|Select)[^:(\[\n]*([(\[][^)\]\n]*[)\]])?: \Z", re.MULTILINE)
"""A question of one of the books, open. A terminal may hand out a line in pieces, so it must be whole."""

ROOT = Path(__file__).parents[2]


def _log_in_at(terminal: int) -> None:
    """Make a terminal ours as a login does: no signal is ignored, as it is in what nohup or `&` starts."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):
        signal.signal(number, signal.SIG_DFL)
    os.login_tty(os.dup(terminal))


class LineClient:
    """`conquest` with some arguments, and a person or a script in front of it."""

    module = "client.command.main"

    def __init__(
        self, home: Path, *arguments: str, is_terminal: bool = False, through: tuple[str, ...] = ()
    ) -> None:
        self.home = home
        self.through = through
        """The command that runs the client, if it is not run here (see `tests.lab`)."""
        self.arguments = (*arguments, "--plain") if is_terminal else arguments
        self.is_terminal = is_terminal
        self.more_environment: dict[str, str] = {}
        self.transcript = ""
        self._read_to = 0
        self._answered_to = 0
        self._answer: str | None = None
        self._changed = asyncio.Event()
        self._is_over = False
        self._process: asyncio.subprocess.Process | None = None
        self._controller = -1
        self._listeners: list[asyncio.Task[None]] = []
        self.errors = ""

    def command(self) -> tuple[str, ...]:
        """What to run."""
        return (*self.through, sys.executable, "-m", self.module, *self.arguments)

    async def start(self) -> Self:
        environment = {
            **os.environ,
            "CONQUEST_HOME": str(self.home),
            "CONQUEST_LAN": "127.0.0.1",
            "PYTHONUNBUFFERED": "1",
            **self.more_environment,
        }
        command = self.command()
        if self.is_terminal:
            self._controller, terminal = pty.openpty()
            self._process = await asyncio.create_subprocess_exec(
                *command,
                cwd=ROOT,
                env=environment,
                stdin=terminal,
                stdout=terminal,
                stderr=terminal,
                preexec_fn=partial(_log_in_at, terminal),
            )
            os.close(terminal)
            asyncio.get_running_loop().add_reader(self._controller, self._from_terminal)
        else:
            pipe = asyncio.subprocess.PIPE
            self._process = await asyncio.create_subprocess_exec(
                *command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, stderr=pipe
            )
            self._listeners = [
                asyncio.create_task(self._from_pipe()),
                asyncio.create_task(self._from_errors()),
            ]
        return self

    def type(self, *lines: str) -> None:
        """Type lines, whether they are asked for or not."""
        self._answer, self._answered_to = None, len(self.transcript)
        self.press("".join(f"{line}\n" for line in lines))

    def press(self, keys: str) -> None:
        """Type characters as they are."""
        if self.is_terminal:
            os.write(self._controller, keys.encode())
        else:
            assert self._process is not None
            assert self._process.stdin is not None
            self._process.stdin.write(keys.encode())

    def mode(self) -> list[object]:
        """Tell how the terminal treats what is typed."""
        return termios.tcgetattr(self._controller)

    def end_input(self) -> None:
        """Close the pipe that the client reads from."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()

    async def until(self, text: str) -> str:
        """Wait for a text behind what was waited for before; return everything up to its end."""
        while (at := self.transcript.find(text, self._read_to)) < 0:
            await self._something(f"{text!r} never came")
        start, self._read_to = self._read_to, at + len(text)
        return self.transcript[start : self._read_to]

    async def answer(self, *lines: str) -> None:
        """Type each line when the client asks for one."""
        for line in lines:
            while not self._is_asked():
                await self._something("nothing was asked")
            self._give(line)

    def _is_asked(self) -> bool:
        return QUESTION.search(self.transcript, self._answered_to) is not None

    def _give(self, answer: str) -> None:
        self.type(answer)
        self._answer = answer

    def _give_again(self) -> None:
        """Repeat an answer that was not used: news can put a question out again that was just answered."""
        is_dropped = self.transcript.find(TOO_EARLY, self._answered_to) >= 0
        if self._answer is not None and is_dropped and self._is_asked():
            self._give(self._answer)

    async def _something(self, complaint: str) -> None:
        """Wait for more output; fail when none comes."""
        said = f"{complaint}:\n{self.transcript}{self.errors}"
        assert not self._is_over, said
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), PATIENCE_S)
        except TimeoutError:
            raise AssertionError(said) from None

    async def link(self) -> str:
        """Wait for the join link that a host prints."""
        await self.until("Link: ")
        line = await self.until("\n")
        return line.strip()

    async def ended(self) -> int:
        """Wait for the end and return the exit code."""
        assert self._process is not None
        code = await asyncio.wait_for(self._process.wait(), PATIENCE_S)
        await asyncio.gather(*self._listeners)
        return code

    async def finished(self) -> None:
        """Wait until everything that the client wrote before its end was read."""
        while not self._is_over:
            await self._something("the output did not end")

    async def killed(self) -> None:
        """End the process without giving it a chance to do anything."""
        self.signal(signal.SIGKILL)
        await self.ended()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def close_window(self) -> None:
        """Take the terminal away from whoever runs at it."""
        asyncio.get_running_loop().remove_reader(self._controller)
        os.close(self._controller)
        self._controller = -1

    async def close(self) -> None:
        assert self._process is not None
        if self._process.returncode is None:
            self.signal(signal.SIGKILL)
        await self._process.wait()
        await asyncio.gather(*self._listeners)
        if self._controller >= 0:
            self.close_window()

    def _note(self, data: bytes) -> None:
        self.transcript += self.seen(data.decode(errors="replace").replace("\r\n", "\n"))
        self._is_over = self._is_over or not data
        self._give_again()
        self._changed.set()

    def seen(self, text: str) -> str:
        """Tell what a person sees of what arrives: not the bell."""
        return text.replace("\a", "")

    def _from_terminal(self) -> None:
        data = b""
        with contextlib.suppress(OSError):
            data = os.read(self._controller, 65536)
        if not data:
            asyncio.get_running_loop().remove_reader(self._controller)
        self._note(data)

    async def _from_pipe(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        while data := await self._process.stdout.read(65536):
            self._note(data)
        self._note(b"")

    async def _from_errors(self) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        while data := await self._process.stderr.read(65536):
            self.errors += data.decode()


@asynccontextmanager
async def line_client(
    home: Path,
    *arguments: str,
    is_terminal: bool = False,
    term: str = "xterm",
    through: tuple[str, ...] = (),
) -> AsyncIterator[LineClient]:
    """Run a line client for the length of a block, and end it whatever happens."""
    client = LineClient(home, *arguments, is_terminal=is_terminal, through=through)
    if is_terminal:
        # Where a row is full, an edited line goes on with more than its text.
        client.more_environment = {"TERM": term, "COLUMNS": "200"}
    try:
        await client.start()
        yield client
    finally:
        await client.close()


class Shell(LineClient):
    """A shell at a terminal, in which a person runs the client."""

    def command(self) -> tuple[str, ...]:
        return ("bash", "--norc", "--noprofile", "--noediting", "-i")


@asynccontextmanager
async def shell(home: Path) -> AsyncIterator[LineClient]:
    """Run a shell for the length of a block, from its first prompt on."""
    client = Shell(home, is_terminal=True)
    client.more_environment = {"PS1": "ready> ", "TERM": "xterm"}
    try:
        await client.start()
        await client.until("ready> ")
        yield client
    finally:
        await client.close()


def as_new() -> list[object]:
    """Tell how a terminal treats what is typed that nobody has changed."""
    controller, terminal = pty.openpty()
    try:
        return termios.tcgetattr(controller)
    finally:
        os.close(controller)
        os.close(terminal)


def holds_in_order(transcript: str, lines: list[str]) -> None:
    """Assert that whole lines stand in a transcript in this order, whatever stands between them."""
    at = 0
    said = transcript.splitlines()
    for line in lines:
        rest = said[at:]
        assert line in rest, f"{line!r} does not follow in:\n" + "\n".join(rest)
        at += rest.index(line) + 1
