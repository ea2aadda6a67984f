"""A record played again by the rules, position by position."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from client.core.failure import CouldNot
from client.core.games import end_lines
from client.core.games.renderer import Lines
from client.core.record import CUT_SHORT, BadRecord, Record, is_cut_short
from client.core.step import Step, Steps
from client.net.history import read
from protocol.games import parse_move
from server.games import GAMES
from server.games.chance import Recorded
from server.games.game import AnyGame, Illegal


def opened(path: Path) -> tuple[Record, Steps]:
    """Read a record and play it again; raise `CouldNot` for one that is none."""
    try:
        record = read(path)
        return record, replayed(record)
    except BadRecord as problem:
        raise CouldNot(f"{path} cannot be shown. {problem}") from problem


def replayed(record: Record) -> Steps:
    """Play a record again by the rules; raise `BadRecord` when they do not allow it."""
    rules = GAMES.get(record.header.game)
    if rules is None:
        raise BadRecord(f"The record is of a game that is not known here: {record.header.game!r}.")
    try:
        return tuple(_steps(rules, record))
    except (Illegal, ValueError) as problem:
        raise BadRecord(f"The record does not follow the rules: {problem}") from problem


def ending(record: Record, steps: Steps) -> Lines:
    """Say how a match ended, where its last move does not tell."""
    head = record.header
    is_short = steps[-1].view.to_act and is_cut_short(head.outcome, None)
    return (*end_lines(head.outcome, head.names), *([CUT_SHORT] if is_short else ()))


def _steps(rules: AnyGame, record: Record) -> Iterator[Step]:
    def step(seat: Any, events: Any) -> Step:
        return Step(number, seat, tuple(events), rules.view(state, None))  # type: ignore[arg-type]

    number = 0
    state, events = rules.setup(rules.agree(record.header.options), Recorded(record.header.chance))
    yield step(0, events)
    for number, turned in enumerate(record.moves, start=1):
        move = parse_move(rules.id, turned.move)
        if move is None:
            raise ValueError(f"move {number} is no move of this game.")
        state, events = rules.apply(state, turned.seat, move, Recorded(turned.chance))
        yield step(turned.seat, events)
    is_cut_short(record.header.outcome, rules.outcome(state))
