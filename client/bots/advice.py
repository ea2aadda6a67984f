"""What a solver says about a position: every legal move, what it is worth and how often best play makes it.

Values are the wins minus losses that the player to move can expect when both play their best from there on:
1.0 is a sure win, -1.0 a sure loss. Nothing here knows a game.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from protocol.choice import Choice, Move
from server.games.rules import Options

TINY = 1e-9
"""Two values that are nearer than this are the same value."""

FAR = 99
"""A forced end whose distance is not known is further away than any that is."""

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
    """The move is made unseen, so that only a mix of moves can be best."""

    def of(self, move: Move) -> Prospect:
        """Find what is said of a legal move."""
        return next(prospect for prospect in self.prospects if prospect.move == move)

    def best(self) -> tuple[Prospect, ...]:
        """List the moves of best play, the most frequent first."""
        played = [prospect for prospect in self.prospects if prospect.share > TINY]
        return tuple(sorted(played, key=lambda prospect: -prospect.share))


@dataclass(frozen=True, slots=True)
class Solver:
    """What thinking about one game takes; `client.bots.conquer` is a good first example."""

    advise: Callable[[Any, Sequence[Choice], Options], Advice]
    """Say what every legal move is worth, given the view of a seat that owes a move."""
    opening: Callable[[Options], float]
    """Tell what a match is worth to Player 1 before anything has happened."""
    room: Callable[[Any], float]
    """Tell how many decisions of a usual match leave room for a mistake."""
    names: Mapping[str, str]
    """How each kind of move is spoken of."""
    any_of: Mapping[str, str]
    """How a kind of move is spoken of when it does not matter which."""


def walks_into(value: float, distance: int | None) -> bool:
    """Tell whether a move lets the opponent win on the spot."""
    return distance == 2 and value < TINY - 1.0


def weigh(candidates: Sequence[Candidate]) -> Advice:
    """Turn candidates of an open choice into advice: the best ones are equally likely.

    Of two wins the shorter is better; otherwise what leaves an erring opponent more to go wrong.
    """
    ranks = [_rank(candidate) for candidate in candidates]
    top = max(ranks)
    are_best = [all(abs(a - b) <= TINY for a, b in zip(rank, top, strict=True)) for rank in ranks]
    share = 1.0 / sum(are_best)
    value = max(candidate.value for candidate in candidates)
    return Advice(value, _with_shares(candidates, (share if is_best else 0.0 for is_best in are_best)))


def mix(candidates: Sequence[Candidate], value: float, shares: Iterable[float]) -> Advice:
    """Turn candidates of a secret choice into advice: each is played as often as its share says."""
    return Advice(value, _with_shares(candidates, shares), is_secret=True)


def _rank(candidate: Candidate) -> tuple[float, float, float]:
    value = round(candidate.value / TINY) * TINY
    distance = FAR if candidate.distance is None else candidate.distance
    if candidate.value > 0:
        return value, -distance, candidate.chances
    return value, candidate.chances, distance


def _with_shares(candidates: Sequence[Candidate], shares: Iterable[float]) -> tuple[Prospect, ...]:
    return tuple(
        Prospect(c.move, c.value, c.chances, c.distance, c.is_silly, share)
        for c, share in zip(candidates, shares, strict=True)
    )
