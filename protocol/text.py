"""Cleaning of text that other people wrote: names, chat, a server's banner.

Such text may be shown in a terminal, so nothing in it may steer one or deceive a reader: no control,
format, bidirectional or unassigned characters. Unfit text is refused, never shortened; what slips
through from a foreign server is defused before it is shown.
"""

import unicodedata

NAME_CELLS = 16
CHAT_LEN = 200

# Letters and signs that nobody can see: fillers, and joiners that count as accents or letters.
_INVISIBLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
# Keyboards put them behind emoji. They show nothing themselves, and terminals differ in what they do.
_VARIATION_SELECTORS = dict.fromkeys([*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
_FORBIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})
_MARKS_IN_A_ROW = 2


class Unclean(ValueError):
    """Text that cannot be shown; the message is a sentence that says why."""


def cells(text: str) -> int:
    """Count the terminal cells that a text takes.

    >>> cells("Zoë"), cells("征服")
    (3, 4)
    """
    return sum(_width(character) for character in text)


def _width(character: str) -> int:
    if unicodedata.category(character) in _MARKS:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def clean_name(text: str) -> str:
    """Return a player's name, tidied; raise `Unclean` for one that cannot be used."""
    name = _clean(text, "A name")
    if not 1 <= cells(name) <= NAME_CELLS:
        raise Unclean(f"A name is 1 to {NAME_CELLS} characters wide.")
    if name.startswith("/"):
        raise Unclean("A name cannot begin with a slash, as commands do.")
    return name


def told_apart(names: tuple[str, str]) -> tuple[str, str]:
    """Name two players so that each name means one of them.

    >>> told_apart(("Ann", "Bob")), told_apart(("Ann", "ann"))
    (('Ann', 'Bob'), ('Ann (Player 1)', 'ann (Player 2)'))
    """
    first, second = names
    if first.casefold() != second.casefold():
        return names
    return f"{first} (Player 1)", f"{second} (Player 2)"


def clean_chat(text: str, most: int = CHAT_LEN) -> str:
    """Return a chat line, tidied; raise `Unclean` for one that cannot be sent."""
    line = _clean(text, "A message")
    if not 1 <= len(line) <= most:
        raise Unclean(f"A message is 1 to {most} characters long.")
    return line


def _clean(text: str, what: str) -> str:
    if any(c in _INVISIBLE or unicodedata.category(c) in _FORBIDDEN for c in text):
        raise Unclean(f"{what} can hold letters, digits, signs and spaces only.")
    # Composing first lets ordinary accents pass; what is left may not pile up and cover other lines.
    tidy = " ".join(unicodedata.normalize("NFC", text.translate(_VARIATION_SELECTORS)).split())
    marks = 0
    for character in tidy:
        marks = marks + 1 if unicodedata.category(character) in _MARKS else 0
        if marks > _MARKS_IN_A_ROW:
            raise Unclean(f"{what} can hold at most {_MARKS_IN_A_ROW} accents on a letter.")
    return tidy


def defused(text: str) -> str:
    """Return the text with every character that could steer a terminal replaced by a mark.

    >>> defused("Bob" + chr(27) + "[2J")
    'Bob�[2J'
    """
    if text.isprintable():
        # Of what may not be seen nothing is; this is a look at each character, and no call.
        return text
    return "".join("�" if unicodedata.category(c) in _FORBIDDEN else c for c in text)
