"""Makes the tables that ship with the bots: `python -m tools.make_tables` writes them all again.

Grid Conquest is solved backwards over all positions that can come up, and Sudden Death, which can begin
anew, by repeating it until its value no longer moves. Digit Conquest, which can go on for ever, by value
iteration with every card equally likely at each draw. It is never run while playing.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from client.bots import grid
from client.bots.grid import Position, key, without
from client.bots.packed import Table, pack
from protocol.games.digit import DIGITS, GOAL
from protocol.games.grid import HAND, LARGEST_SIZE

ROOT = Path(__file__).parents[1]

SETTLED = 1e-13
"""A fixed point is found when a round moves nothing by more than this."""


def main() -> None:
    """Write every table into the package."""
    folder = ROOT / "client" / "bots" / "tables"
    folder.mkdir(exist_ok=True)
    for size in range(2, LARGEST_SIZE + 1):
        (folder / f"grid{size}.bin").write_bytes(pack(solve_grid(size)))
    (folder / "digit.bin").write_bytes(pack(solve_digit()))


def solve_grid(size: int) -> Table:
    """Return what every position of a grid that can come up is worth to the player to move."""
    cells = size**2
    table = solve_sudden_death(cells) if cells % 2 == 0 else {}
    # A claim takes an empty cell away and a challenge a number, so what has least of both comes first.
    in_order = sorted(reachable(cells), key=lambda p: (cells - p.mine - p.theirs, len(p.hand)))
    for position in in_order:
        table[key(position)] = grid.position_value(position, cells, table)
    return table


def reachable(cells: int) -> set[Position]:
    """Find all positions before Sudden Death that can come up."""
    start = Position(0, 0, HAND, HAND)
    found, fresh = {start}, [start]
    while fresh:
        for after in _followers(fresh.pop(), cells):
            if after not in found:
                found.add(after)
                fresh.append(after)
    return found


def _followers(position: Position, cells: int) -> Iterator[Position]:
    mine, theirs, hand, facing = position
    if mine + theirs < cells - 1:
        yield Position(theirs, mine + 1, facing, hand)
    if theirs:
        for attack in hand:
            for defence in facing:
                spent = without(facing, defence), without(hand, attack)
                yield (
                    Position(theirs - 1, mine + 1, *spent)
                    if attack > defence
                    else Position(theirs, mine, *spent)
                )


def solve_sudden_death(cells: int) -> Table:
    """Tell what Sudden Death is worth to the player who must challenge, for every pair of hands."""
    half = cells // 2
    hands = [hand for count in range(1, len(HAND) + 1) for hand in combinations(HAND, count)]
    pairs = [
        Position(half, half, hand, facing) for hand in hands for facing in hands if len(hand) == len(facing)
    ]
    pairs.sort(key=lambda position: len(position.hand))
    anew = key(Position(half, half, HAND, HAND))
    table: Table = {anew: 0.0}
    while True:
        before = table[anew]
        for position in pairs:
            table[key(position)] = grid.position_value(position, cells, table)
        if abs(table[anew] - before) < SETTLED:
            return table


def solve_digit() -> Table:
    """Tell what it is worth to be about to draw, for every pair of scores."""
    import numpy as np

    worth = np.zeros((GOAL, GOAL))
    while True:
        # What a position is worth once it is the opponent's turn, seen from the player who moved.
        passed = -worth.T
        drawn = []
        for digit in range(1, DIGITS + 1):
            best = np.full((GOAL, GOAL), -np.inf)
            best[: GOAL - digit] = passed[digit:]
            best[GOAL - digit] = 1.0
            best[:, digit:] = np.maximum(best[:, digit:], passed[:, : GOAL - digit])
            drawn.append(np.where(np.isinf(best), passed, best))
        before, worth = worth, np.mean(drawn, axis=0)
        if np.abs(worth - before).max() < SETTLED:
            return {
                mine * GOAL + theirs: float(worth[mine, theirs])
                for mine in range(GOAL)
                for theirs in range(GOAL)
            }


if __name__ == "__main__":
    main()
