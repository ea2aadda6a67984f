"""The small words that the books of all games share."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from protocol.model import SEATS, Owner, Seat
from protocol.text import told_apart

_YOURS = {"has": "have", "is": "are"}


class Who(Protocol):
    """Names a player, and says what the player does: "You take", "Bob takes"."""

    def __call__(self, seat: Seat, verb: str = "") -> str:
        """Name a seat's player; the verb is given as it stands behind a name ("takes")."""
        ...


def naming(names: tuple[str, str], reader: Owner = 0) -> Who:
    """Name players as one of them reads it, or as nobody in particular does.

    >>> who = naming(("Ann", "Bob"), reader=1)
    >>> who(1, "takes"), who(1, "has"), who(2, "takes"), who(2)
    ('You take', 'You have', 'Bob takes', 'Bob')
    """
    known = (names[0] or player(1), names[1] or player(2))
    apart = dict(zip(SEATS, told_apart(known), strict=True))

    def who(seat: Seat, verb: str = "") -> str:
        name = apart[seat]
        if seat == reader:
            name, verb = "You", _YOURS.get(verb, verb.removesuffix("s"))
        return f"{name} {verb}".rstrip()

    return who


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
