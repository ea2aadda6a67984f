"""A record played again by the rules, position by position."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from client.core.failure import CouldNot
from client.core.record import BadRecord, Record, is_cut_short
from client.net.history import read
from protocol.games import Event, View, parse_move
from server.games import GAMES
from server.games.chance import Recorded
from server.games.game import AnyGame, Illegal


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a record: the move that led to it, what it brought about, and what all could see."""

    seat: int
    move: dict[str, int | str] | None
    """None for the position at the beginning."""
    events: tuple[Event, ...]
    view: View


def opened(path: Path) -> tuple[Record, list[Position]]:
    """Read a record and play it again; raise `CouldNot` for one that is none."""
    try:
        record = read(path)
        return record, replayed(record)
    except BadRecord as problem:
        raise CouldNot(f"{path} cannot be shown. {problem}") from problem


def replayed(record: Record) -> list[Position]:
    """Play a record again by the rules; raise `BadRecord` when they do not allow it."""
    rules = GAMES.get(record.header.game)
    if rules is None:
        raise BadRecord(f"The record is of a game that is not known here: {record.header.game!r}.")
    try:
        return list(_positions(rules, record))
    except (Illegal, ValueError) as problem:
        raise BadRecord(f"The record does not follow the rules: {problem}") from problem


def _positions(rules: AnyGame, record: Record) -> list[Position]:
    state, events = rules.setup(rules.agree(record.header.options), Recorded(record.header.chance))
    positions = [_position(rules, state, events, 0, None)]
    for turned in record.moves:
        move = parse_move(rules.id, turned.move)
        if move is None:
            raise ValueError(f"move {len(positions)} is no move of this game.")
        chance = Recorded(turned.chance)
        state, events = rules.apply(state, turned.seat, move, chance)
        positions.append(_position(rules, state, events, turned.seat, turned.move))
    is_cut_short(record.header.outcome, rules.outcome(state))
    return positions


def _position(rules: AnyGame, state: object, events: Sequence[object], seat: int, move: object) -> Position:
    return Position(seat=seat, move=move, events=tuple(events), view=rules.view(state, None))  # type: ignore[arg-type]
