"""The last thing before the terminal, where that knows ASCII only: every other character is replaced.

That goes for all of it, no matter who drew or wrote it: lines, blocks, names and chat. A character takes as
many cells after as before.
"""

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from client.tui.canvas import ASCII

LETTERS = str.maketrans(
    {
        **dict.fromkeys("…·•", "."),
        **dict.fromkeys("–—▔", "-"),
        **dict.fromkeys("▁▂▃▅▆▇", " "),
        "’": "'",
        "►": ">",
        "●": "o",
        "■": "#",
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


class Plain(LineFilter):
    """Turns whatever is drawn into ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Replace the characters and nothing else."""
        return [
            segment if segment.control else Segment(plain(segment.text), segment.style)
            for segment in segments
        ]
