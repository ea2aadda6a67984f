"""The matches that were played here, as a person looks back on them: a table, totals, and what is looked for.

Pure: what a record says goes in, lines come out. Where records are kept is not known here.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from client.core.catalogue import TITLES
from client.core.games.renderer import Lines
from client.core.record import Header, Record
from client.core.table import Column
from protocol.model import other
from protocol.text import defused

NOTHING = "No match has been kept here yet. Every match that you play or watch to its end is kept by itself."
NOTHING_FITS = "No match that is kept here fits."
NAME_WIDTH = 20
TOTALS = 5
"""Against how many opponents the results are added up; more are a table of their own."""


@dataclass(frozen=True, slots=True)
class Played:
    """One match that was played, or watched, to its end."""

    file: str
    """The name of its record in the folder of all."""
    when: str
    header: Header
    moves: int
    lasted_s: float

    @property
    def opponent(self) -> str:
        """Who sat opposite; both players of a match that was only watched."""
        names = [defused(name) for name in self.header.names]
        return names[other(self.header.seat) - 1] if self.header.seat else " and ".join(names)

    @property
    def result(self) -> str:
        """How it ended, for the one whose record it is."""
        winner, seat = self.header.outcome.winner, self.header.seat
        if winner is None:
            return "no winner"
        if not seat:
            return f"{defused(self.header.names[winner - 1])} won"
        return "won" if winner == seat else "lost"


COLUMNS = (
    Column("#", 4),
    Column("Date", 16),
    Column("Game", 20),
    Column("Opponent", NAME_WIDTH),
    Column("Result", 10),
    Column("Moves", 5),
    Column("Time", 8),
)
NARROW = (
    Column("Date", 10),
    Column("Game", 20),
    Column("Opponent", 14),
    Column("Result", 9),
    Column("Moves", 5),
    Column("Time", 7),
)
"""The same for a window of 80 columns."""


def summary(file: str, when: str, record: Record) -> Played:
    """Say of a record what the table needs."""
    times = [move.at for move in record.moves]
    lasted_s = max(0.0, times[-1] - times[0]) if times else 0.0
    return Played(file, when, record.header, len(times), lasted_s)


def fitting(matches: Iterable[Played], game: str = "", opponent: str = "") -> list[Played]:
    """Pick the matches of a game, and those against an opponent, by the beginning of the name."""
    wanted = opponent.strip().casefold()
    return [
        each
        for each in matches
        if game in ("", each.header.game) and any(name.startswith(wanted) for name in _opponents(each))
    ]


def _opponents(match: Played) -> list[str]:
    seat = match.header.seat
    names = match.header.names if not seat else (match.header.names[other(seat) - 1],)
    return [defused(name).casefold() for name in names]


def row(number: int, match: Played, columns: Sequence[Column] = COLUMNS) -> tuple[str, ...]:
    """Put a match into the columns of the table."""
    cells = {
        "#": str(number),
        "Date": match.when,
        "Game": TITLES.get(match.header.game, match.header.game),
        "Opponent": match.opponent,
        "Result": match.result,
        "Moves": str(match.moves),
        "Time": length(match.lasted_s),
    }
    return tuple(cells[column.title] for column in columns)


def length(seconds: float) -> str:
    """Say how long a match took.

    >>> length(42), length(200), length(7500)
    ('42 s', '3 min', '2 h 5 m')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} m"


def totals(matches: Iterable[Played]) -> Lines:
    """Add up the results against each opponent, the one played most first."""
    seated = [each for each in matches if each.header.seat]
    results = Counter((each.opponent, each.result) for each in seated)
    often = Counter(each.opponent for each in seated).most_common(TOTALS)
    return tuple(f"Against {name}: {_score(results, name)}." for name, _ in often)


def _score(results: Counter[tuple[str, str]], name: str) -> str:
    words = {"won": "won", "lost": "lost", "no winner": "without a winner"}
    parts = [f"{results[name, key]} {said}" for key, said in words.items() if results[name, key]]
    return ", ".join(parts)
