"""What all whole screens have in common: a footer with the keys, and a word for too small windows."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Footer, Static

if TYPE_CHECKING:
    from client.tui.app import ConquestApp

SMALLEST = Size(72, 22)
"""The smallest window in which everything can be read."""


class Page(Screen[None]):
    """A whole screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "app.rules", "Rules"),
    ]
    GAME: str | None = None
    """The game whose rules F1 opens; None to choose one."""

    @property
    def conquest(self) -> "ConquestApp":
        """The application, as what it is."""
        return cast("ConquestApp", self.app)

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield Static(id="cover", markup=False)
        yield from self.parts()
        yield Footer(show_command_palette=False)

    def parts(self) -> Iterable[Widget]:
        """Make what is special about this screen."""
        raise NotImplementedError

    def can_say(self) -> bool:
        """Tell whether this page has a place for what is said in passing."""
        return False

    def say(self, lines: Iterable[str]) -> None:
        """Show what is said in passing."""

    def on_resize(self, event: events.Resize) -> None:
        """Cover everything while the window is too small for it."""
        was_small = self.has_class("-tiny")
        is_small = event.size.width < SMALLEST.width or event.size.height < SMALLEST.height
        self.set_class(is_small, "-tiny")
        if is_small:
            self.query_one("#cover", Static).update(_cover_text(event.size))
        elif was_small:
            self.call_after_refresh(self.regain_focus)

    def regain_focus(self) -> None:
        """Give the keys back to what was hidden."""
        self.screen.focus_next()

    def action_leave(self) -> None:
        """Ask, once, and leave."""
        self.conquest.ask_to_quit()


def _cover_text(size: Size) -> str:
    return (
        f"This window is too small: it is {size.width} by {size.height}.\n"
        f"Make it at least {SMALLEST.width} by {SMALLEST.height}.\n"
        "The match goes on meanwhile."
    )
