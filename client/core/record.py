"""A finished match as a file: one JSON line that names it, then one line a move.

Reading is strict, since such files are passed around; what is wrong is said in a sentence. Whether the
moves are lawful is not known here: the rules tell when the record is played again.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ValidationError

from protocol.field import Options, Short
from protocol.limit import Limits
from protocol.model import Many, Model, Owner, Pair
from protocol.outcome import Outcome
from protocol.server_frame import Exported, Turned

RECORD_VERSION = 1
LINES_MAX = Limits().moves_per_match + 1

M = TypeVar("M", bound=Model)


class BadRecord(Exception):
    """A file that is no record; the message is a sentence that says why."""


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
        first = json.loads(lines[0])
    except ValueError:
        first = None
    if not isinstance(first, dict) or "conquest" not in first:
        raise BadRecord("The file is not the record of a match; /save writes such files.")
    if first["conquest"] != RECORD_VERSION:
        raise BadRecord(
            f"The record is of version {first['conquest']!r}, and this client knows version {RECORD_VERSION}."
        )
    header = _parsed(Header, 1, lines[0])
    return Record(header, tuple(_parsed(Turned, n, line) for n, line in enumerate(lines[1:], start=2)))


def _parsed(model: type[M], number: int, line: str) -> M:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "line"
        raise BadRecord(f"Line {number} of the record is damaged: {where}: {first['msg']}.") from None
