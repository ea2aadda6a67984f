"""The first page: what can be done here. Light, so that it is there at once."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static

from client.catalogue import CHOICES
from client.tui.choices import Choices
from client.tui.letter import Large
from client.tui.page import Page

WAYS = ("play", "host", "join", "watch", "rules")
"""Where the choices of the menu lead, but for the last."""
ABOUT = {
    "play": "Alone, at once, at four levels.",
    "host": "Your machine runs the match; you get a link and a code to pass on.",
    "join": "Matches on this network are listed; a link works from everywhere.",
    "watch": "With the link, or the address and the code, of a match.",
    "rules": "Each game on a page or two. F1 opens them at any time.",
    "settings": "Your name, light or dark colours, animations, plain characters.",
    "quit": "",
}
"""A word on each."""


class StartPage(Page):
    """The menu."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def parts(self) -> Iterable[Widget]:
        """Show the name of the game over the menu."""
        *ways, quit_label = CHOICES
        choices = [*zip(WAYS, ways, strict=True), ("settings", "Settings"), ("quit", quit_label)]
        yield Vertical(
            Center(Large("Conquest", id="logo")),
            Center(Static("Five strategy games for two", id="motto", markup=False)),
            Center(Choices(choices, id="menu")),
            Center(Static(id="about", markup=False)),
            Center(Static(id="greeting", markup=False)),
            id="start",
        )

    def on_mount(self) -> None:
        """Greet the player."""
        self.greet()
        self.query_one(Choices).focus()

    def on_screen_resume(self) -> None:
        """Greet again: the name may be another one."""
        self.greet()

    def greet(self) -> None:
        """Show under which name one plays."""
        self.query_one("#greeting", Static).update(f"You play as {self.conquest.player}.")

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.query_one("#about", Static).update(ABOUT[event.option_id or "quit"])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.conquest.enter(event.option_id or "quit")
