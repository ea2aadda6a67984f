"""One connection by ssh, as asyncssh tells of it: who logs in, what they ask for, and their program.

Everything but one terminal, or one pair of pipes, is refused. Whoever proves a key is known by it; a key that
was only shown proves nothing.
"""

import asyncio
import contextlib
import logging
import secrets
from pathlib import Path
from typing import Any, Protocol

import asyncssh

from client.net.visit import Visit
from client.ssh.caller import Caller, Line, identity_of, make_word, parse_user, terminal_name
from client.ssh.home import is_known, open_home
from client.ssh.program import Program, Screen, Size, open_program
from protocol.limit import SshLimits
from protocol.process.supervision import start

PLAY_ONLY = "This is a game of Conquest: leave out the command. Nothing else runs here.\n"
FULL = "There are as many visitors here as there can be; try again in a while."
UNKNOWN_WORD = "Nobody is known here by that word any more. Without it, you come in anew."
NO_HOME = "This server cannot remember visitors just now; try again in a while."
IDLE = "You have pressed no key for a long time, so this ends here."
ELSEWHERE = "You have come in again from elsewhere, so this ends here."
TOO_LONG = "That line has no end, so this ends here."
STOPPED = "The server has stopped."
FAULT = "The server made a mistake of its own, so this ends here."
RESTORED = (
    "\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l"
    "\x1b[?1004l\x1b[?2004l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[23;2t\x1b[0m"
)
"""Takes back what a full-screen program that is cut off has asked of a terminal."""

log = logging.getLogger("conquest.ssh")


class House(Protocol):
    """What connections share."""

    limits: SshLimits
    root: Path
    visitors: dict[str, "Visitor"]
    """Those who are here, by who they are."""

    def come(self, connection: int, address: str) -> bool:
        """Let a connection in, or not."""

    def sit_down(self, connection: int) -> bool:
        """Let it have a program, or not."""

    def go(self, connection: int) -> None:
        """Forget it."""

    async def admit(self, address: str) -> int:
        """Open the port on which the server listens for a visitor."""

    def dismiss(self, port: int) -> None:
        """Close it."""

    def visit(self, port: int, caller: Caller, host: str) -> Visit:
        """Say where a visitor is, who has come by this address of ours."""


