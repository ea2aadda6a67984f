"""What a step wants done, as values: the kernel hands them out, and the shell carries them out."""

from typing import Any, NamedTuple

from protocol.outcome import Outcome
from server.core.entry import Write

Send = tuple[int, bytes, bool, bool]
"""A frame on its way: the connection, the bytes, whether they are urgent, whether they are the last ones."""


class Fetch(NamedTuple):
    """A wish to read the record of a finished match, answered later by `Fetched` inputs."""

    connection: int
    re: int
    code: str
    session: int | None
    """Who must have had a seat in it; None when it is known that the record may be seen."""
    outcome: Outcome | None
    """How the match ended, if that is known."""


class Effects:
    """What a step wants done, in order."""

    __slots__ = ("faults", "fetches", "log", "sends", "writes")

    def __init__(self) -> None:
        self.sends: list[Send] = []
        self.writes: list[Write] = []
        # The others are rare: most steps share the same empty tuple.
        self.fetches: tuple[Fetch, ...] = ()
        self.log: tuple[tuple[str, dict[str, Any]], ...] = ()
        self.faults: tuple[str, ...] = ()
        """Traces of our own bugs."""

    def send(self, connection: int, data: bytes, is_urgent: bool = False, is_last: bool = False) -> None:
        """Send a frame to a connection, which may end after it.

        What depends on no state is urgent: it need not wait for the disk.
        """
        self.sends.append((connection, data, is_urgent, is_last))

    def note(self, event: str, **facts: object) -> None:
        """Put a line into the log. Facts are never secrets, tokens, codes or what players wrote."""
        self.log += ((event, facts),)

    def add(self, later: "Effects") -> None:
        """Put the effects of a later piece of work behind these."""
        for name in Effects.__slots__:
            setattr(self, name, getattr(self, name) + getattr(later, name))
