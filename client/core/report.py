"""A review in words, with a small plot of the winning chance, for any terminal."""

from collections.abc import Sequence

from client.core.advice import TINY
from client.core.games import RENDERERS
from client.core.games.renderer import Lines
from client.core.hint import chance_in_words
from client.core.record import CUT_SHORT
from client.core.review import Decision, Review
from protocol.choice import Move
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


def review_lines(review: Review, names: Names = PLAYERS, is_ascii: bool = False) -> Lines:
    """Tell all of a review: every move, then the sum of it."""
    return (*moves(review, names), "", *report(review, names, is_ascii))


def report(review: Review, names: Names = PLAYERS, is_ascii: bool = False) -> Lines:
    """Tell what a review comes to."""
    return (
        f"The chance of {names[0]} to win, from the first move to the last:",
        *plot(review.course(), is_ascii),
        *balance(review, names),
        *([CUT_SHORT] if review.is_cut_short else ()),
        *mistakes(review, names),
    )


def moves(review: Review, names: Names = PLAYERS) -> Lines:
    """List every move with the chance before and after it, and what was better."""
    game = review.game
    played = [f"{names[decision.seat - 1]}: {_deed(decision, game)}" for decision in review.decisions]
    width = max((len(text) for text in played), default=0)
    return (
        f"Every move, and the chance of {names[0]} to win before and after it:",
        *(
            f"{each.number:>5}. {text:<{width}}  {_percent(each.before):>5}  {_percent(each.after):>5} "
            f"{_remark(each, game)}".rstrip()
            for each, text in zip(review.decisions, played, strict=True)
        ),
    )


def plot(course: Sequence[float], is_ascii: bool = False) -> Lines:
    """Draw values from -1.0 to 1.0 as bars, no wider than the screen."""
    columns = min(WIDTH, len(course))
    # Of several moves in one column the last is shown, so that the plot ends where the match ended.
    shown = [course[(column + 1) * len(course) // columns - 1] for column in range(columns)]
    blocks = PLAIN_BLOCKS if is_ascii else BLOCKS
    full = len(blocks) - 1
    heights = [round((1.0 + value) / 2 * ROWS * full) for value in shown]
    labels = {ROWS - 1: "100 %", 0: "0 %"}
    wall = "|" if is_ascii else "│"
    return tuple(
        f"{labels.get(row, ''):>5} {wall}"
        + "".join(blocks[max(0, min(full, height - row * full))] for height in heights).rstrip()
        for row in reversed(range(ROWS))
    )


def balance(review: Review, names: Names) -> Lines:
    """Say what came of luck and what of skill: the parts add up to the way from start to end."""
    return (
        f"{names[0]}: {_percent(review.start)} before the first move, {_percent(review.result)} at the end.",
        f"  luck {_points(review.luck)}, own mistakes {_points(review.skill(1))},"
        f" mistakes of {names[1]} {_points(-review.skill(2))} points",
    )


def mistakes(review: Review, names: Names) -> Lines:
    """List the worst mistakes of both players, the worst first."""
    worst = review.mistakes()[:WORST]
    if not worst:
        return ("Nobody made a mistake.",)
    return ("The greatest mistakes:", *(f"  {_mistake(decision, review.game, names)}" for decision in worst))


def _mistake(decision: Decision, game: str, names: Names) -> str:
    who = names[decision.seat - 1]
    return f"Move {decision.number}, {who}: {_deed(decision, game)}{_remark(decision, game)}."


def _described(move: Move, game: str) -> str:
    return RENDERERS[game].describe(move.__dict__)


def _deed(decision: Decision, game: str) -> str:
    return LOST[decision.end] if decision.move is None else _described(decision.move, game)


def _remark(decision: Decision, game: str) -> str:
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


def _percent(value: float) -> str:
    """Say how likely a win is, or that it is certain."""
    return {1.0: "100 %", -1.0: "0 %"}.get(value) or chance_in_words(value)


def _points(value: float) -> str:
    return f"{round(50 * value, 1) + 0.0:+.1f}"
