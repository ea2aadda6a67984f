"""Lines that grow downwards and are wrapped anew whenever the window changes."""

from collections import deque

from rich.text import Text
from textual import events
from textual.widgets import RichLog

from protocol.model import Owner
from protocol.text import defused

KEPT = 500
"""How many lines are kept; a match of Digit Conquest can have more."""


class LogLines(RichLog, can_focus=False):
    """A log that reads nothing as markup, no matter who wrote it, and never has the keys."""

    def __init__(self, id: str | None = None) -> None:
        super().__init__(max_lines=KEPT * 2, min_width=0, wrap=True, markup=False, highlight=False, id=id)
        self._said: deque[tuple[str, Owner]] = deque(maxlen=KEPT)

    def add(self, line: str, seat: Owner = 0) -> None:
        """Write a line, in the colour of the seat that it is from."""
        if not line.strip():
            return
        self._said.append((line, seat))
        # What is out of sight is written when it comes into sight; until then it would pile up.
        if self.size:
            self._write(line, seat)

    def on_resize(self, event: events.Resize) -> None:
        """Wrap everything anew."""
        self.clear()
        for line, seat in self._said:
            self._write(line, seat)

    def texts(self) -> list[str]:
        """Read what is written."""
        return [line for line, _ in self._said]

    def _write(self, line: str, seat: Owner) -> None:
        colour = self.app.theme_variables.get(f"p{seat}") if seat else None
        self.write(Text(defused(line), style=colour or ""))
