"""What the kernel is given, one at a time: what connections, clock, journal and host have done."""

from typing import NamedTuple

from protocol.client_frame import ClientFrame
from protocol.refusal import CloseCode


class Opened(NamedTuple):
    """A connection was accepted."""

    connection: int
    address: str


class Received(NamedTuple):
    """A frame arrived."""

    connection: int
    frame: ClientFrame


class Garbled(NamedTuple):
    """A connection sent what is no frame, or was too slow: it is to be closed."""

    connection: int
    code: CloseCode
    text: str


class Gone(NamedTuple):
    """A connection ended."""

    connection: int


class Ticked(NamedTuple):
    """Some time, about a second, has passed."""


class Fetched(NamedTuple):
    """A piece of what a `Fetch` effect asked for was read, as a frame; None when there is no such record."""

    connection: int
    re: int
    piece: bytes | None
    is_last: bool = True


class Stalled(NamedTuple):
    """The journal cannot be written."""


class Recovered(NamedTuple):
    """The journal can be written again, and everything appended is durable."""


class Leaving(NamedTuple):
    """The host has left on purpose; the server stops as soon as the host's own connection has ended."""


class Stopping(NamedTuple):
    """The server is about to stop: it was told to, its host has left, or a part of it has died."""

    code: CloseCode = CloseCode.STOPPING
    is_kept: bool = True
    """Whether matches outlive the server."""


Input = Opened | Received | Garbled | Gone | Ticked | Fetched | Stalled | Recovered | Leaving | Stopping
