"""How well a bot plays: four levels, each giving away a stated amount.

A level gives away so much of a match on average, the same in every game: the amount is spread evenly over
the decisions of a usual match. Where a position leaves room for it, a bot below `perfect` plays a move at
random just so often that its expected loss at that decision is its share of the amount.
"""

from collections.abc import Sequence
from typing import Literal, get_args

from server.bots.advice import TINY, Advice, Prospect
from server.games.rules import Chance

Level = Literal["easy", "normal", "hard", "perfect"]
LEVELS: tuple[Level, ...] = get_args(Level)

GIVEN_AWAY: dict[Level, float] = {"easy": 1.2, "normal": 0.5, "hard": 0.15, "perfect": 0.0}
"""What a level gives away in a match, in wins minus losses (a whole match is worth 2)."""

DECISIONS: dict[str, int] = {"galaxy": 6, "conquer": 4, "grid": 8, "digit": 120, "duel": 20}
"""How many decisions a player makes in a usual match."""

FINENESS = 1 << 30
"""Into how many parts a draw of chance divides what is likely."""


def loss_per_move(game: str, level: Level) -> float:
    """Tell what a level gives away at each decision, on average."""
    return GIVEN_AWAY[level] / DECISIONS[game]


def pick(advice: Advice, level: Level, allowed_loss: float, chance: Chance) -> Prospect:
    """Choose a move as a level would."""
    weights = policy(advice, level, allowed_loss)
    place = chance.below(FINENESS) / FINENESS
    likely = [
        (prospect, weight) for prospect, weight in zip(advice.prospects, weights, strict=True) if weight
    ]
    for prospect, weight in likely:
        place -= weight
        if place < 0:
            return prospect
    return likely[-1][0]


def policy(advice: Advice, level: Level, allowed_loss: float) -> tuple[float, ...]:
    """Tell how often a level plays each move of a position."""
    best = tuple(prospect.share for prospect in advice.prospects)
    slips = advice.prospects if level == "easy" else sensible(advice)
    average = sum(loss(advice, prospect) for prospect in slips) / len(slips)
    if allowed_loss <= 0.0 or average <= TINY:
        return best
    erring = min(1.0, allowed_loss / average)
    return tuple(
        (1.0 - erring) * prospect.share + (erring / len(slips) if prospect in slips else 0.0)
        for prospect in advice.prospects
    )


def loss(advice: Advice, prospect: Prospect) -> float:
    """Tell what a move gives away: of the value, or, where it keeps that, of the chances."""
    lost = advice.value - prospect.value
    if lost > TINY or advice.is_secret:
        return max(lost, 0.0)
    most = max(p.chances for p in advice.prospects if p.value > advice.value - TINY)
    return most - prospect.chances


def sensible(advice: Advice) -> Sequence[Prospect]:
    """List the moves that a beginner would not call silly; the moves of best play never are."""
    prospects = advice.prospects
    if winning := [p for p in prospects if p.value > 1.0 - TINY and p.distance == 1]:
        return winning
    if holding := [p for p in prospects if p.value > TINY - 1.0 or p.distance != 2]:
        prospects = tuple(holding)
    return [p for p in prospects if not p.is_silly or p.share > TINY] or prospects
