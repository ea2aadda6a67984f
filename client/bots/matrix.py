"""Matrix games: the value and the best mix of both sides when they choose at the same time.

Pure linear programming by the simplex method, for matrices as small as a hand of numbers. It knows no
game; what the rows and columns mean is the caller's business.
"""

from collections.abc import Sequence
from typing import NamedTuple

Matrix = Sequence[Sequence[float]]
Mix = tuple[float, ...]

TINY = 1e-12


class Equilibrium(NamedTuple):
    """What both sides can be sure of, and how."""

    value: float
    """What the row player wins on average."""
    rows: Mix
    """How often the row player plays each row."""
    columns: Mix
    """How often the column player plays each column."""


def solve(payoffs: Matrix) -> Equilibrium:
    """Solve a zero-sum game given by what each pair of choices pays to the row player.

    >>> [round(share, 9) for share in solve([[1, -1], [-1, 1]]).rows]
    [0.5, 0.5]
    """
    # A shift that makes every payoff positive makes the value positive, which the linear program needs.
    shift = 1.0 - min(map(min, payoffs))
    width = len(payoffs[0])
    height = len(payoffs)
    tableau = [
        [entry + shift for entry in row] + [float(i == k) for k in range(height)] + [1.0]
        for i, row in enumerate(payoffs)
    ]
    costs = [-1.0] * width + [0.0] * height + [0.0]
    basis = [width + i for i in range(height)]
    while (entering := next((k for k, cost in enumerate(costs[:-1]) if cost < -TINY), None)) is not None:
        leaving = _leaving_row(tableau, basis, entering)
        _pivot(tableau, costs, leaving, entering)
        basis[leaving] = entering
    total = costs[-1]
    columns = [0.0] * (width + height)
    for row, variable in zip(tableau, basis, strict=True):
        columns[variable] = row[-1]
    rows = costs[width : width + height]
    return Equilibrium(1.0 / total - shift, _normalised(rows), _normalised(columns[:width]))


def _leaving_row(tableau: list[list[float]], basis: list[int], entering: int) -> int:
    """Find the row that limits the entering variable; the lowest variable on a tie (Bland: no cycles)."""
    ratios = [(row[-1] / row[entering], basis[i], i) for i, row in enumerate(tableau) if row[entering] > TINY]
    least = min(ratios)[0]
    return min((variable, i) for ratio, variable, i in ratios if ratio <= least + TINY)[1]


def _pivot(tableau: list[list[float]], costs: list[float], pivot_row: int, entering: int) -> None:
    pivot = tableau[pivot_row]
    scale = pivot[entering]
    pivot[:] = [entry / scale for entry in pivot]
    for row in (*tableau, costs):
        if row is not pivot and (factor := row[entering]):
            row[:] = [entry - factor * by for entry, by in zip(row, pivot, strict=True)]


def _normalised(weights: Sequence[float]) -> Mix:
    positive = [max(weight, 0.0) for weight in weights]
    total = sum(positive)
    return tuple(weight / total for weight in positive)
