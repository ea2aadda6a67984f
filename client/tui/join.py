"""The pages on which one goes to somebody else's match: by what is found on this network, or by a link."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static

from client.core import wording
from client.core.catalogue import CHOICES
from client.flow.wanted import JoinAt, WatchAt
from client.net.place import Place, parse_words
from client.net.survey import LIVE, WAITING, Survey, surveys
from client.tui.choices import Choices
from client.tui.page import Page
from protocol.process.usage import Misused

ENTER_GOES_THERE = "Enter goes to the one that is marked."
HEADINGS = {"join": CHOICES[2], "watch": CHOICES[3]}
LISTS = {"join": "Open matches", "watch": "Live matches"}


class JoinPage(Page):
    """Join, or watch, a match."""

    CSS_PATH = "setup.tcss"
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
        self._found: tuple[tuple[Place, str], ...] = ()

    def parts(self) -> Iterable[Widget]:
        """Put the field for a link over the list of what was found."""
        field = Input(id="where", placeholder="7K3M-9QXZ   or   192.168.1.20 7K3M-9QXZ   or   conquest://...")
        field.border_title = wording.FROM_FRIEND
        found = Choices(id="found")
        found.can_focus = False
        found.border_title = LISTS[self._command]
        parts: list[Widget] = [Static(HEADINGS[self._command], classes="heading", markup=False), field]
        parts += [found, Static(id="looking", classes="muted", markup=False)]
        yield Vertical(*parts, id="join")

    def on_mount(self) -> None:
        """Look around in the background."""
        self.query_one("#where").focus()
        self.run_worker(self._look(), exclusive=True)

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
        remarks = survey.remarks or (ENTER_GOES_THERE,)
        self.query_one("#looking", Static).update("\n".join(remarks))
        if survey.offers != self._found:
            self._found = survey.offers
            self.query_one(Choices).offer([(place.link, line) for place, line in survey.offers])

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if not event.value.strip():
            if self._found:
                self.query_one(Choices).action_select()
            return
        try:
            self._go_to(*parse_words(event.value))
        except Misused as problem:
            self.conquest.complain(problem)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._go_to(self._found[event.option_index][0])

    def _go_to(self, place: Place | None, code: str | None = None) -> None:
        self.conquest.begin((JoinAt if self._command == "join" else WatchAt)(place, code))

    def action_walk(self, step: int) -> None:
        """Move through the list while the keys stay with the field, so that typing is not interrupted."""
        listing = self.query_one(Choices)
        if step > 0:
            listing.action_cursor_down()
        else:
            listing.action_cursor_up()
