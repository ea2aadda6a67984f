"""The matches that go on, wherever they are: whose turn it is, and one key to go there."""

from collections.abc import Iterable
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static

from client.core.ongoing import COLUMNS, NARROW, NOTHING, Ongoing
from client.flow.wanted import GoBack
from client.net.ongoing import ongoing_again
from client.tui.page import Page
from client.tui.table import Table

ASKING = "Asking the servers…"


class MatchesPage(Page):
    """The table, which is kept up to date."""

    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back", key_display="Esc")]

    def __init__(self) -> None:
        super().__init__()
        self._found: list[Ongoing] = []

    def parts(self) -> Iterable[Widget]:
        """Put the table below its heading."""
        yield Vertical(
            Static("Your matches", classes="heading", markup=False),
            Table(COLUMNS, NARROW, id="matches"),
            Static(ASKING, id="looking", classes="muted", markup=False),
            classes="listing",
        )

    def on_mount(self) -> None:
        """Ask in the background."""
        self.query_one(Table).focus()
        self.work(self._ask())

    def on_resize(self, event: events.Resize) -> None:
        """Write the table as wide as there is room."""
        super().on_resize(event)
        self._list()

    async def _ask(self) -> None:
        async for found in ongoing_again(self.conquest.store):
            self._found = found
            self.query_one("#looking", Static).update("Enter goes there." if self._found else NOTHING)
            self._list()

    def _list(self) -> None:
        table = self.query_one(Table)
        table.fill([(one.code, one.row(len(table.columns))) for one in self._found])

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.conquest.begin(GoBack(event.option_id))
