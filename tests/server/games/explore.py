"""Every state that play can reach, for the games that are small enough to be walked through wholly."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from protocol.choice import Move, spelled_out
from protocol.games import parse_move
from protocol.model import Seat
from server.games.game import AnyGame
from tests.server.games.position import NoLuck


@cache
def move_of(game: str, kind: str, **fields: int) -> Move:
    """Make a move, once: moves cannot change, so every walk may share them."""
    move = parse_move(game, {"kind": kind, **fields})
    assert move is not None
    return move


def legal_moves(game: AnyGame, state: Any) -> Iterator[tuple[Seat, Move]]:
    """List who may make which move."""
    for seat in sorted(game.to_act(state)):
        for raw in spelled_out(game.legal_moves(state, seat)):
            yield seat, move_of(game.id, **raw)


def successors(game: AnyGame, state: Any) -> Iterator[Any]:
    """List the states that one move leads to, in a game without luck."""
    for seat, move in legal_moves(game, state):
        yield game.apply(state, seat, move, NoLuck())[0]


def reachable(game: AnyGame, **options: str) -> set[Any]:
    """Collect every state that any play of a game without luck can reach."""
    start, _ = game.setup(game.agree(options), NoLuck())
    seen, waiting = {start}, [start]
    while waiting:
        for after in successors(game, waiting.pop()):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return seen
