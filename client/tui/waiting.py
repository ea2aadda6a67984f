"""The page before a match: on the way to a server, or waiting for a friend with everything they need."""

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Center, Vertical
from textual.widget import Widget
from textual.widgets import LoadingIndicator, Static

from client.core import wording
from client.core.catalogue import CHOICES, TITLES
from client.core.games.renderer import Lines
from client.core.qr import qr_lines
from client.core.state import MatchState
from client.flow.wanted import Host, HostAt, JoinAt, PlayHere, PlayTwo, Wanted, WatchAt
from client.tui.letter import Large
from client.tui.log import LogLines
from client.tui.page import Page
from protocol.link import Link, address_text

if TYPE_CHECKING:
    from client.tui.play import ScreenPlayer


LONG_S = 8.0
"""After how long somebody who waits is told what to do."""
HERE = "This takes long. Esc stops it; “conquest doctor” says what may be wrong here."
THERE = "This takes long. Is the address right, and is the host there? Esc stops; “conquest doctor” helps."


def awaited(wanted: Wanted) -> tuple[str, str]:
    """Say what is awaited, and what to do when that takes long."""
    match wanted:
        case PlayHere() | PlayTwo():
            return "Starting a game on this machine…", HERE
        case Host():
            return "Starting a server on this machine…", HERE
        case HostAt(target=target):
            return f"Reaching {target.address}…", THERE
        case JoinAt(place=None, code=str(code)) | WatchAt(place=None, code=str(code)):
            return f"Looking for the match {wording.spaced_code(code)}…", THERE
        case JoinAt(place=place) | WatchAt(place=place) if place is not None:
            return f"Reaching {place.target.address}…", THERE
        case _:
            return "Going back to the match…", THERE


class OnTheWay(Page):
    """Shown while a server is started or reached."""

    CSS_PATH = "match.tcss"
    ASKS = True
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Stop", key_display="Esc")]

    def __init__(self, wanted: Wanted) -> None:
        super().__init__()
        self._awaited, self._advice = awaited(wanted)

    def on_mount(self) -> None:
        """Let nobody wait for long without a word."""
        self.set_timer(LONG_S, partial(self.say, [self._advice]))

    def parts(self) -> Iterable[Widget]:
        """Show that something goes on, and what."""
        yield Vertical(
            Static(self._awaited, id="moment", markup=False),
            LoadingIndicator(),
            LogLines(id="said"),
            id="onway",
        )

    def can_say(self) -> bool:
        """Tell that there is a place for it."""
        return self.is_mounted

    def say(self, lines: Iterable[str]) -> None:
        """Show what is said on the way."""
        for line in lines:
            self.query_one("#said", LogLines).add(line)

    def action_leave(self) -> None:
        """Give up."""
        self.conquest.errand.give_up()


class WaitingPage(Page):
    """Shown while a match waits for its second player."""

    CSS_PATH = "match.tcss"
    ASKS = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "copy", "Copy the link", key_display="C"),
        Binding("r", "qr", "QR code", key_display="R"),
        Binding("escape", "stop", "Stop waiting", key_display="Esc"),
    ]

    def __init__(self, player: "ScreenPlayer", match: MatchState, link: Link, by_ssh: Lines = ()) -> None:
        super().__init__()
        self.GAME = match.game
        self._player = player
        self._match = match
        self._link = link
        self._by_ssh = by_ssh

    def parts(self) -> Iterable[Widget]:
        """Show the code as large as can be, and the link below it."""
        code = wording.spaced_code(self._match.code)
        link = Static(str(self._link), id="link", markup=False)
        link.border_title = "The link for your friend"
        yield Vertical(
            Center(Static(TITLES[self._match.game], id="heading", markup=False)),
            Center(Static(wording.WAITING, id="waiting-for", markup=False)),
            Center(Large(code, id="large")),
            Center(Static(code, id="code", markup=False)),
            link,
            Static("\n".join(self._ways()), id="ways", markup=False),
            LogLines(id="said"),
            id="waiting",
        )
        yield Static(id="qr", markup=False)

    def _ways(self) -> Iterable[str]:
        """Say how a friend comes here."""
        address = address_text(self._link.host, self._link.port)
        place = "'…', with the whole link" if self._link.relay else address
        code = "" if self._link.relay else f" {wording.spaced_code(self._match.code)}"
        yield f"Your friend types:  conquest join {place}{code}"
        yield from (f"With ssh alone:     {line}" for line in self._by_ssh)
        if not self._match.private:
            yield f"On the same network this match is listed under “{CHOICES[2]}”."

    def on_mount(self) -> None:
        """Repeat what was said before this page was there."""
        said = self.query_one("#said", LogLines)
        said.border_title = "This server"
        said.can_focus = False
        self.say(self.conquest.said)
        if self.conquest.shows_qr:
            self.call_after_refresh(self.action_qr)

    def can_say(self) -> bool:
        """Tell that there is a place for it."""
        return self.is_mounted

    def say(self, lines: Iterable[str]) -> None:
        """Show what is said meanwhile."""
        for line in lines:
            self.query_one("#said", LogLines).add(line)

    def action_copy(self) -> None:
        """Copy the link, if the terminal lets us."""
        self.app.copy_to_clipboard(str(self._link))
        self.conquest.tell("The link was handed to your terminal's clipboard.")

    def action_qr(self) -> None:
        """Show the link as a QR code, or hide it."""
        lines = qr_lines(str(self._link), self.conquest.is_ascii)
        self.query_one("#qr", Static).update("\n".join(lines))
        needed = len(lines) + 1
        if self.size.height < needed and not self.has_class("-qr"):
            self.conquest.tell(f"The QR code needs a window of {needed} lines.")
        else:
            self.toggle_class("-qr")

    def action_stop(self) -> None:
        """Hide the QR code, or stop waiting."""
        if self.has_class("-qr"):
            self.remove_class("-qr")
        else:
            self.action_leave()

    def action_leave(self) -> None:
        """Ask, once, and take the match back."""
        self._player.ask_to_leave()
