"""Who comes by ssh, and to what: read from the user name that they log in with, and from their key.

Pure. A user name is a match's code, the word of a visitor who comes back without a key, or a name.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass

from client.net.place import parse_lone_code
from protocol.link import ALPHABET
from protocol.text import Unclean, clean_name

PREFIX = "back-"
WORD_LEN = 12
"""Sixty bits: nobody guesses one at the rate at which one may log in."""
GROUP = 4
CONTROL = re.compile(rb"[\x00-\x1f\x7f]")
TERM = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,31}")


@dataclass(frozen=True, slots=True)
class Caller:
    """What a user name says: one of these, or nothing."""

    code: str = ""
    word: str = ""
    name: str = ""


def parse_user(user: str) -> Caller:
    """Read a user name.

    >>> parse_user("7k3m-9qxz").code, parse_user("back-7k3m-9qxz-4tcq").word, parse_user("ann").name
    ('7K3M9QXZ', 'back-7k3m-9qxz-4tcq', 'ann')
    """
    if user.lower().startswith(PREFIX):
        return Caller(word=user.lower())
    if code := parse_lone_code(user):
        return Caller(code=code)
    try:
        return Caller(name=clean_name(user))
    except Unclean:
        return Caller()


def make_word(randbelow: Callable[[int], int]) -> str:
    """Draw a word to come back with."""
    letters = "".join(ALPHABET[randbelow(len(ALPHABET))] for _ in range(WORD_LEN)).lower()
    return PREFIX + "-".join(letters[at : at + GROUP] for at in range(0, WORD_LEN, GROUP))


def identity_of(proof: bytes | str) -> str:
    """Name the folder of whoever shows a key or a word; nothing of either can be read from it."""
    kind, data = ("word", proof.encode()) if isinstance(proof, str) else ("key", proof)
    return f"{kind}-{hashlib.sha256(data).hexdigest()[:32]}"


def terminal_name(claimed: str) -> str:
    """Return a terminal's kind as the visitor's program may hear it."""
    return claimed if TERM.fullmatch(claimed) else "dumb"


class Line:
    """Measures the line that is being sent: any control character, such as that of a key, ends it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._length = 0

    def is_too_long(self, data: bytes) -> bool:
        """Take more of what is sent; tell whether a line without an end is in it."""
        lengths = [len(part) for part in CONTROL.split(data)]
        lengths[0] += self._length
        self._length = lengths[-1]
        return max(lengths) > self._most
