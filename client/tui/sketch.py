"""A widget that shows a drawing: inks become the theme's colours, and places become spots.

A drawing is made when it is next needed and kept until it is out of date. What it shows is not known here.
"""

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.color import Color
from textual.strip import Strip
from textual.widget import Widget

from client.tui.canvas import Drawing, Spot

INKS = ("p1", "p2", "muted", "good", "bad", "focus")
ATTRIBUTES = {"bold", "strike", "reverse", "underline"}


class Sketch(Widget):
    """The widget. A subclass makes the drawing."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"sketch--{ink}" for ink in INKS}
    DEFAULT_CSS = """
    Sketch > .sketch--p1 { color: $accent; }
    Sketch > .sketch--p2 { color: $warning; }
    Sketch > .sketch--muted { color: $text-muted; }
    Sketch > .sketch--good { color: $text-success; }
    Sketch > .sketch--bad { color: $text-error; }
    Sketch > .sketch--focus { color: $text-primary; }
    """

    _drawing: Drawing | None = None

    def drawn(self) -> Drawing | None:
        """Make the drawing; None while there is nothing to show."""
        raise NotImplementedError

    @property
    def is_ascii(self) -> bool:
        """Tell whether only ASCII may be drawn."""
        return bool(getattr(self.app, "is_ascii", False))

    def redraw(self) -> None:
        """Show that the drawing is out of date."""
        self._drawing = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Hand one line of the drawing to Textual."""
        if self._drawing is None:
            self._drawing = self.drawn()
        if self._drawing is None or y >= len(self._drawing.lines):
            return Strip.blank(self.size.width, self.rich_style)
        segments = [Segment(text, self._style(ink)) for text, ink in self._drawing.lines[y]]
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def on_resize(self) -> None:
        """Draw anew in the new room."""
        self.redraw()

    def spot_under(self, event: events.MouseEvent) -> Spot | None:
        """Name what the mouse is on."""
        place = event.get_content_offset(self)
        return self._drawing.spot_at(*place) if self._drawing and place else None

    def _style(self, ink: str) -> Style:
        """Turn an ink's words into what the theme says they look like."""
        style = self.rich_style
        for word in ink.split():
            style += Style.parse(word) if word in ATTRIBUTES else self._colour(word)
        return style

    def _colour(self, ink: str) -> Style:
        # A theme names the players' colours; under one that does not, they still differ.
        named = self.app.theme_variables.get(ink)
        if named is not None:
            return Style(color=Color.parse(named).rich_color)
        return Style(color=self.get_component_rich_style(f"sketch--{ink}").color)
