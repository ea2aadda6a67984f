"""Conquer solved: the whole tree of claims, with the length of every forced win.

It sees a view and knows the rules only through `server.games.conquer`, which has the last word on ends.
"""

from collections.abc import Sequence
from functools import cache

from protocol.choice import Choice, spelled_out
from protocol.games.conquer import Claim, View
from protocol.model import Owner, Seat, other
from server.bots.advice import ERRING, Advice, Candidate, walks_into, weigh
from server.games import conquer as rules

Row = tuple[Owner, ...]


def advise(view: View, choices: Sequence[Choice]) -> Advice:
    """Say what every legal claim is worth."""
    seat = view.to_act[0]
    candidates = []
    for raw in spelled_out(choices):
        move = Claim.model_validate(raw)
        row = claim(view.territories, move.territory, seat)
        value, distance = solve(row, other(seat))
        is_silly = walks_into(-value, distance + 1)
        candidates.append(Candidate(move, -value, chances(row, other(seat)), distance + 1, is_silly))
    return weigh(candidates)


@cache
def solve(row: Row, turn: Seat) -> tuple[int, int]:
    """Tell who wins for the seat to move (1 or -1), and in how many turns when nobody dawdles."""
    end = rules.decide(rules.State(territories=row, turn=turn))
    if end is not None:
        return (1 if end.winner == turn else -1), 0
    replies = [solve(after, other(turn)) for after in _claims(row, turn)]
    won = [distance for value, distance in replies if value < 0]
    if won:
        return 1, min(won) + 1
    return -1, max(distance for _, distance in replies) + 1


def claim(row: Row, territory: int, seat: Seat) -> Row:
    """Give an unclaimed territory to a seat."""
    return (*row[: territory - 1], seat, *row[territory:])


def chances(row: Row, turn: Seat) -> float:
    """Tell what a position is worth against the seat to move, if that seat errs now and then."""
    value, distance = solve(row, turn)
    if value < 0 or distance == 0:
        return -float(value)
    replies = [solve(after, other(turn))[0] for after in _claims(row, turn)]
    return -1.0 + ERRING * 2.0 * replies.count(1) / len(replies)


def _claims(row: Row, turn: Seat) -> list[Row]:
    return [claim(row, number, turn) for number, owner in enumerate(row, start=1) if not owner]
