"""How the page of a match is laid out, in windows of any size: the board first, the rest in what is left.

In a wide window the moves and the chat stand beside the board, in a small one three lines below it; in the
smallest there are the board, what is expected, and the keys.
"""

from collections.abc import Iterable
from dataclasses import replace

from textual import events
from textual.binding import ActiveBinding
from textual.containers import Container, Horizontal
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Footer, Static

from client.core.state import MatchState
from client.tui.banner import Banner
from client.tui.board import Board
from client.tui.card import Card
from client.tui.chat import ChatLine
from client.tui.games import BOARDS
from client.tui.log import LogLines
from client.tui.offer import OfferBar
from client.tui.page import SMALLEST, Page
from client.tui.result import Result
from protocol.model import SEATS

WIDE = 110
"""The width from which there is room for the lists beside the board."""
LARGE = Size(100, 36)
"""The window from which there is room for the lists below the board."""
TALL = 30
LOW = 24
MINOR = {"f1": 100, "question_mark": SMALLEST.width, "pageup": SMALLEST.width}
"""The width below which the footer leaves out a key that one can do without reading of it."""


class Layout(Page):
    """The page, without what happens on it."""

    SMALLEST = Size(60, 18)
    CSS_PATH = "match.tcss"

    def __init__(self, match: MatchState) -> None:
        super().__init__()
        self.GAME = match.game
        self._match = match

    def parts(self) -> Iterable[Widget]:
        """Lay everything out; which of the lists is shown depends on the window."""
        yield Banner()
        yield Static(id="title", markup=False)
        yield Horizontal(*(Card(side) for side in SEATS), id="cards")
        moves, talk = LogLines(id="moves"), LogLines(id="talk")
        moves.border_title, talk.border_title = "Moves", "Chat"
        yield Container(BOARDS[self._match.game](id="board"), Container(moves, talk, id="side"), id="middle")
        yield LogLines(id="strip")
        yield Result(id="result")
        yield OfferBar()
        yield Static(id="hint", markup=False)
        yield ChatLine(id="say")

    @property
    def board(self) -> Board:
        """The board of this game."""
        return self.query_one("#board", Board)

    @property
    def banner(self) -> Banner:
        """The place for trouble with the connection."""
        return self.query_one(Banner)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys that do something now; a narrow footer names the most needed only."""
        found = super().active_bindings
        for key, width in MINOR.items():
            if key in found and self.size.width < width:
                found[key] = found[key]._replace(binding=replace(found[key].binding, show=False))
        return found

    def regain_focus(self) -> None:
        """Give the keys back to the board."""
        self.board.focus()

    def on_resize(self, event: events.Resize) -> None:
        """Give the board the room it needs, and the rest what is left."""
        super().on_resize(event)
        width, height = event.size
        is_compact = width < SMALLEST.width or height < SMALLEST.height
        self.set_class(width >= WIDE, "-wide")
        self.set_class(LARGE.width <= width < WIDE and height >= LARGE.height, "-large")
        self.set_class(height >= TALL, "-tall")
        self.set_class(height < LOW, "-low")
        self.set_class(is_compact, "-compact")
        self.set_class(self._match.clock_s is None, "-untimed")
        for card in self.query(Card):
            card.set_class(is_compact, "-flat")
        # All keys must find room in the footer.
        self.query_one(Footer).compact = width < LARGE.width
        self.refresh_bindings()
