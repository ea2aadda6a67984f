"""The matches that were played here: a table, the results against each opponent, the way to each of them."""

from collections.abc import Iterable
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from client.core import history
from client.core.catalogue import TITLES
from client.core.history import COLUMNS, NARROW, Played
from client.core.record import BadRecord
from client.net.history import History, read
from client.tui.page import Page
from client.tui.table import Table
from protocol.process.supervision import in_thread


class HistoryPage(Page):
    """The table has the keys; a line above it is for looking for an opponent."""

    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "show(True)", "Review", key_display="R"),
        Binding("slash", "look_for", "Opponent", key_display="/"),
        Binding("g", "next_game", "Game", key_display="G"),
        Binding("delete", "forget", "Forget", key_display="Del"),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, game: str = "", opponent: str = "") -> None:
        super().__init__()
        self._game, self._opponent = game, opponent
        self._everything: list[Played] = []
        self._chosen: list[Played] = []

    def parts(self) -> Iterable[Widget]:
        """Put the table over the results."""
        self._kept = History(self.conquest.store)
        field = Input(self._opponent, id="opponent", placeholder="The name begins with…")
        field.border_title = "Opponent"
        yield Vertical(
            Static(id="chosen", classes="heading", markup=False),
            field,
            Table(COLUMNS, NARROW, id="table"),
            Static(id="totals", markup=False),
            Static(f"Kept in {self._kept.folder}", classes="muted", markup=False),
            classes="listing",
        )

    def on_mount(self) -> None:
        """Read what there is, which may be much."""
        self.query_one(Table).focus()
        self.work(self._load())

    def on_resize(self, event: events.Resize) -> None:
        """Write the table as wide as there is room."""
        super().on_resize(event)
        self._list()

    async def _load(self) -> None:
        self._everything = await in_thread(self._kept.matches, "reading the history")
        self._list()

    def _list(self) -> None:
        """Show what fits."""
        self._chosen = history.fitting(self._everything, self._game, self._opponent)
        numbers = {match.file: number for number, match in enumerate(self._everything, start=1)}
        table = self.query_one(Table)
        table.fill(
            [(match.file, history.row(numbers[match.file], match, table.columns)) for match in self._chosen]
        )
        self.query_one("#chosen", Static).update(self._heading())
        self.query_one("#totals", Static).update("\n".join(self._said()))
        self.refresh_bindings()

    def _heading(self) -> str:
        game = TITLES.get(self._game, "All games")
        return f"{game}, against {self._opponent}…" if self._opponent else game

    def _said(self) -> Iterable[str]:
        if self._chosen:
            return history.totals(self._chosen)
        return (history.NOTHING_FITS if self._everything else history.NOTHING,)

    @property
    def _marked(self) -> Played | None:
        marked = self.query_one(Table).marked
        return next((match for match in self._chosen if match.file == marked), None)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what needs a match only where there is one."""
        return bool(self._chosen) if action in ("show", "forget") else True

    def action_show(self, is_review: bool = False) -> None:
        """Look at the match again that is marked."""
        if (match := self._marked) is None:
            return
        try:
            self.conquest.show_again(read(self._kept.path(match)), is_review)
        except BadRecord as no:
            self.conquest.tell(str(no))

    def action_look_for(self) -> None:
        """Let the name of an opponent be typed."""
        self.add_class("-looking")
        self.query_one("#opponent").focus()

    def action_next_game(self) -> None:
        """Show the next game's matches only, and after the last game's all."""
        games = ["", *TITLES]
        self._game = games[(games.index(self._game) + 1) % len(games)]
        self._list()

    def action_forget(self) -> None:
        """Remove a match's record, after a yes."""
        if (match := self._marked) is not None:
            question = f"Forget this match?\nIts record is removed for good: {match.file}"
            self.conquest.confirm(question, lambda: self._forget(match))

    def _forget(self, match: Played) -> None:
        self._kept.forget(match)
        self._everything.remove(match)
        self._list()

    def action_back(self) -> None:
        """Close the line for a name, or the page."""
        if self.has_class("-looking"):
            self._looked_for()
        else:
            super().action_back()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._opponent = event.value
        self._list()

    @on(Input.Submitted)
    def _looked_for(self) -> None:
        self.remove_class("-looking")
        self.query_one(Table).focus()

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_show()
