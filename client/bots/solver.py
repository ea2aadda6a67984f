"""What a game has to bring to be thought about, and how candidates become advice.

Nothing here knows a game.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from client.core.advice import TINY, Advice, Candidate, Prospect
from protocol.choice import Choice
from server.games.game import Options

FAR = 99
"""A forced end whose distance is not known is further away than any that is."""

ERRING = 0.2
"""How often the opponent that `chances` reckons with plays a move at random."""


@dataclass(frozen=True, slots=True)
class Solver:
    """What thinking about one game takes; `client.bots.conquer` is a good first example."""

    advise: Callable[[Any, Sequence[Choice], Options], Advice]
    """Say what every legal move is worth, given the view of a seat that owes a move."""
    opening: Callable[[Options], float]
    """Tell what a match is worth to Player 1 before anything has happened."""
    room: Callable[[Any], float]
    """Tell how many decisions of a usual match leave room for a mistake."""


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
