"""What an arena has to show: who won how much, how sure that is, and what the seats had to do with it."""

from collections.abc import Sequence
from itertools import pairwise

from client.bots.arena import Tally

HEAD = ("", "won", "drawn", "lost", "score", "95 % sure between", "as Player 1", "as Player 2")


def standing(names: tuple[str, str], course: Sequence[Tally]) -> tuple[str, ...]:
    """Make the table: `course` has the first bot's tally after every match."""
    names = names if names[0] != names[1] else (f"{names[0]} (1)", f"{names[1]} (2)")
    whole, (as_first, as_second) = course[-1], by_seat(course)
    rows = (
        HEAD,
        _row(names[0], whole, as_first, as_second),
        _row(names[1], turned(whole), turned(as_second), turned(as_first)),
    )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return (*lines, verdict(names, whole))


def by_seat(course: Sequence[Tally]) -> tuple[Tally, Tally]:
    """Tell the first bot's results as Player 1 from those as Player 2; it begins as Player 1."""
    parts = [Tally(), Tally()]
    for number, (before, after) in enumerate(pairwise((Tally(), *course))):
        points = 1.0 if after.won > before.won else 0.5 if after.drawn > before.drawn else 0.0
        parts[number % 2] = parts[number % 2].plus(points)
    return parts[0], parts[1]


def turned(tally: Tally) -> Tally:
    """See a tally from the other side."""
    return Tally(tally.lost, tally.drawn, tally.won)


def verdict(names: tuple[str, str], tally: Tally) -> str:
    """Say what the matches prove."""
    low, high = tally.interval()
    if low > 0.5:
        return f"{names[0]} is the better player."
    if high < 0.5:
        return f"{names[1]} is the better player."
    return "That does not tell yet who is the better player; more matches might."


def _row(name: str, whole: Tally, as_first: Tally, as_second: Tally) -> tuple[str, ...]:
    low, high = whole.interval()
    return (
        name,
        *map(str, (whole.won, whole.drawn, whole.lost)),
        _percent(whole.score),
        f"{_percent(low)} and {_percent(high)}",
        *(_percent(part.score) if part.matches else "-" for part in (as_first, as_second)),
    )


def _percent(share: float) -> str:
    # A bound a hair below nothing would be written with a minus.
    return f"{abs(100 * share):.1f} %"
