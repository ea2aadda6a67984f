"""The last thing before the terminal: what it must not be handed is replaced in all that is drawn.

That goes for what could steer any terminal, and for all but ASCII where it knows no more, no matter who drew
or wrote it: lines, blocks, names and chat. A character takes as many cells after as before.
"""

from collections.abc import Callable

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from client.tui.canvas import ASCII
from protocol.text import defused

LETTERS = str.maketrans(
    {
        **dict.fromkeys("…·•", "."),
        **dict.fromkeys("–—▔", "-"),
        **dict.fromkeys("▁▂▃▅▆▇", " "),
        "’": "'",
        "►": ">",
        "●": "o",
        "■": "#",
        "→": ">",
    }
)


def plain(text: str) -> str:
    """Write a text in ASCII, as wide as it was.

    >>> plain("┌─ Zoë… 猫 ─┐")
    '+- Zo?. ?? -+'
    """
    if text.isascii():
        return text
    translated = text.translate(ASCII).translate(LETTERS)
    return "".join(char if char.isascii() else "?" * cell_len(char) for char in translated)


def harmless(text: str) -> str:
    """Write a text without what could steer a terminal, as wide as it was.

    >>> harmless("Bob" + chr(27) + "[2J"), harmless("Ann" + chr(0x378))
    ('Bob[2J', 'Ann�')
    """
    if text.isprintable():
        return text
    return "".join(char if defused(char) == char else "�" * cell_len(char) for char in text)


class Replaced(LineFilter):
    """Replaces characters in whatever is drawn, and nothing else."""

    def __init__(self, replace: Callable[[str], str]) -> None:
        super().__init__()
        self._replace = replace

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        return [
            segment if segment.control else Segment(self._replace(segment.text), segment.style)
            for segment in segments
        ]


# What is drawn is kept by the filters that it went through, so these are made once.
HARMLESS, PLAIN = Replaced(harmless), Replaced(plain)
