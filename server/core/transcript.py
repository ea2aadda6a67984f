"""The record of a finished match: what was played, with what luck, and how it ended."""

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from protocol.outcome import Outcome
from protocol.server_frame import Exported
from server.core.entry import BEGUN, MOVED, Entry
from server.core.match import Match, rebuild

MOVES_A_PIECE = 128


class Transcript(NamedTuple):
    """A finished match, as it can be handed out to its players."""

    code: str
    game: str
    options: dict[str, str]
    seats: tuple[int, int]
    """The sessions that played; they never leave the server."""
    names: tuple[str, str]
    chance: list[int]
    """What chance answered when the game was set up; the toss for the first seat is not part of it."""
    outcome: Outcome
    moves: list[dict[str, Any]]


def transcribe(entries: Sequence[Entry]) -> Transcript | None:
    """Make the record from a match's history; None while the match goes on."""
    if not entries:
        return None
    match = rebuild(entries)
    if match.outcome is None or match.seats is None:
        return None
    begun = next(entry.body for entry in entries if entry.kind == BEGUN)
    return Transcript(
        match.code,
        match.terms.game.id,
        match.terms.options,
        match.seats,
        match.names,
        _game_chance(match, begun["chance"]),
        match.outcome,
        [_move(entry.body) for entry in entries if entry.kind == MOVED],
    )


def _game_chance(match: Match, answers: list[int]) -> list[int]:
    return answers[1:] if match.terms.first == "toss" else answers


def _move(body: dict[str, Any]) -> dict[str, Any]:
    return {key: body[key] for key in ("seat", "move", "chance", "at")}


def pieces(record: Transcript, re: int) -> Iterator[Exported]:
    """Cut a record into frames."""
    for start in range(0, max(1, len(record.moves)), MOVES_A_PIECE):
        end = start + MOVES_A_PIECE
        yield Exported.model_validate(
            {
                "re": re,
                "match": record.code,
                "game": record.game,
                "options": record.options,
                "names": record.names,
                "chance": record.chance,
                "outcome": record.outcome,
                "first": start,
                "moves": record.moves[start:end],
                "more": end < len(record.moves),
            }
        )


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
