"""What is known of a position: every legal move, what it is worth and how often best play makes it.

Values are the wins minus losses that the player to move can expect when both play their best from there on:
1.0 is a sure win, -1.0 a sure loss. Nothing here knows a game, or how a value was found.
"""

from dataclasses import dataclass

from protocol.choice import Move

TINY = 1e-9
"""Two values that are nearer than this are the same value."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A legal move as a solver sees it."""

    move: Move
    value: float
    """What it is worth when both sides play their best afterwards."""
    chances: float
    """What it is worth against somebody who errs; it tells moves of one value apart, where it is known."""
    distance: int | None = None
    """Turns of both players until the forced end, this one counted; None when nothing is forced or known."""
    is_silly: bool = False
    """A beginner would shake the head at it, if there is anything else to play."""


@dataclass(frozen=True, slots=True)
class Prospect(Candidate):
    """A candidate with its place in best play."""

    share: float = 0.0
    """How often best play makes this move; 0.0 for a move that it never makes."""


@dataclass(frozen=True, slots=True)
class Advice:
    """All that is known about a position, for the player to move."""

    value: float
    prospects: tuple[Prospect, ...]
    """Every legal move, in the order in which the choices list them."""
    is_secret: bool = False
    """The move is made unseen, so that only a mix of moves can be best."""

    def of(self, move: Move) -> Prospect:
        """Find what is said of a legal move."""
        return next(prospect for prospect in self.prospects if prospect.move == move)

    def best(self) -> tuple[Prospect, ...]:
        """List the moves of best play, the most frequent first."""
        played = [prospect for prospect in self.prospects if prospect.share > TINY]
        return tuple(sorted(played, key=lambda prospect: -prospect.share))
