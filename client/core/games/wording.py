"""The small words that the books of all games share."""

from collections.abc import Iterable, Sequence

from protocol.model import Seat


def player(seat: Seat) -> str:
    """Name a seat as the books do."""
    return f"Player {seat}"


def listed(numbers: Iterable[int]) -> str:
    """List numbers as the books do.

    >>> listed((2, 3, 4)), listed(())
    ('2, 3, 4', 'none')
    """
    return ", ".join(str(number) for number in numbers) or "none"


def counted(count: int, noun: str) -> str:
    """Say how many there are.

    >>> counted(1, "cell"), counted(4, "cell")
    ('1 cell', '4 cells')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def either(words: Sequence[str]) -> str:
    """Offer a choice of words.

    >>> either(["Attack", "Defend", "Heal"])
    'Attack, Defend or Heal'
    """
    return " or ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
