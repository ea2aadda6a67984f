"""One connection's end of the line: what has arrived, what is to leave, and an end that never raises.

It hands bytes to the shell and knows nothing of what they mean.
"""

import asyncio
import contextlib
from typing import Protocol, cast

from protocol.codec import Splitter
from protocol.limit import Limits


class Shell(Protocol):
    """What a connection needs of the server."""

    limits: Limits
    buffer: memoryview

    def connected(self, peer: "Peer") -> None:
        """Take a new connection."""

    def arrived(self, peer: "Peer", data: memoryview) -> None:
        """Take bytes from a connection."""

    def lost(self, peer: "Peer") -> None:
        """Take note that a connection is gone."""


class Incoming(asyncio.BaseProtocol):
    """A connection that somebody else began, as whoever accepts it has to know it."""

    __slots__ = ("host", "number", "transport")

    def __init__(self, host: str) -> None:
        self.host = host
        """For whom it is counted: an address, or what a relay says instead of one."""
        self.number = 0
        self.transport: asyncio.Transport | None = None

    # A transport that has ended before we were told raises: RuntimeError on uvloop, and AttributeError
    # where asyncio encrypts on Python 3.11.2. Then there is nothing left to do.

    def close(self) -> None:
        """End the connection once all is written."""
        if self.transport is not None:
            with contextlib.suppress(RuntimeError, AttributeError):
                self.transport.close()

    def abort(self) -> None:
        """End the connection now."""
        if self.transport is not None:
            with contextlib.suppress(RuntimeError, AttributeError):
                self.transport.abort()


class Peer(Incoming, asyncio.BufferedProtocol):
    """One connection's end of the line."""

    __slots__ = ("_shell", "amid_since", "held", "out", "splitter")

    def __init__(self, shell: Shell, host: str) -> None:
        super().__init__(host)
        self._shell = shell
        self.splitter = Splitter(shell.limits.frame, shell.limits.frame_before_hello)
        self.out = b""
        """What is to be written in this loop turn."""
        self.held = 0
        """Bytes that wait at the gate for the disk."""
        self.amid_since: float | None = None
        """When the unfinished frame began to arrive."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._shell.connected(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._shell.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._shell.arrived(self, self._shell.buffer[:nbytes])

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self._shell.lost(self)

    def write_out(self) -> int:
        """Write what is to leave, and return how many bytes the other end has not taken yet."""
        transport, out = self.transport, self.out
        if transport is None or not out:
            return 0
        self.out = b""
        try:
            transport.write(out)
            return transport.get_write_buffer_size()
        except (RuntimeError, AttributeError):
            # It has ended, as above.
            return 0
