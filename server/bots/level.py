"""How well a bot plays: four levels, each giving away a stated amount.

A level gives away so much of a match on average, the same in every game: the amount is spread evenly over
the decisions of a usual match. Where a position leaves room for it, a bot below `perfect` plays a move at
random just so often that its expected loss at that decision is its share of the amount.
"""

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
    prospects = advice.prospects
    may_slip = [True] * len(prospects) if level == "easy" else are_sensible(advice)
    losses = [loss for loss, may in zip(losses_of(advice), may_slip, strict=True) if may]
    average = sum(losses) / len(losses)
    if allowed_loss <= 0.0 or average <= TINY:
        return tuple(prospect.share for prospect in prospects)
    erring = min(1.0, allowed_loss / average)
    return tuple(
        (1.0 - erring) * prospect.share + (erring / len(losses) if may else 0.0)
        for prospect, may in zip(prospects, may_slip, strict=True)
    )


def losses_of(advice: Advice) -> list[float]:
    """Tell what each move gives away: of the value, or, where it keeps that, of the chances."""
    prospects = advice.prospects
    chances = max(p.chances for p in prospects if p.value > advice.value - TINY)
    return [
        lost if (lost := advice.value - p.value) > TINY or advice.is_secret else chances - p.chances
        for p in prospects
    ]


def are_sensible(advice: Advice) -> list[bool]:
    """Tell for each move whether a beginner would let it pass; the moves of best play always do."""
    prospects = advice.prospects
    wins = [p.value > 1.0 - TINY and p.distance == 1 for p in prospects]
    if any(wins):
        return wins
    passes = [not p.is_silly or p.share > TINY for p in prospects]
    return passes if any(passes) else [True] * len(prospects)
