"""One connection to a server: dialled, encrypted, and known to be the right one before a word is said.

With a fingerprint the server must show the certificate it belongs to. Without one, an unknown server is
trusted on first use and remembered; only a server that was never seen encrypted may speak plainly. No
frame leaves before that is settled. Losing and regaining a connection is not known here.
"""

import asyncio
import contextlib
import os
import socket
import ssl
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

import aiohappyeyeballs

from client.core.news import CertificateRemembered, News, NotEncrypted
from client.net.relay import TurnedAway, ask
from client.net.visit import may_reach
from protocol.client_frame import ClientFrame
from protocol.codec import BadFrame, Splitter, decode_server, encode
from protocol.link import address_text, fingerprint_of
from protocol.relay import Join
from protocol.server_frame import ServerFrame

CONNECT_TIMEOUT_S = 10.0
HANDSHAKE_TIMEOUT_S = 5.0
CLOSE_TIMEOUT_S = 1.0
NEXT_ADDRESS_S = 0.25
"""How long one of a computer's addresses is tried alone before the next one is tried beside it."""
CHUNK = 64 * 1024
CHANGED_ON_THE_WAY = frozenset(
    {
        "BAD_RECORD_TYPE",
        "DECRYPTION_FAILED_OR_BAD_RECORD_MAC",
        "RECORD_LAYER_FAILURE",
        "SSLV3_ALERT_BAD_RECORD_MAC",
        "WRONG_VERSION_NUMBER",
    }
)
"""What TLS says of bytes that are not those which the other end has sent, in that order."""


class Unreachable(Exception):
    """There is no connection now, but there may be one later; the message says why."""


class Distrusted(Exception):
    """The server is not the one it should be; the message is a loud sentence. Trying again is no use."""


class Foreign(Exception):
    """What answers is no server of ours."""


