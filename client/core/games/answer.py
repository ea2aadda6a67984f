"""Reading what a person types as the answer to one question.

Reading is forgiving: case and blanks around do not matter, a word may be cut short as long as it is
clear which one is meant. What may be answered is handed in; no rule of any game lives here.
"""

import re
from collections.abc import Callable, Iterable, Sequence

from client.core.games.renderer import Invalid
from client.core.games.wording import either
from protocol.choice import Choice

# A number too long to be meant is no number; Python, too, refuses to read one of thousands of digits.
_NUMBER = re.compile("[0-9]{1,9}")


def values_of(choices: Iterable[Choice], kind: str, field: str) -> tuple[int, ...]:
    """List what a field of a kind of move may be; nothing when that kind is not legal now."""
    for choice in choices:
        if choice.kind == kind:
            return choice.values.get(field, ())
    return ()


def is_legal(choices: Iterable[Choice], kind: str) -> bool:
    """Tell whether moves of this kind are among the choices."""
    return any(choice.kind == kind for choice in choices)


def parse_number(text: str, noun: str = "") -> int | None:
    """Read a whole number, perhaps after the noun it counts ("planet 7"); None for anything else."""
    bare = text.strip().casefold().removeprefix(noun).strip()
    return int(bare) if _NUMBER.fullmatch(bare) else None


def read_number(text: str, noun: str, allowed: Sequence[int], complain: Callable[[int | None], str]) -> int:
    """Read one of the allowed numbers; raise `Invalid`, with the complaint about it, for anything else."""
    number = parse_number(text, noun)
    if number is None or number not in allowed:
        raise Invalid(complain(number))
    return number


def matches_of(typed: str, words: Iterable[str]) -> list[str]:
    """List the words that a typed one may stand for: itself, or those that begin with it."""
    wanted = typed.casefold()
    starting = [word for word in words if wanted and word.startswith(wanted)]
    return [wanted] if wanted in starting else starting


def read_word(text: str, words: Sequence[str], complaint: str) -> str:
    """Read one of the words; raise `Invalid` for one that is none of them, or could be several."""
    typed = text.strip()
    matches = matches_of(typed, words)
    if len(matches) > 1:
        raise Invalid(f'"{typed}" could be {either(matches)}. Please enter more of the word.')
    if not matches:
        raise Invalid(complaint)
    return matches[0]
