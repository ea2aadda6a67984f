"""The page before a match: on the way to a server, or waiting for a friend with everything they need."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.widget import Widget
from textual.widgets import LoadingIndicator, Static

from client import wording
from client.catalogue import TITLES
from client.qr import qr_lines
from client.state import MatchState
from client.tui.letter import Large
from client.tui.log import Lines
from client.tui.page import Page
from protocol.link import Link

if TYPE_CHECKING:
    from client.tui.chair import Chair


class OnTheWay(Page):
    """Shown while a server is started or reached."""

    CSS_PATH = "match.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Stop")]

    def parts(self) -> Iterable[Widget]:
        """Show that something goes on."""
        yield Vertical(
            Static("One moment…", id="moment", markup=False), LoadingIndicator(), Lines(id="said"), id="onway"
        )

    def can_say(self) -> bool:
        """Tell that there is a place for it."""
        return self.is_mounted

    def say(self, lines: Iterable[str]) -> None:
        """Show what is said on the way."""
        for line in lines:
            self.query_one("#said", Lines).add(line)

    def action_leave(self) -> None:
        """Give up."""
        self.conquest.give_up()


class WaitingPage(Page):
    """Shown while a match waits for its second player."""

    CSS_PATH = "match.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "Copy the link"),
        Binding("q", "qr", "QR code"),
        Binding("escape", "leave", "Stop waiting"),
    ]

    def __init__(self, chair: "Chair", match: MatchState, link: Link) -> None:
        super().__init__()
        self.GAME = match.game
        self._chair = chair
        self._match = match
        self._link = link

    def parts(self) -> Iterable[Widget]:
        """Show the code as large as can be, and the link below it."""
        code = wording.spaced_code(self._match.code)
        heading = f"{TITLES[self._match.game]}: waiting for your friend to join"
        link = Static(str(self._link), id="link", markup=False)
        link.border_title = "The link for your friend"
        yield Vertical(
            Center(Static(heading, id="heading", markup=False)),
            Center(Large(code, id="large")),
            Center(Static(f"Code: {code}", id="code", markup=False)),
            link,
            Lines(id="said"),
            Static("\n".join(qr_lines(str(self._link), self.conquest.is_ascii)), id="qr", markup=False),
            id="waiting",
        )

    def on_mount(self) -> None:
        """Repeat what was said before this page was there."""
        said = self.query_one("#said", Lines)
        said.border_title = "This machine"
        said.can_focus = False
        self.say(self.conquest.said)
        self.set_class(self.conquest.shows_qr, "-qr")

    def can_say(self) -> bool:
        """Tell that there is a place for it."""
        return self.is_mounted

    def say(self, lines: Iterable[str]) -> None:
        """Show what is said meanwhile."""
        for line in lines:
            self.query_one("#said", Lines).add(line)

    def action_copy(self) -> None:
        """Copy the link, if the terminal lets us."""
        self.app.copy_to_clipboard(str(self._link))
        self.conquest.tell("The link was handed to your terminal's clipboard.")

    def action_qr(self) -> None:
        """Show the link as a QR code, or hide it."""
        self.toggle_class("-qr")

    def action_leave(self) -> None:
        """Ask, once, and take the match back."""
        self._chair.ask_to_leave()
