"""The first page: what can be done here. Light, so that it is there at once."""

import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static

from client.core.catalogue import CHOICES, GO_BACK, TITLES
from client.tui.choices import Choices
from client.tui.letter import Large
from client.tui.page import Page

if TYPE_CHECKING:
    from client.net.store import SavedSession

WAYS = ("play", "host", "join", "watch", "two", "rules")
"""Where the choices of the menu lead, but for the last."""
ABOUT = {
    "play": "Alone, at once, at four levels.",
    "host": "Your machine runs the match; you get a link and a code to pass on.",
    "join": "Matches on this network are listed; a link works from everywhere.",
    "watch": "Matches that go on, here and where you have been; or by a link or a code.",
    "two": "Both of you in front of this screen; secret numbers stay secret.",
    "rules": "Each game on a page or two. F1 opens them at any time.",
    "settings": "Your name, light or dark colours, animations, plain characters.",
    "quit": "",
}
"""A word on each."""


class StartPage(Page):
    """The menu."""

    ASKS = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    _left: "SavedSession | None" = None
    """The way back to a match that was left."""

    def parts(self) -> Iterable[Widget]:
        """Show the name of the game over the menu."""
        yield Vertical(
            Center(Large("Conquest", id="logo")),
            Center(Static("Five strategy games for two", id="motto", markup=False)),
            Center(Choices(id="menu")),
            Center(Static(id="about", markup=False)),
            Center(Static(id="greeting", markup=False)),
            id="start",
        )

    def on_mount(self) -> None:
        """Greet the player."""
        self.query_one(Choices).focus()

    def on_screen_resume(self) -> None:
        """Greet anew: the name may be another one, and there may be a match to go back to."""
        self.greet()
        self._offer()

    def _offer(self) -> None:
        *ways, quit_label = CHOICES
        choices = [*zip(WAYS, ways, strict=True), ("settings", "Settings"), ("quit", quit_label)]
        way = self.conquest.store.way_back(time.time())
        self._left = way[1] if way else None
        # The others keep their numbers.
        back = [("resume", GO_BACK)] if self._left else []
        self.query_one(Choices).offer([*back, *choices], first=1 - len(back))

    def greet(self) -> None:
        """Show under which name one plays."""
        self.query_one("#greeting", Static).update(f"You play as {self.conquest.player}.")

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        choice, left = event.option_id or "quit", self._left
        if choice == "resume" and left is not None:
            about = f"{TITLES.get(left.game, left.game)}, at {left.address}."
        else:
            about = ABOUT[choice]
        self.query_one("#about", Static).update(about)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == "resume" and self._left is not None:
            from client.flow.wanted import GoBack

            self.conquest.begin(GoBack(self._left.match))
        else:
            self.conquest.enter(event.option_id or "quit")
