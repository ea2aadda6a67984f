"""Lines that grow downwards, the newest in sight, and are wrapped anew whenever the window changes."""

from collections import deque

from rich.text import Text
from textual import events
from textual.widgets import RichLog

from protocol.limit import Limits
from protocol.model import Owner
from protocol.text import defused

KEPT = 4 * Limits().moves_per_match
"""How many lines are kept: all of the longest match."""


class LogLines(RichLog, can_focus=False):
    """A log that reads nothing as markup, no matter who wrote it, and never has the keys."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(max_lines=KEPT * 2, min_width=0, wrap=True, markup=False, highlight=False, id=id)
        self._said: deque[tuple[str, Owner]] = deque(maxlen=KEPT)

    def add(self, line: str, side: Owner = 0) -> None:
        """Write a line, in the colour of the side that it is from."""
        if not line.strip():
            return
        self._said.append((line, side))
        # What is out of sight is written when it comes into sight; until then it would pile up.
        if self.size:
            self._write(line, side)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap everything anew."""
        self.clear()
        for line, side in self._said:
            self._write(line, side)

    def texts(self) -> list[str]:
        """Read what is written."""
        return [line for line, _ in self._said]

    def _write(self, line: str, side: Owner) -> None:
        colour = self.app.theme_variables.get(f"p{side}") if side else None
        self.write(Text(defused(line), style=colour or ""))
