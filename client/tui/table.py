"""A table to choose a row from: its titles stay where they are while the rows scroll."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.core.table import Column, table_line, titles, width

BESIDE = 4
"""How many columns the room around a row takes."""


class Rows(OptionList):
    """The rows, which have the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose", key_display="Enter")]


class Table(Vertical):
    """Titles and rows. A row has a key, by which it is known wherever it stands."""

    def __init__(self, columns: Sequence[Column], narrow: Sequence[Column], id: str) -> None:
        super().__init__(id=id, classes="table")
        self._wide, self._narrow = columns, narrow

    def compose(self) -> ComposeResult:
        """Put the titles over the rows."""
        yield Static(classes="titles", markup=False)
        yield Rows(markup=False)

    @property
    def columns(self) -> Sequence[Column]:
        """The columns that there is room for."""
        return self._wide if self.app.size.width >= width(self._wide) + BESIDE else self._narrow

    def fill(self, rows: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Show rows; the cursor stays at the one it is on, if that is still there, or near it."""
        found, columns = self.query_one(Rows), self.columns
        self.query_one(".titles", Static).update(titles(columns))
        before, at = self.marked, found.highlighted or 0
        found.set_options([Option(Content(table_line(cells, columns)), id=key) for key, cells in rows])
        keys = [key for key, _ in rows]
        if keys:
            found.highlighted = keys.index(before) if before in keys else min(at, len(keys) - 1)

    @property
    def marked(self) -> str | None:
        """The key of the row under the cursor."""
        option = self.query_one(Rows).highlighted_option
        return option.id if option is not None else None

    def focus(self, scroll_visible: bool = True) -> "Table":
        """Give the keys to the rows."""
        self.query_one(Rows).focus(scroll_visible)
        return self