class Login(asyncssh.SSHServer):
    """A connection, from its first byte to its last."""

    def __init__(self, house: House) -> None:
        self.address = self.host = ""
        """Where they come from, and by which address of ours."""
        self.caller = Caller()
        self.key: bytes | None = None
        """The key that was shown last: the one that is proven, once the login has succeeded by a key."""
        self._house = house
        self._conn: Any = None
        self._is_in = False
        self._visitor: Visitor | None = None
        self._late: asyncio.TimerHandle | None = None

    def connection_made(self, conn: Any) -> None:
        """Let a connection in, for a while, or close it before it costs anything."""
        self._conn = conn
        self.address, self.host = (
            str((conn.get_extra_info(name) or [""])[0]) for name in ("peername", "sockname")
        )
        self._is_in = self._house.come(id(self), self.address)
        if not self._is_in:
            note("ssh_closed", address=self.address, code="full")
            conn.abort()
            return
        timeout_s = self._house.limits.login_timeout_s
        self._late = asyncio.get_running_loop().call_later(timeout_s, self._too_late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget a connection, and hang up on its program."""
        if self._late is not None:
            self._late.cancel()
        if self._is_in:
            self._house.go(id(self))
        if self._visitor is not None:
            self._visitor.hang_up()

    def _too_late(self) -> None:
        if self._visitor is None or not self._visitor.has_begun:
            note("ssh_closed", address=self.address, code="login_late")
            self._conn.abort()

    def begin_auth(self, username: str) -> bool:
        """Read the user name; a word needs no other proof."""
        self.caller, self.key = parse_user(username), None
        return not self.caller.word

    def public_key_auth_supported(self) -> bool:
        """Take keys."""
        return True

    def validate_public_key(self, username: str, key: asyncssh.SSHKey) -> bool:
        """Take any key: it only says who comes."""
        self.key = key.public_data
        return True

    def kbdint_auth_supported(self) -> bool:
        """Take those who have no key."""
        return True

    def get_kbdint_challenge(self, username: str, lang: str, submethods: str) -> bool:
        """Ask nothing."""
        self.key = None
        return True

    def session_requested(self) -> Any:
        """Open one session, and no second one."""
        if self._visitor is not None:
            return False
        limits = self._house.limits
        channel = self._conn.create_server_channel(None, "strict", limits.buffer, min(limits.buffer, 32768))
        channel._env = _Forgetful()
        self._visitor = Visitor(self._house, self)
        return channel, self._visitor

    def close(self) -> None:
        """End the connection."""
        self._conn.close()

    def close_soon(self) -> None:
        """End the connection even if the other side never says that it has heard the end."""
        later = asyncio.get_running_loop().call_later
        self._late = later(self._house.limits.login_timeout_s, self._conn.abort)


class _Forgetful(dict[bytes, bytes]):
    """Keeps nothing of the environment that a visitor would like to have: no program gets it."""

    def __setitem__(self, key: bytes, value: bytes) -> None:
        return


class Visitor(asyncssh.SSHServerSession[bytes]):
    """One session: a terminal, or a pair of pipes, and the program at its other end."""

    def __init__(self, house: House, login: Login) -> None:
        self.has_begun = False
        self._house = house
        self._login = login
        self._channel: Any = None
        self._screen: Screen | None = None
        self._program: Program | None = None
        self._typed = bytearray()
        """What was typed before the program was there."""
        self._input_ends = False
        self._is_command = False
        self._is_gone = False
        self._line = Line(house.limits.line)
        self._idle: asyncio.TimerHandle | None = None
        self._last_words = ""
        self.over = asyncio.Event()
        """Set when the program has ended."""
        self.closed = asyncio.Event()
        """Set when the visitor has heard it, too."""

    # What is asked for.

    def connection_made(self, chan: Any) -> None:
        """Keep the channel."""
        self._channel = chan

    def pty_requested(self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Any) -> bool:
        """Take a terminal."""
        self._screen = Screen(terminal_name(term_type), self._bounded(*term_size[:2]))
        return True

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Pass a new size on."""
        size = self._bounded(width, height)
        if self._screen is not None:
            self._screen = self._screen._replace(size=size)
        if self._program is not None:
            self._program.resize(size)

    def _bounded(self, columns: int, rows: int) -> Size:
        # Some say nothing about their size.
        limits = self._house.limits
        return Size(min(columns or 80, limits.columns), min(rows or 24, limits.rows))

    def exec_requested(self, command: str) -> bool:
        """Say that nothing is run: a refusal would leave the reason to be guessed."""
        self._is_command = True
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Offer nothing, such as files."""
        return False

    def shell_requested(self) -> bool:
        """Begin; what there is instead of a shell is the game."""
        return True

    def session_started(self) -> None:
        """Start the program, and stay until it has ended."""
        self.has_begun = True
        if self._is_command:
            self._channel.write_stderr(PLAY_ONLY.encode())
            self._end(1)
            return
        start(self._run(), "visitor", self._failed)

    # Its life.

    async def _run(self) -> None:
        code = 1
        try:
            code = await self._receive()
        finally:
            self._end(code)

    async def _receive(self) -> int:
        """Let the visitor in and run their program; return its exit code."""
        login, house = self._login, self._house
        caller = login.caller
        if caller.word and not is_known(house.root, identity_of(caller.word)):
            self._last_words = UNKNOWN_WORD
            return 1
        if not caller.word and login.key is None:
            caller = Caller(caller.code, make_word(secrets.randbelow), caller.name)
        identity = identity_of(caller.word or login.key or b"")
        while (other := house.visitors.get(identity)) is not None:
            other.end(ELSEWHERE)
            await other.over.wait()
        if self._is_gone:
            return 1
        if not house.sit_down(id(login)):
            self._last_words = FULL
            return 1
        house.visitors[identity] = self
        try:
            return await self._play(identity, caller)
        except OSError as problem:
            log.error("A visitor's program could not be started: %s.", problem.strerror)
            self._last_words = NO_HOME
            return 1
        finally:
            del house.visitors[identity]

    async def _play(self, identity: str, caller: Caller) -> int:
        house = self._house
        home = open_home(house.root, identity, house.limits.homes, house.visitors)
        port = await house.admit(self._login.address)
        try:
            if self._is_gone:
                return 1
            visit = house.visit(port, caller, self._login.host)
            note("visitor", address=self._login.address, full_screen=self._screen is not None)
            most = house.limits.buffer
            self._program = open_program(visit, home, self._screen, most, self, self._failed)
            self._rest()
            self._program.type(self._typed)
            if self._input_ends:
                self._program.end_input()
            return await self._program.ended()
        finally:
            house.dismiss(port)

    def _end(self, code: int) -> None:
        self.over.set()
        if self._idle is not None:
            self._idle.cancel()
        self._program = None
        if self._is_gone:
            return
        if self._last_words:
            is_dumb = self._screen is None or self._screen.kind == "dumb"
            restored = "" if is_dumb else RESTORED
            self.show(f"{restored}{self._last_words}\r\n".encode())
        with contextlib.suppress(OSError):
            self._channel.exit(1 if code < 0 else code)
        self._login.close_soon()

    def end(self, why: str) -> None:
        """End the visit, and say why."""
        self._last_words = why
        if self._program is not None:
            self._program.hang_up()
        elif not self.has_begun:
            self._login.close()

    def _failed(self, fault: BaseException) -> None:
        log.error("A fault of ours; the visit ends.", exc_info=fault)
        self.end(FAULT)

    def hang_up(self) -> None:
        """Take note that nobody is there any more."""
        self._is_gone = True
        if self._program is not None:
            self._program.hang_up()

    # What is typed, and what is shown.

    def data_received(self, data: bytes, datatype: Any) -> None:
        """Pass on what is typed."""
        if self._line.is_too_long(data):
            self.end(TOO_LONG)
        elif self._program is not None:
            self._rest()
            self._program.type(data)
        elif not self._input_ends:
            self._typed += data
            if len(self._typed) >= self._house.limits.buffer:
                self.wait()

    def eof_received(self) -> bool:
        """Tell the program that there is no more, and hear it out."""
        self._input_ends = True
        if self._program is not None:
            self._program.end_input()
        return True

    def wait(self) -> None:
        """Let the visitor wait for a slow program."""
        self._channel.pause_reading()

    def go_on(self) -> None:
        """Let the visitor go on."""
        self._channel.resume_reading()

    def pause_writing(self) -> None:
        """Let the program wait for a slow visitor."""
        if self._program is not None:
            self._program.pause()

    def resume_writing(self) -> None:
        """Let it go on."""
        if self._program is not None:
            self._program.go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        """Hang up on the program; one session is all that there is."""
        self.closed.set()
        self.hang_up()
        self._login.close()

    def show(self, data: bytes) -> None:
        """Show what the program writes."""
        with contextlib.suppress(OSError):
            self._channel.write(data)

    def _rest(self) -> None:
        """Begin to count again how long no key is pressed."""
        if self._idle is not None:
            self._idle.cancel()
        later = asyncio.get_running_loop().call_later
        self._idle = later(self._house.limits.idle_timeout_s, self.end, IDLE)


def note(event: str, **facts: object) -> None:
    """Write a fact about a visit into the log."""
    log.info(event, extra={"facts": facts})
