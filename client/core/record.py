"""A finished match as a file: one JSON line that names it, then one line a move.

Reading is strict, since such files are passed around; what is wrong is said in a sentence. Whether the
moves are lawful is not known here: the rules tell when the record is played again.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from pydantic import BaseModel, ValidationError

from protocol.field import Options, Short
from protocol.limit import Limits
from protocol.model import Many, Model, Owner, Pair
from protocol.outcome import ABANDONED, CALLED_OFF, CLOCK, MOVE_CAP, RESIGNED, Outcome
from protocol.server_frame import Exported, Turned

RECORD_VERSION = 1
LINES_MAX = Limits().moves_per_match + 1
WHERE_MAX = 64
"""How much of a place in a line is named: a stranger may have made its names up."""

LOSSES = frozenset({RESIGNED, CLOCK, ABANDONED})
"""The ends from outside a game that somebody can lose by."""
DRAWS = frozenset({CLOCK, ABANDONED, CALLED_OFF, MOVE_CAP})
"""Those that can leave a match without a winner."""
FALSE_END = "The record claims an end that its moves do not give."
CUT_SHORT = "The record ends before the match did; what is missing was not looked at."

M = TypeVar("M", bound=Model)


class BadRecord(Exception):
    """A file that is no record; the message is a sentence that says why."""


class _Beginning(BaseModel):
    """What tells a record from other files; the rest of its first line is looked at afterwards."""

    conquest: int


class Header(Model):
    """The first line of a record."""

    conquest: int = RECORD_VERSION
    match: Short
    game: Short
    options: Options
    names: Pair[Short]
    chance: Many[int]
    """What chance answered when the game was set up."""
    outcome: Outcome
    seat: Owner = 0
    """Whose record it is; 0 for one of somebody who only watched."""


@dataclass(frozen=True, slots=True)
class Record:
    """A finished match."""

    header: Header
    moves: tuple[Turned, ...]


def joined(pieces: Iterable[Exported], seat: Owner = 0) -> Record:
    """Put together the pieces in which a server sends a record; `seat` is that of who asked for it."""
    pieces = tuple(pieces)
    first = pieces[0]
    header = Header(
        match=first.match,
        game=first.game,
        options=first.options,
        names=first.names,
        chance=first.chance,
        outcome=first.outcome,
        seat=seat,
    )
    return Record(header, tuple(move for piece in pieces for move in piece.moves))


def dump(record: Record) -> str:
    """Write a record as JSON lines."""
    lines = (record.header, *record.moves)
    return "".join(line.model_dump_json() + "\n" for line in lines)


def load(text: str) -> Record:
    """Read a record; raise `BadRecord`."""
    lines = text.splitlines()
    if not lines:
        raise BadRecord("The file is empty.")
    if len(lines) > LINES_MAX:
        raise BadRecord(f"The file has more than {LINES_MAX} lines; no match is that long.")
    try:
        version = _Beginning.model_validate_json(lines[0], strict=True).conquest
    except ValidationError:
        raise BadRecord("The file is not the record of a match; /save writes such files.") from None
    if version != RECORD_VERSION:
        raise BadRecord(f"The record is not of version {RECORD_VERSION}, which this client knows.")
    header = _parsed(Header, 1, lines[0])
    return Record(header, tuple(_parsed(Turned, n, line) for n, line in enumerate(lines[1:], start=2)))


def is_cut_short(claimed: Outcome, reached: Outcome | None) -> bool:
    """Tell whether moves are missing, by the end that a record claims and the one that its moves give.

    Raise `BadRecord` where the two contradict each other.
    """
    if reached is not None:
        is_false = claimed != reached
    elif claimed.winner is None:
        is_false = claimed.reason == RESIGNED
    else:
        is_false = claimed.reason in DRAWS - LOSSES
    if is_false:
        raise BadRecord(FALSE_END)
    return reached is None and claimed.reason not in LOSSES | DRAWS


def _parsed(model: type[M], number: int, line: str) -> M:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = (".".join(map(str, first["loc"])) or "line")[:WHERE_MAX]
        raise BadRecord(f"Line {number} of the record is damaged: {where}: {first['msg']}.") from None
