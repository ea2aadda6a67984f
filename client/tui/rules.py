"""The rules of each game, to be read at any time."""

from collections.abc import Iterable
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import OptionList, Static

from client.catalogue import TITLES
from client.rules import rules_text
from client.tui.choices import Choices
from client.tui.page import Page

WIDE = 112
"""The width from which there is room for the list beside the text."""


class RulesPage(Page):
    """A list of the games, and the rules of the one that is chosen."""

    CSS_PATH = "rules.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1", "app.pop_screen", "Back", key_display="Esc"),
        Binding("right", "turn(1)", "Next game", key_display="Left/Right"),
        Binding("left", "turn(-1)", show=False),
        Binding("down", "scroll(1)", "Scroll", key_display="Up/Down"),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll_page(1)", show=False),
        Binding("pageup", "scroll_page(-1)", show=False),
        *(Binding(str(n), f"open({n})", show=False) for n in range(1, len(TITLES) + 1)),
    ]

    def __init__(self, game: str | None) -> None:
        super().__init__()
        self._shown = game or next(iter(TITLES))

    def parts(self) -> Iterable[Widget]:
        """Put the text beside the list."""
        games = Choices(list(TITLES.items()), id="games")
        games.can_focus = False
        yield Horizontal(
            games,
            VerticalScroll(Static(id="rules", markup=False), id="text", can_focus=False),
        )

    def on_mount(self) -> None:
        """Open the book at the right page."""
        games = self.query_one(Choices)
        games.highlighted = list(TITLES).index(self._shown)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self.query_one("#rules", Static).update(rules_text(event.option_id))
            self.query_one("#text", VerticalScroll).scroll_home(animate=False)

    def action_turn(self, step: int) -> None:
        """Open the rules of the next game."""
        games = self.query_one(Choices)
        games.highlighted = ((games.highlighted or 0) + step) % len(TITLES)

    def action_open(self, number: int) -> None:
        """Open the rules of a game by its number."""
        self.query_one(Choices).highlighted = number - 1

    def action_scroll(self, lines: int) -> None:
        """Scroll by some lines."""
        self.query_one("#text", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_scroll_page(self, direction: int) -> None:
        """Turn a page."""
        self.action_scroll(direction * max(1, self.query_one("#text").size.height - 2))

    def on_resize(self, event: events.Resize) -> None:
        """Leave the list out where it would make the text's lines break."""
        super().on_resize(event)
        self.set_class(event.size.width >= WIDE, "-wide")

    def action_leave(self) -> None:
        """Close the book."""
        self.app.pop_screen()
