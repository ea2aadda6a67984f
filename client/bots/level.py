"""How well a bot plays: four levels, each giving away a stated amount.

A level may give away so much of a match, the same in every game; that is spread evenly over the decisions
that usually leave room for a mistake. At such a decision a bot below `perfect` plays a move at random just
so often that its expected loss is that part, or always, where even that loses less.
"""

from typing import Literal, get_args

from client.core.advice import TINY, Advice, Prospect
from server.games.game import Chance

Level = Literal["easy", "normal", "hard", "perfect"]
LEVELS: tuple[Level, ...] = get_args(Level)

GIVEN_AWAY: dict[Level, float] = {"easy": 1.0, "normal": 0.45, "hard": 0.15, "perfect": 0.0}
"""What a level may give away in a match, in wins minus losses (from a sure win to a sure loss is 2)."""

FINENESS = 1 << 30
"""Into how many equal parts a draw of chance divides what is likely."""


def pick(advice: Advice, level: Level, room: float, chance: Chance) -> Prospect:
    """Choose a move as a level would, in a game with room for so many mistakes."""
    weights = policy(advice, level, room)
    place = chance.below(FINENESS) / FINENESS
    likely = [pair for pair in zip(advice.prospects, weights, strict=True) if pair[1] > 0.0]
    for prospect, weight in likely[:-1]:
        place -= weight
        if place < 0:
            return prospect
    return likely[-1][0]


def policy(advice: Advice, level: Level, room: float) -> tuple[float, ...]:
    """Tell how often a level plays each move of a position."""
    prospects = advice.prospects
    may_slip = [True] * len(prospects) if level == "easy" else are_sensible(advice)
    losses = [loss for loss, may in zip(losses_of(advice), may_slip, strict=True) if may]
    average = sum(losses) / len(losses)
    allowed = GIVEN_AWAY[level] / room
    if allowed == 0.0 or average <= TINY:
        return tuple(prospect.share for prospect in prospects)
    erring = min(1.0, allowed / average)
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
