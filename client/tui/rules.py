"""The rules of each game, to be read at any time."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widget import Widget
from textual.widgets import OptionList, Static

from client.catalogue import TITLES
from client.rules import rules_text
from client.tui.dialog import Choices
from client.tui.page import Page


class RulesPage(Page):
    """A list of the games, and the rules of the one that is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f1", "app.pop_screen", "Back", key_display="Esc"),
        Binding("pageup,left", "scroll(-1)", "Up", show=False),
        Binding("pagedown,right,space", "scroll(1)", "Down", key_display="PgDn"),
    ]

    def __init__(self, game: str | None) -> None:
        super().__init__()
        self._shown = game or next(iter(TITLES))

    def parts(self) -> Iterable[Widget]:
        """Put the text beside the list."""
        yield Horizontal(
            Choices(list(TITLES.items()), id="games"),
            VerticalScroll(Static(id="rules", markup=False), id="text", can_focus=False),
        )

    def on_mount(self) -> None:
        """Open the book at the right page."""
        games = self.query_one(Choices)
        games.focus()
        games.highlighted = list(TITLES).index(self._shown)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self.query_one("#rules", Static).update(rules_text(event.option_id))
            self.query_one("#text", VerticalScroll).scroll_home(animate=False)

    def action_scroll(self, direction: int) -> None:
        """Turn a page."""
        text = self.query_one("#text", VerticalScroll)
        text.scroll_relative(y=direction * max(1, text.size.height - 2), animate=False)

    def action_leave(self) -> None:
        """Close the book."""
        self.app.pop_screen()
