"""What must survive a crash, as values: the lines of the journal.

A match is a stream of entries, numbered by their place in it; replaying them gives the match again. What has
no history (who holds which token) is a fact, of which only the newest counts.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

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


def has_seat(session: int, beginning: Sequence[Entry]) -> bool:
    """Tell from the beginning of a history whether a session had a seat."""
    return any(entry.kind == BEGUN and session in entry.body.get("seats", ()) for entry in beginning)


class Fact(NamedTuple):
    """Something that replaces what was known under its key before; None takes it away."""

    key: str
    body: dict[str, Any] | None


Write = Entry | Fact
