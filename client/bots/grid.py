"""Grid Conquest solved: which cells somebody holds does not matter, only how many, and the hands.

A claim or a challenge is worth what the table says of the positions after it; a standing challenge is a
matrix game between the two hands. A position without empty cells is Sudden Death. What reckons takes the
table as an argument, so that the tool that makes the table reckons by the same rules.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from client.bots.matrix import Equilibrium, Matrix, solve
from client.bots.packed import Table, load
from client.bots.solver import Solver, mix, walks_into, weigh
from client.core.advice import TINY, Advice, Candidate
from protocol.choice import Choice, Move
from protocol.games.grid import HAND, LARGEST_SIZE, Challenge, Claim, Pick, View
from protocol.model import Seat, other
from server.games.game import Options

Hand = tuple[int, ...]


class Position(NamedTuple):
    """A grid as the player to move sees it."""

    mine: int
    """How many cells the player to move holds."""
    theirs: int
    hand: Hand
    facing: Hand
    """The opponent's numbers."""


def advise(view: View, choices: Sequence[Choice], options: Options) -> Advice:
    """Say what every legal claim, challenge or pick is worth."""
    if view.challenge is not None:
        return _advise_pick(view, view.challenge.challenger)
    position = read(view, view.to_act[0])
    cells, table = len(view.cells), values(view.size)
    candidates: list[Candidate] = []
    for choice in choices:
        if choice.kind == "claim":
            value = claim_value(position, cells, table)
            distance = _distance_of_claim(position, cells, value)
            is_silly = walks_into(value, distance)
            moves: list[Move] = [Claim(cell=cell) for cell in choice.values["cell"]]
        else:
            value = challenge(position, cells, table).value
            distance = _distance(position, cells, value)
            # A challenge that no number of one's own can win only burns numbers.
            is_silly = walks_into(value, distance) or max(position.hand) <= min(position.facing)
            moves = [Challenge(cell=cell) for cell in choice.values["cell"]]
        candidates += (Candidate(move, value, value, distance, is_silly) for move in moves)
    return weigh(candidates)


def _distance_of_claim(position: Position, cells: int, value: float) -> int | None:
    is_last = position.mine + position.theirs == cells - 1
    if is_last and margin_at_the_end(position):
        return 1
    return _distance(position, cells - 1, value)


def _distance(position: Position, cells: int, value: float) -> int | None:
    """Tell that the opponent ends the game next turn, if the last empty cell is theirs to win with."""
    is_theirs_to_end = position.mine + position.theirs == cells - 1
    return 2 if is_theirs_to_end and value < TINY - 1.0 else None


def _advise_pick(view: View, challenger: Seat) -> Advice:
    position = read(view, challenger)
    payoffs = challenge_payoffs(position, len(view.cells), values(view.size))
    value, rows, columns = solve(payoffs)
    if view.viewer == challenger:
        return _mixed(position.hand, payoffs, value, rows, columns)
    # The defender sees the same matrix from its other side.
    turned = [[-payoff for payoff in column] for column in zip(*payoffs, strict=True)]
    return _mixed(position.facing, turned, -value, columns, rows)


def _mixed(
    hand: Hand, payoffs: Matrix, value: float, shares: Sequence[float], against: Sequence[float]
) -> Advice:
    candidates = []
    for number, row in zip(hand, payoffs, strict=True):
        worth = sum(payoff * share for payoff, share in zip(row, against, strict=True))
        candidates.append(Candidate(Pick(number=number), worth, worth, is_silly=_is_dominated(row, payoffs)))
    return mix(candidates, value, shares)


def _is_dominated(row: Sequence[float], payoffs: Matrix) -> bool:
    """Tell whether another row is never worse and somewhere better."""
    return any(
        all(b >= a - TINY for a, b in zip(row, better, strict=True))
        and any(b > a + TINY for a, b in zip(row, better, strict=True))
        for better in payoffs
    )


def read(view: View, seat: Seat) -> Position:
    """See the grid from a seat."""
    return Position(
        view.cells.count(seat),
        view.cells.count(other(seat)),
        view.hands[seat - 1],
        view.hands[other(seat) - 1],
    )


@cache
def values(size: int) -> Table:
    """Load what positions of a size are worth to the player to move, by `key`."""
    return load(f"grid{size}")


def key(position: Position) -> int:
    """Name a position by one number."""
    mine, theirs, hand, facing = position
    return ((mine * (LARGEST_SIZE**2 + 1) + theirs) << 10) | _mask(hand) << 5 | _mask(facing)


def position_value(position: Position, cells: int, table: Mapping[int, float]) -> float:
    """Reckon a position from the positions after it: the better of claiming and challenging."""
    worths = []
    if position.mine + position.theirs < cells:
        worths.append(claim_value(position, cells, table))
    if position.theirs and position.hand:
        worths.append(challenge(position, cells, table).value)
    return max(worths)


def claim_value(position: Position, cells: int, table: Mapping[int, float]) -> float:
    """Tell what claiming an empty cell is worth."""
    mine, theirs, hand, facing = position
    if mine + 1 + theirs < cells:
        return -table[key(Position(theirs, mine + 1, facing, hand))]
    # R4, R5: the last cell ends the game: most cells, then most left in hand, then Sudden Death.
    if margin := margin_at_the_end(position):
        return 1.0 if margin > 0 else -1.0
    return -table[key(Position(theirs, mine + 1, *_refilled(facing, hand)))]


def margin_at_the_end(position: Position) -> int:
    """Tell by how much the player to move is ahead after claiming the last cell; 0 is Sudden Death."""
    mine, theirs, hand, facing = position
    return (mine + 1 - theirs) or (sum(hand) - sum(facing))


def challenge(position: Position, cells: int, table: Mapping[int, float]) -> Equilibrium:
    """Solve the picks of a challenge that the player to move declares."""
    return solve(challenge_payoffs(position, cells, table))


def challenge_payoffs(position: Position, cells: int, table: Mapping[int, float]) -> list[list[float]]:
    """Tell what each pair of picks is worth to the challenger: a row for each of the challenger's numbers."""
    return [
        [_pick_value(position, cells, table, attack, defence) for defence in position.facing]
        for attack in position.hand
    ]


def _pick_value(
    position: Position, cells: int, table: Mapping[int, float], attack: int, defence: int
) -> float:
    mine, theirs, hand, facing = position
    is_sudden_death = mine + theirs == cells
    hand, facing = without(hand, attack), without(facing, defence)
    if attack > defence:  # R2
        return 1.0 if is_sudden_death else -table[key(Position(theirs - 1, mine + 1, facing, hand))]
    if is_sudden_death:
        facing, hand = _refilled(facing, hand)
    return -table[key(Position(theirs, mine, facing, hand))]


@cache
def without(hand: Hand, number: int) -> Hand:
    """Spend a number."""
    return tuple(kept for kept in hand if kept != number)


def _refilled(first: Hand, second: Hand) -> tuple[Hand, Hand]:
    return (first, second) if first else (HAND, HAND)  # R6: hands are always equally large (R7).


@cache
def _mask(hand: Hand) -> int:
    return sum(1 << number - 1 for number in hand)


def opening(options: Options) -> float:
    """Tell what the empty grid is worth to Player 1."""
    return values(int(options["size"]))[key(Position(0, 0, HAND, HAND))]


SOLVER = Solver(
    advise=advise,
    opening=opening,
    room=lambda view: len(view.cells) / 3,
)
