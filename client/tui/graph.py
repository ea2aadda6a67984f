"""The course of a reviewed match: bars from move to move, with a mark under the move that is shown.

A click on it goes to a move. What the values mean is not known here.
"""

from collections.abc import Sequence

from textual import events
from textual.geometry import Region
from textual.message import Message

from client.core.report import bars
from client.tui.canvas import Canvas, Drawing
from client.tui.sketch import Sketch

LABELS = ("100 %", "0 %")
LEFT = 6
"""How many columns the labels take."""
WIDEST = 8
"""How many columns a move has at most."""


class Graph(Sketch):
    """The bars, and their cursor."""

    class Chosen(Message):
        """Somebody wants to see a move."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, id: str) -> None:
        super().__init__(id=id)
        self._course: tuple[float, ...] = ()
        self._share = 0.0
        self._at = 0

    def show(self, course: Sequence[float], at: int) -> None:
        """Show values from -1.0 to 1.0, and which of them is looked at."""
        self._course, self._at = tuple(course), min(at, len(course) - 1)
        self.redraw()

    def progress(self, share: float) -> None:
        """Show how far the work is that makes the values."""
        self._share = share
        self.redraw()

    def drawn(self) -> Drawing | None:
        """Draw the bars over the line of the cursor."""
        rows, width = self.size.height - 1, self.size.width - LEFT - 1
        if rows < 1 or width < 1:
            return None
        canvas, count = Canvas(*self.size), len(self._course)
        if not count:
            canvas.put(LEFT, rows // 2, f"The computer looks at every move: {self._share:.0%}", "muted")
            return canvas.drawing(self.is_ascii)
        columns = count * min(WIDEST, width // count) or width
        for y, line in enumerate(bars(self._course, columns, rows, self.is_ascii)):
            canvas.put(LEFT, y, line, "p1")
        for y, label in ((0, LABELS[0]), (rows - 1, LABELS[1])):
            canvas.put(LEFT - 1 - len(label), y, label, "muted")
        for number in range(count):
            first, end = number * columns // count, (number + 1) * columns // count
            canvas.mark(("move", number), Region(LEFT + first, 0, end - first, rows + 1))
        first, end = (number * columns // count for number in (self._at, self._at + 1))
        first = min(first, columns - 1)
        shown = max(1, end - first)
        canvas.put(LEFT + first, rows, ("^" if self.is_ascii else "▔") * shown, "focus bold")
        label = str(self._at)
        canvas.put(min(LEFT + first + shown + 1, self.size.width - len(label)), rows, label, "focus bold")
        return canvas.drawing(self.is_ascii)

    def on_click(self, event: events.Click) -> None:
        """Go to the move that was clicked on."""
        spot = self.spot_under(event)
        if spot is not None:
            self.post_message(self.Chosen(spot[1]))
