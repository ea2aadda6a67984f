"""Matrix games: known ones come out, and no other choice does better against either mix."""

import random

import pytest
from scipy.optimize import linprog

from client.bots.matrix import solve


def random_matrix(seed):
    generator = random.Random(seed)
    height, width = generator.randint(1, 5), generator.randint(1, 5)
    # Few different entries make many ties, which is where a simplex can go round in circles.
    entries = [-1.0, 0.0, 1.0] if seed % 2 else [generator.uniform(-1, 1) for _ in range(25)]
    return [[generator.choice(entries) for _ in range(width)] for _ in range(height)]


def value_by_scipy(payoffs):
    """Solve the row player's linear program with an independent solver."""
    width = len(payoffs[0])
    cost = [0.0] * len(payoffs) + [-1.0]
    above = [[-row[k] for row in payoffs] + [1.0] for k in range(width)]
    mixed = [[1.0] * len(payoffs) + [0.0]]
    bounds = [(0, None)] * len(payoffs) + [(None, None)]
    return -linprog(cost, A_ub=above, b_ub=[0.0] * width, A_eq=mixed, b_eq=[1.0], bounds=bounds).fun


def test_rock_paper_scissors_is_a_third_each():
    value, rows, columns = solve([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert value == pytest.approx(0)
    assert rows == pytest.approx((1 / 3,) * 3)
    assert columns == pytest.approx((1 / 3,) * 3)


def test_a_choice_that_is_best_against_everything_is_always_made():
    value, rows, columns = solve([[0.2, 0.1], [0.5, 0.3]])
    assert value == pytest.approx(0.3)
    assert (rows, columns) == ((0, 1), (0, 1))


def test_no_other_choice_does_better_against_either_mix():
    for seed in range(500):
        payoffs = random_matrix(seed)
        value, rows, columns = solve(payoffs)
        for_rows = [sum(a * y for a, y in zip(row, columns, strict=True)) for row in payoffs]
        turned = list(zip(*payoffs, strict=True))
        for_columns = [sum(a * x for a, x in zip(column, rows, strict=True)) for column in turned]
        assert max(for_rows) <= value + 1e-12
        assert min(for_columns) >= value - 1e-12
        assert sum(rows) == pytest.approx(1)
        assert sum(columns) == pytest.approx(1)


def test_an_independent_solver_agrees():
    for seed in range(60):
        payoffs = random_matrix(seed)
        assert solve(payoffs).value == pytest.approx(value_by_scipy(payoffs), abs=1e-8)