class KnownServers(Protocol):
    """Remembers certificates; `client.net.store.Store` does."""

    def fingerprint(self, host: str, port: int) -> str | None: ...
    def keep_fingerprint(self, host: str, port: int, fingerprint: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Glance:
    """Knows the servers that are known, if any, and remembers no other: for those who only look."""

    known: KnownServers | None = None

    def fingerprint(self, host: str, port: int) -> str | None:
        """Return the certificate that a server is known by."""
        return self.known.fingerprint(host, port) if self.known is not None else None

    def keep_fingerprint(self, host: str, port: int, fingerprint: str) -> None:
        """Keep nothing."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a server is and how it is known."""

    host: str
    port: int
    fingerprint: str | None = None
    is_plain: bool = False
    """Whether it is known to speak without encryption."""
    relay: int = 0
    """The port on which it listens at home, where a relay at this address leads to it; else 0."""

    @property
    def address(self) -> str:
        """The address as people write it."""
        return address_text(self.host, self.port)


class Wire(Protocol):
    """Frames to and from a server."""

    def send(self, frame: ClientFrame) -> None:
        """Send a frame, some time soon."""

    async def receive(self) -> ServerFrame:
        """Wait for the next frame; raise `Unreachable` when the connection is gone."""
        ...

    async def close(self) -> None:
        """End the connection; what was sent still goes out, if that is quick."""


class StreamWire:
    """Frames over a TCP connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._splitter = Splitter()
        self._bodies: list[bytes] = []

    def send(self, frame: ClientFrame) -> None:
        """Send a frame, unless the connection is at its end."""
        # A lost connection is noticed where frames are received; writing to it may raise anything.
        if not self._writer.is_closing():
            self._writer.write(encode(frame))

    async def receive(self) -> ServerFrame:
        try:
            while not self._bodies:
                data = await self._reader.read(CHUNK)
                if not data:
                    raise Unreachable("The server closed the connection.")
                self._bodies = self._splitter.feed(data)
            return decode_server(self._bodies.pop(0))
        except BadFrame as problem:
            raise Foreign("What answers there is not a Conquest server of this version.") from problem
        except OSError as problem:
            if getattr(problem, "reason", None) in CHANGED_ON_THE_WAY:
                raise Distrusted(_tampered_with()) from problem
            raise Unreachable(f"The connection broke: {_reason(problem)}.") from problem

    async def close(self) -> None:
        # A TLS transport that is closed a second time forgets its connection, and cannot be aborted then.
        if not self._writer.is_closing():
            self._writer.close()
        is_closed = False
        try:
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self._writer.wait_closed()
            is_closed = True
        except (OSError, TimeoutError):
            # It is over either way, and nobody waits for an answer.
            pass
        finally:
            # Also when we are cancelled meanwhile.
            if not is_closed:
                self._writer.transport.abort()

    def certificate(self) -> bytes:
        """Return the certificate that an encrypted connection's server has shown."""
        shown: bytes | None = self._writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        return shown or b""


async def dial(known: KnownServers, target: Target, tell: Callable[[News], None]) -> tuple[Wire, Target]:
    """Connect to a server and make sure that it is the right one; return how it is known from now on."""
    if not may_reach(target.host, target.port):
        raise Distrusted(f"Visitors by ssh do not reach {target.address} from here.")
    if target.is_plain:
        return await _open(target, None), target
    # Behind a relay there are many servers, of which only a link tells the right one.
    before = None if target.relay else known.fingerprint(target.host, target.port)
    expected = target.fingerprint or before
    try:
        wire = await _open(target, _context())
    except ssl.SSLError as problem:
        if expected is not None:
            raise Distrusted(_not_encrypted_any_more(target)) from problem
        plain = replace(target, is_plain=True)
        wire = await _open(plain, None)
        tell(NotEncrypted(target.address))
        return wire, plain
    shown = fingerprint_of(wire.certificate())
    if expected is not None and shown != expected:
        await wire.close()
        raise Distrusted(_changed(target, expected, shown))
    if expected is None:
        tell(CertificateRemembered(target.address, shown))
    # Another one never takes the place of the one that is known: that is for the player to say.
    if before is None and not target.relay:
        known.keep_fingerprint(target.host, target.port, shown)
    return wire, replace(target, fingerprint=shown)


def _context() -> ssl.SSLContext:
    # Friends' servers have certificates that nobody signed: the fingerprint is what is checked.
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def _open(target: Target, context: ssl.SSLContext | None) -> StreamWire:
    try:
        with explained(target):
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                return await _connected(target, context)
    except TurnedAway as no:
        raise Unreachable(str(no)) from no


@contextlib.contextmanager
def explained(target: Target) -> Iterator[None]:
    """Let what comes of trying to connect come out of a block as `Unreachable`, or as a failure of TLS."""
    try:
        yield
    except ssl.SSLError:
        raise
    except (socket.gaierror, UnicodeError) as problem:
        raise Unreachable(f"There is no computer called {target.host!r} to be found.") from problem
    except ConnectionRefusedError as problem:
        raise Unreachable(
            f"Nothing answers at {target.address}. Is the host still there, and is the port right?"
        ) from problem
    except TimeoutError as problem:
        raise Unreachable(
            f"{target.address} does not answer. Is the address right, and is the port open in its firewall?"
        ) from problem
    except OSError as problem:
        raise Unreachable(f"{target.address} cannot be reached: {_reason(problem)}.") from problem


async def _connected(target: Target, context: ssl.SSLContext | None) -> StreamWire:
    connected = await reached(target.host, target.port)
    try:
        if target.relay:
            await ask(connected, Join(target.fingerprint or "", target.relay), target.address)
    except BaseException:
        connected.close()
        raise
    reader, writer = await asyncio.open_connection(
        sock=connected,
        ssl=context,
        server_hostname=target.host if context else None,
        ssl_handshake_timeout=HANDSHAKE_TIMEOUT_S if context else None,
    )
    return StreamWire(reader, writer)


async def reached(host: str, port: int) -> socket.socket:
    """Try a computer's addresses, and return a connection to the first that answers.

    asyncio can do this too, but on some interpreters not inside a full-screen program: see
    docs/reliability.md, "Interpreters".
    """
    addresses = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return await aiohappyeyeballs.start_connection(addresses, happy_eyeballs_delay=NEXT_ADDRESS_S)


def _reason(problem: OSError) -> str:
    return os.strerror(problem.errno) if problem.errno else "it was closed at the other end"


def _not_encrypted_any_more(target: Target) -> str:
    return (
        f"STOP: {target.address} should be encrypted, but it is not. Somebody may be pretending to be your"
        " friend's server. Nothing was sent. Ask the host for a fresh join link."
    )


def _tampered_with() -> str:
    return (
        "STOP: what came was changed on the way. Somebody between you and your friend's server may be"
        " tampering with the connection. None of it was taken, and nothing more was sent."
    )


def _changed(target: Target, expected: str, shown: str) -> str:
    return (
        f"STOP: {target.address} is not the server it should be. Its certificate is {shown}, but {expected}"
        " was expected. Somebody may be listening in, or the server was set up anew. Nothing was sent."
        " Ask the host for the whole join link and use that."
    )
