"""The simulator finds what it is there to find: every planted mistake, within a stated number of seeds."""

import pytest

from tests.simulation.planted_bug import MISTAKES
from tests.simulation.shadow import Violation
from tests.simulation.world import World


def seeds_until_found(name):
    """Run broken worlds until one is caught; None when the stated number of seeds was not enough."""
    planted = MISTAKES[name]
    with planted.make():
        for seed in range(planted.seeds):
            try:
                World(seed).run()
            except Violation:
                return seed + 1
    return None


@pytest.mark.parametrize("name", MISTAKES)
def test_the_simulator_finds(name):
    assert seeds_until_found(name) is not None


def test_nothing_is_found_where_nothing_is_planted():
    assert all(World(seed).run() for seed in range(20))
