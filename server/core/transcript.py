"""The record of a finished match: what was played, with what luck, and how it ended."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from protocol.codec import begin_frame, framed, pack_plain
from protocol.outcome import Outcome
from protocol.server_frame import Exported
from server.core.entry import ENDED, MOVED, RETIRED, Entry
from server.core.match import Damaged, rebuild

MOVES_A_PIECE = 128
_MOVES = pack_plain("moves")


class Transcript(NamedTuple):
    """A finished match, as it can be handed out to its players."""

    code: str
    game: str
    options: dict[str, str]
    names: tuple[str, str]
    chance: list[int]
    """What chance answered when the game was set up; the toss for the first seat is not part of it."""
    outcome: Outcome
    moves: list[dict[str, Any]]


def transcribe(entries: Sequence[Entry], outcome: Outcome | None = None) -> Transcript | None:
    """Make the record from a match's history; None while the match goes on. Raises `Damaged`.

    Only when nobody knows how it ended is it played again.
    """
    try:
        return _transcribe(entries, outcome)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise Damaged("its record cannot be made") from error


def _transcribe(entries: Sequence[Entry], outcome: Outcome | None) -> Transcript | None:
    if [entry.place for entry in entries] != list(range(len(entries))):
        raise Damaged("an entry is missing")
    outcome = outcome or _outcome(entries)
    if outcome is None:
        return None
    created, begun, *_ = (entry.body for entry in entries)
    answers = begun["chance"]
    return Transcript(
        created["code"],
        created["game"],
        created["options"],
        tuple(begun["names"]),
        answers[1:] if created["first"] == "toss" else answers,
        outcome,
        [_move(entry.body) for entry in entries if entry.kind == MOVED],
    )


def _outcome(entries: Sequence[Entry]) -> Outcome | None:
    for entry in entries[-2:]:
        if entry.kind in (ENDED, RETIRED) and "reason" in entry.body:
            return Outcome(winner=entry.body["winner"], reason=entry.body["reason"])
    return rebuild(entries).outcome if entries else None


def _move(body: dict[str, Any]) -> dict[str, Any]:
    return {key: body[key] for key in ("seat", "move", "chance", "at")}


def pieces(record: Transcript, re: int) -> Iterator[tuple[bytes, bool]]:
    """Cut a record into frames, which are ready to be sent; tell of each whether it is the last."""
    for start in range(0, max(1, len(record.moves)), MOVES_A_PIECE):
        end = start + MOVES_A_PIECE
        fields = {
            "type": "exported",
            "re": re,
            "match": record.code,
            "game": record.game,
            "options": record.options,
            "names": record.names,
            "chance": record.chance,
            "outcome": {"winner": record.outcome.winner, "reason": record.outcome.reason},
            "first": start,
            "more": end < len(record.moves),
        }
        moves = [pack_plain(move) for move in record.moves[start:end]]
        yield framed(begin_frame(Exported, _MOVES, moves, fields)), end >= len(record.moves)


def to_lines(record: Transcript) -> Iterator[str]:
    """Write a record as JSON lines: a header, then a line for each move."""
    header = {
        "conquest": 1,
        "match": record.code,
        "game": record.game,
        "options": record.options,
        "names": record.names,
        "chance": record.chance,
        "outcome": {"winner": record.outcome.winner, "reason": record.outcome.reason},
        "seat": 0,
    }
    yield json.dumps(header, ensure_ascii=False)
    for move in record.moves:
        yield json.dumps(move)
