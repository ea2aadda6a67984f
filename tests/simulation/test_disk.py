"""Every operation of the disk fails once: whichever it is, no promise is broken by it."""

import pytest

from tests.simulation.world import World


class Calm(World):
    """A world in which nothing goes wrong but one operation of the disk, in trouble or in peace."""

    def __init__(self, seed: int, failing: int = 0) -> None:
        super().__init__(f"calm {seed}")
        self.disk.failing = {failing}

    def plan_trouble(self) -> None:
        """Let nothing else happen."""
        self.host.is_rough = False

    def _calm(self) -> None:
        failing = set(self.disk.failing)
        super()._calm()
        self.disk.failing = failing


@pytest.mark.parametrize("seed", [0, 3, 4, 6])
def test_any_one_operation_of_the_disk_may_fail(seed):
    calm = Calm(seed)
    calm.run()
    assert calm.disk.operations > 15
    for number in range(1, calm.disk.operations + 1):
        world = Calm(seed, number)
        world.run()
        assert world.disk.failures == 1
