"""What a drawing depends on, and how the arrows walk through what it shows.

Everything here is a value: drawings made from equal scenes are equal, so they can be tested without a screen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual.geometry import Size

from client.core.games.renderer import Answer
from client.core.people import People
from client.tui.canvas import Spot
from protocol.choice import Choice
from protocol.model import Model, Owner, Seat

NOBODY = People()
SMALLEST = Size(56, 15)
"""The room that every board can do with."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a drawing depends on. `Any` stands for the game's own view."""

    view: Any
    legal: tuple[Choice, ...] = ()
    seat: Owner = 0
    people: People = NOBODY
    cursor: Spot | None = None
    answers: tuple[Answer, ...] = ()
    """The half of a move that has been chosen."""
    events: tuple[Any, ...] = ()
    """What happened last."""
    before: Any = None
    """The view before it happened, if there was one."""
    frames_left: int = 0
    """How many steps the animation of it still has; 0 shows how things stay."""
    size: Size = SMALLEST
    is_ascii: bool = False
    hinted: frozenset[Spot] = frozenset()
    """The spots of the move that the computer would make."""

    def name(self, seat: Seat, verb: str = "") -> str:
        """Name a seat's player, and say what they do."""
        return self.people.called(seat, verb)

    def just(self, *kinds: type[Model]) -> Any:
        """Find the last move, to be marked, if it is of one of these kinds and does not move any more."""
        return None if self.frames_left else self.last(*kinds)

    def last(self, *kinds: type[Model]) -> Any:
        """Find the latest event of one of these kinds, or None."""
        return next((event for event in reversed(self.events) if isinstance(event, kinds)), None)


def moved(rows: Sequence[Sequence[Spot]], cursor: Spot | None, across: int, down: int) -> Spot | None:
    """Walk one step through rows of spots, stopping at the edges.

    >>> moved([[("cell", 1), ("cell", 2)], [("cell", 3), ("cell", 4)]], ("cell", 1), 0, 1)
    ('cell', 3)
    """
    for y, row in enumerate(rows):
        if cursor in row:
            wanted = rows[min(max(y + down, 0), len(rows) - 1)]
            x = row.index(cursor) + across
            return wanted[min(max(x, 0), len(wanted) - 1)]
    return next((spot for row in rows for spot in row), None)
