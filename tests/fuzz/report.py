"""What a fuzzing run counts: frames, what became of them, stalls, and whether memory stays what it is."""

import gc
import sys
from collections import Counter

STALL_S = 0.05
"""How long the work on one piece of input may take."""


class Failure(Exception):
    """Something happened that must never happen."""

    def __init__(self, what: str, frame: int) -> None:
        super().__init__(what)
        self.frame = frame


class Round:
    """The figures of one round."""

    def __init__(self) -> None:
        self.frames = 0
        self.kinds: Counter[str] = Counter()
        self.worst_s = 0.0

    def count(self, kind: str) -> None:
        """Count what became of a frame."""
        self.kinds[kind] += 1

    def took(self, seconds: float, limit_s: float) -> None:
        """Take note of the time that a piece of work needed; too much of it is a failure."""
        self.worst_s = max(self.worst_s, seconds)
        if seconds > limit_s:
            raise Failure(f"the work on one input took {1000 * seconds:.0f} ms of CPU", self.frames)


def blocks() -> int:
    """Count what the interpreter has allocated, when nothing is left to be cleared away."""
    gc.collect()
    return sys.getallocatedblocks()


def growth(memory: list[float]) -> float:
    """Tell by which share memory grew over the second half of its measurements, by their slope."""
    late = memory[len(memory) // 2 :]
    count = len(late)
    if count < 3:
        return 0.0
    middle, mean = (count - 1) / 2, sum(late) / count
    spread = sum((at - middle) ** 2 for at in range(count))
    slope = sum((at - middle) * (value - mean) for at, value in enumerate(late)) / spread
    return slope * (count - 1) / late[0]
