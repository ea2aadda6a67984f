"""Two sources of luck: one that draws and remembers, one that repeats what was drawn before."""

from collections.abc import Callable, Iterable


class Drawn:
    """Draws from a generator and keeps every answer, so that the journal can hold them."""

    __slots__ = ("_randbelow", "answers")

    def __init__(self, randbelow: Callable[[int], int]) -> None:
        self._randbelow = randbelow
        self.answers: list[int] = []

    def below(self, n: int) -> int:
        answer = self._randbelow(n)
        self.answers.append(answer)
        return answer


class Recorded:
    """Repeats recorded answers; too few of them, or one out of range, is a damaged record."""

    def __init__(self, answers: Iterable[int]) -> None:
        self._answers = iter(answers)

    def below(self, n: int) -> int:
        answer = next(self._answers, None)
        if answer is None or not 0 <= answer < n:
            raise ValueError(f"recorded chance does not fit: {answer} is not below {n}")
        return answer

    def is_used_up(self) -> bool:
        """Tell whether every recorded answer was asked for."""
        return next(self._answers, None) is None
