"""What a solver says about a position: every legal move, what it is worth and how often best play makes it.

Values are wins minus losses that the player to move can expect when both play their best from there on:
1.0 is a sure win, -1.0 a sure loss. Nothing here knows a game.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from protocol.choice import Move

TINY = 1e-9
"""Two values that are nearer than this are the same value."""

ERRING = 0.2
"""How often the opponent that `chances` reckons with plays a move at random."""


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
    """The moves are made unseen, so that only the mix of them can be best."""

    def of(self, move: Move) -> Prospect:
        """Find what was said of a legal move."""
        return next(prospect for prospect in self.prospects if prospect.move == move)

    def best(self) -> tuple[Prospect, ...]:
        """List the moves of best play, the most frequent first."""
        played = [prospect for prospect in self.prospects if prospect.share > TINY]
        return tuple(sorted(played, key=lambda prospect: -prospect.share))


def walks_into(value: float, distance: int | None) -> bool:
    """Tell whether a move lets the opponent win on the spot; where that can be avoided, it is silly."""
    return distance == 2 and value < TINY - 1.0


def weigh(candidates: Sequence[Candidate]) -> Advice:
    """Turn candidates of an open choice into advice: the best ones are equally likely.

    Of two wins the shorter is better; otherwise what leaves an erring opponent more to go wrong.
    """
    keys = [_rank(candidate) for candidate in candidates]
    top = max(keys)
    best = [all(map(_near, key, top)) for key in keys]
    share = 1.0 / sum(best)
    return Advice(
        value=max(candidate.value for candidate in candidates),
        prospects=tuple(
            _with_share(candidate, share if is_best else 0.0)
            for candidate, is_best in zip(candidates, best, strict=True)
        ),
    )


def mix(candidates: Sequence[Candidate], value: float, shares: Iterable[float]) -> Advice:
    """Turn candidates of a secret choice into advice: each is played as often as its share says."""
    prospects = (_with_share(candidate, share) for candidate, share in zip(candidates, shares, strict=True))
    return Advice(value=value, prospects=tuple(prospects), is_secret=True)


def _rank(candidate: Candidate) -> tuple[float, float, float]:
    value = round(candidate.value / TINY) * TINY
    distance = candidate.distance or 0
    if candidate.value > 0 and candidate.distance is not None:
        return value, -distance, candidate.chances
    return value, candidate.chances, distance


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= TINY


def _with_share(candidate: Candidate, share: float) -> Prospect:
    return Prospect(
        candidate.move, candidate.value, candidate.chances, candidate.distance, candidate.is_silly, share
    )
