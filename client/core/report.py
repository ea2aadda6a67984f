"""A review in words, with a small plot of the winning chance, for any terminal.

It is told from the seat of whoever reads it: the chance is theirs, and so is the luck. What nobody played is
told from Player 1's.
"""

from collections.abc import Sequence
from math import ceil

from client.core.advice import TINY
from client.core.games import RENDERERS
from client.core.games.renderer import Lines
from client.core.games.wording import Who, naming
from client.core.hint import chance_in_words
from client.core.record import CUT_SHORT
from client.core.review import Decision, Review
from protocol.choice import Move
from protocol.model import Owner, other
from protocol.outcome import ABANDONED, CLOCK, RESIGNED

WIDTH = 60
ROWS = 4
WORST = 5
"""How many mistakes are told."""

BLOCKS = " ▁▂▃▄▅▆▇█"
PLAIN_BLOCKS = "   ...###"
"""The same for terminals that know ASCII alone."""

LOST = {RESIGNED: "gave up", CLOCK: "ran out of time", ABANDONED: "was gone for too long"}

Names = tuple[str, str]
PLAYERS: Names = ("Player 1", "Player 2")


def review_lines(review: Review, names: Names = PLAYERS, is_ascii: bool = False, reader: Owner = 0) -> Lines:
    """Tell all of a review: every move, then the sum of it."""
    return (*moves(review, names, reader), "", *report(review, names, is_ascii, reader))


def report(review: Review, names: Names = PLAYERS, is_ascii: bool = False, reader: Owner = 0) -> Lines:
    """Tell what a review comes to."""
    return (
        f"{whose(names, reader)}, from the first move to the last:",
        *plot(course(review, reader), is_ascii),
        *balance(review, names, reader),
        *([CUT_SHORT] if review.is_cut_short else ()),
        *mistakes(review, naming(names, reader)),
    )


def whose(names: Names, reader: Owner) -> str:
    """Say whose chance it is that is told."""
    return "Your chance to win" if reader else f"The chance of {naming(names)(1)} to win"


def course(review: Review, reader: Owner) -> tuple[float, ...]:
    """List what the match was worth to the reader from move to move."""
    return tuple(_for(reader, value) for value in review.course())


def moves(review: Review, names: Names = PLAYERS, reader: Owner = 0) -> Lines:
    """List every move with the chance before and after it, and what was better."""
    game, who = review.game, naming(names, reader)
    played = [f"{who(decision.seat)}: {_deed(decision, game)}" for decision in review.decisions]
    width = max((len(text) for text in played), default=0)
    chance = whose(names, reader)
    return (
        f"Every move, and {chance[0].lower()}{chance[1:]} before and after it:",
        *(
            f"{each.number:>5}. {text:<{width}}  {percent(_for(reader, each.before)):>5}"
            f"  {percent(_for(reader, each.after)):>5} {remark(each, game)}".rstrip()
            for each, text in zip(review.decisions, played, strict=True)
        ),
    )


def plot(course: Sequence[float], is_ascii: bool = False) -> Lines:
    """Draw values from -1.0 to 1.0 as bars, no wider than the screen."""
    labels = {ROWS - 1: "100 %", 0: "0 %"}
    wall = "|" if is_ascii else "│"
    drawn = bars(course, min(WIDTH, len(course)), ROWS, is_ascii)
    return tuple(f"{labels.get(ROWS - 1 - y, ''):>5} {wall}" + line.rstrip() for y, line in enumerate(drawn))


def bars(course: Sequence[float], columns: int, rows: int, is_ascii: bool) -> Lines:
    """Draw values from -1.0 to 1.0 as bars of as many columns and rows."""
    # Of several moves in one column the last is shown, so that the plot ends where the match ended.
    shown = [course[ceil((column + 1) * len(course) / columns) - 1] for column in range(columns)]
    blocks = PLAIN_BLOCKS if is_ascii else BLOCKS
    full = len(blocks) - 1
    heights = [round((1.0 + value) / 2 * rows * full) for value in shown]
    return tuple(
        "".join(blocks[max(0, min(full, height - row * full))] for height in heights)
        for row in reversed(range(rows))
    )


def balance(review: Review, names: Names, reader: Owner = 0) -> Lines:
    """Say what came of luck and what of skill: the parts add up to the way from start to end."""
    seat, who = reader or 1, naming(names, reader)
    start, result, luck = (_for(reader, value) for value in (review.start, review.result, review.luck))
    return (
        f"{who(seat)}: {percent(start)} before the first move, {percent(result)} at the end.",
        f"  luck {_points(luck)}, own mistakes {_points(review.skill(seat))},"
        f" mistakes of {who(other(seat))} {_points(-review.skill(other(seat)))} points",
    )


def mistakes(review: Review, who: Who) -> Lines:
    """List the worst mistakes of both players, the worst first."""
    worst = review.mistakes()[:WORST]
    if not worst:
        return ("Nobody made a mistake.",)
    return ("The greatest mistakes:", *(f"  {_mistake(decision, review.game, who)}" for decision in worst))


def _mistake(decision: Decision, game: str, who: Who) -> str:
    return f"Move {decision.number}, {who(decision.seat)}: {_deed(decision, game)}{remark(decision, game)}."


def _described(move: Move, game: str) -> str:
    return RENDERERS[game].describe(move.__dict__)


def _deed(decision: Decision, game: str) -> str:
    return LOST[decision.end] if decision.move is None else _described(decision.move, game)


def remark(decision: Decision, game: str) -> str:
    """Say what a decision has cost and what was better, behind what it was; nothing for a good one."""
    if decision.regret <= TINY:
        return ""
    better = " or ".join(_described(move, game) for move in decision.better[:3])
    return f" cost {_cost(50 * decision.regret)}" + (f"; better: {better}" if better else "")


def _cost(points: float) -> str:
    """Say what a mistake cost, so finely that something is never nothing.

    >>> _cost(40.2), _cost(1.26), _cost(0.01)
    ('40 points', '1.3 points', 'less than 0.1 points')
    """
    if points < 0.1:
        return "less than 0.1 points"
    return f"{points:.0f} points" if points >= 9.5 else f"{points:.1f} points"


def percent(value: float) -> str:
    """Say how likely a win is, or that it is certain."""
    return {1.0: "100 %", -1.0: "0 %"}.get(value) or chance_in_words(value)


def _points(value: float) -> str:
    return f"{round(50 * value, 1) + 0.0:+.1f}"


def _for(reader: Owner, value: float) -> float:
    """See one of Player 1's values from the reader's seat."""
    return -value if reader == 2 else value
