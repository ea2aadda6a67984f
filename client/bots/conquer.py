"""Conquer solved: the whole tree of claims, with the length of every forced win.

It starts from a view; when a game ends and who has won is for `server.games.conquer` to say.
"""

from collections.abc import Sequence
from functools import cache

from client.bots.solver import ERRING, Solver, walks_into, weigh
from client.core.advice import Advice, Candidate
from protocol.choice import Choice
from protocol.games.conquer import Claim, View
from protocol.model import Owner, Seat, other
from server.games import conquer as rules
from server.games.game import Options

Row = tuple[Owner, ...]


def advise(view: View, choices: Sequence[Choice], options: Options) -> Advice:
    """Say what every legal claim is worth."""
    seat = view.to_act[0]
    candidates = []
    for territory in choices[0].values["territory"]:
        row = claim(view.territories, territory, seat)
        value, turns = solve(row, other(seat))
        hope = chances(row, other(seat))
        is_silly = walks_into(-value, turns + 1)
        candidates.append(Candidate(Claim(territory=territory), -value, hope, turns + 1, is_silly))
    return weigh(candidates)


@cache
def solve(row: Row, turn: Seat) -> tuple[int, int]:
    """Tell whether the seat to move wins (1) or loses (-1), and in how many turns."""
    end = rules.decide(rules.State(territories=row, turn=turn))
    if end is not None:
        return (1 if end.winner == turn else -1), 0
    replies = [solve(after, other(turn)) for after in claims(row, turn)]
    won = [turns for value, turns in replies if value < 0]
    if won:
        return 1, min(won) + 1
    return -1, max(turns for _, turns in replies) + 1


def chances(row: Row, turn: Seat) -> float:
    """Tell what a position promises to the opponent of the seat to move, if that seat errs at times."""
    value, turns = solve(row, turn)
    # Nobody errs so far as to miss a win on the spot.
    if value < 0 or turns <= 1:
        return float(-value)
    replies = [solve(after, other(turn))[0] for after in claims(row, turn)]
    return -1.0 + ERRING * 2.0 * replies.count(1) / len(replies)


def claims(row: Row, seat: Seat) -> list[Row]:
    """List what a seat's claims can lead to."""
    return [claim(row, number, seat) for number, owner in enumerate(row, start=1) if not owner]


def claim(row: Row, territory: int, seat: Seat) -> Row:
    """Give a territory to a seat."""
    return (*row[: territory - 1], seat, *row[territory:])


SOLVER = Solver(
    advise=advise,
    opening=lambda options: 1.0,
    room=lambda view: 1.0,
)
