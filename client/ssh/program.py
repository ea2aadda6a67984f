"""A visitor's program: a process at a terminal, or at a socket, of which we hold the other end.

Its environment is made here and nothing is inherited. It knows bytes and sizes, and nothing of ssh.
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
from functools import partial
from pathlib import Path
from typing import NamedTuple, Protocol

from client.net.visit import VARIABLE, Visit
from protocol.process.child import ROOT, begin
from protocol.process.supervision import OnFault, guarded, in_thread

MODULE = "client.command.visitor"
CHUNK = 32 * 1024
END_S = 2.0
"""How long a program may take to end after it was told to."""


class Size(NamedTuple):
    """The size of a terminal."""

    columns: int
    rows: int


class Screen(NamedTuple):
    """A terminal, by its kind and its size."""

    kind: str
    size: Size


class Face(Protocol):
    """What is at the other end of a program."""

    def show(self, data: bytes) -> None:
        """Take what the program writes."""

    def wait(self) -> None:
        """Send nothing more for a while."""

    def go_on(self) -> None:
        """Send again, after a wait or without one."""


def environment_of(visit: Visit, screen: Screen | None) -> dict[str, str]:
    """Make the whole environment of a visitor's program, which is in a folder of its own."""
    return {
        VARIABLE: visit.text(),
        "CONQUEST_HOME": ".",
        "HOME": "/nonexistent",
        "INPUTRC": os.devnull,
        "LANG": "C.UTF-8",
        "PATH": os.defpath,
        "PYTHONPATH": str(ROOT),
        "PYTHONUNBUFFERED": "1",
        "TERM": screen.kind if screen else "dumb",
        "USER": visit.name or "Guest",
    }


class Program:
    """A running program."""

    def __init__(
        self,
        process: subprocess.Popen[bytes],
        ours: socket.socket | int,
        most: int,
        face: "Face",
        on_fault: OnFault,
    ) -> None:
        self._process = process
        self._ours = ours
        self._fd = ours if isinstance(ours, int) else ours.fileno()
        self._most = most
        self._face = face
        self._loop = asyncio.get_running_loop()
        self._read = guarded(self._readable, on_fault)
        self._write = guarded(self._writable, on_fault)
        self._waiting = bytearray()
        self._input_ends = False
        self._is_open = True
        self._over = asyncio.Event()
        os.set_blocking(self._fd, False)
        self.go_on()

    def go_on(self) -> None:
        """Hear what it says."""
        if self._is_open:
            self._loop.add_reader(self._fd, self._read)

    def pause(self) -> None:
        """Let it wait before it says more."""
        if self._is_open:
            self._loop.remove_reader(self._fd)

    def type(self, data: bytes | bytearray) -> None:
        """Give it what its user types."""
        if self._is_open and not self._input_ends:
            self._waiting += data
            self._writable()
            if len(self._waiting) >= self._most:
                self._face.wait()

    def end_input(self) -> None:
        """Tell it that there will be no more; a terminal has no end."""
        self._input_ends = True
        self._writable()

    def resize(self, size: Size) -> None:
        """Tell it the size of its terminal."""
        if self._is_open and isinstance(self._ours, int):
            import termios

            termios.tcsetwinsize(self._ours, (size.rows, size.columns))

    async def ended(self) -> int:
        """Wait for its end; return its exit code."""
        await self._over.wait()
        try:
            return await in_thread(partial(self._process.wait, END_S), "a visitor's end")
        except subprocess.TimeoutExpired:
            self._process.kill()
            return await in_thread(self._process.wait, "a visitor's end")

    def hang_up(self) -> None:
        """End it as a terminal that goes away does: its player has lost the connection."""
        # Whoever hears of an end of input before the signal would leave, as if its player wanted to.
        self._process.send_signal(signal.SIGHUP)
        self._close()

    def _readable(self) -> None:
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            # A terminal that nobody has any more.
            data = b""
        if data:
            self._face.show(data)
        else:
            self._close()

    def _writable(self) -> None:
        if not self._is_open:
            return
        try:
            while self._waiting:
                del self._waiting[: os.write(self._fd, self._waiting[:CHUNK])]
        except BlockingIOError:
            self._loop.add_writer(self._fd, self._write)
            return
        except OSError:
            self._waiting.clear()
        self._loop.remove_writer(self._fd)
        self._face.go_on()
        if self._input_ends and isinstance(self._ours, socket.socket):
            with contextlib.suppress(OSError):
                self._ours.shutdown(socket.SHUT_WR)

    def _close(self) -> None:
        if self._is_open:
            self._is_open = False
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)
            _let_go(self._ours)
            self._over.set()


def open_program(
    visit: Visit,
    home: Path,
    screen: Screen | None,
    most: int,
    face: Face,
    on_fault: OnFault,
) -> Program:
    """Start a visitor's program at a terminal of its own, or without one; raise OSError."""
    ours, theirs = _terminal(screen.size) if screen else socket.socketpair()
    end = theirs if isinstance(theirs, int) else theirs.fileno()
    try:
        process = begin(MODULE, end, end, end, home, environment_of(visit, screen))
    except OSError:
        _let_go(ours)
        raise
    finally:
        _let_go(theirs)
    return Program(process, ours, most, face, on_fault)


def _terminal(size: Size) -> tuple[int, int]:
    import pty
    import termios

    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (size.rows, size.columns))
    return ours, theirs


def _let_go(end: socket.socket | int) -> None:
    os.close(end) if isinstance(end, int) else end.close()
