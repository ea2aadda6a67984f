"""The pages on which one goes to somebody else's match: by what is found around here, or by a link.

Where nothing is found they say what to ask the friend for.
"""

from collections.abc import Iterable
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from client.core import wording
from client.core.catalogue import CHOICES, TITLES
from client.core.table import Column
from client.flow.wanted import JoinAt, WatchAt
from client.net.place import Place, parse_words
from client.net.survey import LIVE, WAITING, Found, Survey, surveys
from client.tui.page import Page
from client.tui.table import Rows, Table
from protocol.process.usage import Misused

COLUMNS = (Column("Game", 20), Column("Players", 34), Column("Terms", 22), Column("Where", 22))
NARROW = (Column("Game", 20), Column("Players", 18), Column("Terms", 15), Column("Where", 17))
"""The same for a window of 80 columns."""
ENTER_GOES_THERE = "Enter goes to the one that is marked."
HEADINGS = {"join": CHOICES[2], "watch": CHOICES[3]}
ASK_FOR = {
    "join": (
        "Ask your friend for one of these, and type it above:",
        "  the code, such as 7K3M-9QXZ, here or where you have been",
        "  the address and the code, such as 192.168.1.20 7K3M-9QXZ",
        "  the link, which begins with conquest:// and works from everywhere",
    ),
    "watch": (
        "Ask one of the players for the link, or for the code, and type it above.",
        "A private match is not listed, and one without spectators is closed.",
    ),
}


class JoinPage(Page):
    """Join, or watch, a match."""

    CSS_PATH = "table.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "walk(1)", "Choose", key_display="Up/Down", priority=True),
        Binding("up", "walk(-1)", show=False, priority=True),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, command: str, place: Place | None = None) -> None:
        super().__init__()
        self._command = command
        self._place = place
        """The server to ask; None to look around on this network."""
        self._found: tuple[Found, ...] = ()

    def parts(self) -> Iterable[Widget]:
        """Put the field for a link over the list of what was found."""
        field = Input(id="where", placeholder="7K3M-9QXZ   or   192.168.1.20 7K3M-9QXZ   or   conquest://...")
        field.border_title = wording.FROM_FRIEND
        heading = Static(HEADINGS[self._command], classes="heading", markup=False)
        looking = Static(id="looking", classes="muted", markup=False)
        yield Vertical(heading, field, looking, Table(COLUMNS, NARROW, id="found"), classes="listing")

    def on_mount(self) -> None:
        """Look around in the background."""
        self.query_one(Rows).can_focus = False
        self.query_one("#where").focus()
        self.work(self._look())

    def on_resize(self, event: events.Resize) -> None:
        """Write the table as wide as there is room."""
        super().on_resize(event)
        self._list()

    async def _look(self) -> None:
        target = self._place.target if self._place else None
        sought = WAITING if self._command == "join" else LIVE
        async for survey in surveys(self.conquest.player, self.conquest.store, target, sought):
            self._show(survey)

    def _show(self, survey: Survey) -> None:
        """Change the list only where it has changed, so that nothing jumps under the player's hands."""
        if not self.query("#looking, #found"):
            # The page is being taken away, its parts before itself.
            return
        remarks = (ENTER_GOES_THERE,) if survey.offers else (*survey.remarks, "", *ASK_FOR[self._command])
        self.query_one("#looking", Static).update("\n".join(remarks))
        if survey.offers != self._found:
            self._found = survey.offers
            self._list()

    def _list(self) -> None:
        self.query_one(Table).display = bool(self._found)
        self.query_one(Table).fill([(found.place.link, _row(found)) for found in self._found])

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            if self._found:
                self.query_one(Rows).action_select()
            return
        try:
            self._go_to(*parse_words(event.value))
        except Misused as problem:
            self.conquest.complain(problem)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._go_to(self._found[event.option_index].place)

    def _go_to(self, place: Place | None, code: str | None = None) -> None:
        self.conquest.begin((JoinAt if self._command == "join" else WatchAt)(place, code))

    def action_walk(self, step: int) -> None:
        """Move through the list while the keys stay with the field, so that typing is not interrupted."""
        rows = self.query_one(Rows)
        if step > 0:
            rows.action_cursor_down()
        else:
            rows.action_cursor_up()


def _row(found: Found) -> tuple[str, ...]:
    match = found.match
    terms = [f"{key} {value}" for key, value in match.options.items()]
    terms += [f"{match.clock_s} s a move"] if match.clock_s is not None else []
    terms += ["hints"] if match.hints else []
    players = " and ".join(match.names) if match.names else match.creator
    return TITLES.get(match.game, match.game), players, ", ".join(terms), found.place.target.address
