"""What must survive a crash, as values: the lines of the journal.

A match is a stream of entries, numbered by their place in it; replaying them gives the match again. What
is not a history (who holds which token) is a record, of which only the newest counts.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

CREATED = "created"
BEGUN = "begun"
MOVED = "moved"
ENDED = "ended"
"""An end that the rules did not bring: resignation, clock, absence, agreement."""
RETIRED = "retired"
"""The match is over and put away; it need not be rebuilt any more."""


class Entry(NamedTuple):
    """One line of a match's history."""

    stream: int
    """The match; codes may be used again one day, streams are not."""
    place: int
    """0, 1, 2, ... without gaps."""
    kind: str
    body: dict[str, Any]


class Record(NamedTuple):
    """A fact that replaces the one before it; None takes it away."""

    key: str
    body: dict[str, Any] | None


Write = Entry | Record


class Journal(Protocol):
    """Where writes are kept. Writes become durable in the order in which they were appended."""

    def append(self, writes: list[Write]) -> int:
        """Take writes, to be kept all or none, and return their ticket: 1, 2, 3, ..."""
        ...

    def records(self) -> Iterator[Record]:
        """Read every record that stands."""
        ...

    def live(self) -> Iterator[list[Entry]]:
        """Read the history of every match that was not put away, one match at a time."""
        ...

    def read(self, code: str, on_read: Callable[[list[Entry]], None]) -> None:
        """Have the history of the newest match with a code read, in the order of appends, and handed over."""
        ...
