"""How a match ended: who won and why, the numbers, and what can be done next."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Button, Static

from client.core.games import NO_WINNER, RENDERERS, end_lines
from client.core.games.wording import player
from client.core.slash import Command
from client.core.state import MatchState
from client.tui.dialog import Dialog
from client.tui.keys import Keys
from client.tui.letter import Large
from client.tui.theme import mark
from protocol.model import SEATS
from protocol.text import told_apart

if TYPE_CHECKING:
    from client.tui.play import ScreenPlayer

ORDERS = ("rematch", "save", "review")
LABEL, COLUMN = 16, 22
"""How wide the columns of the numbers are."""


class Result(Dialog[None]):
    """Lies over the board until the player wants to see that, play again or leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "order('rematch')", "Rematch", key_display="R"),
        Binding("a", "order('accept')", show=False),
        Binding("d", "order('decline')", show=False),
        Binding("s", "order('save')", "Save", key_display="S"),
        Binding("v", "order('review')", "Review", key_display="V"),
        Binding("b,escape,f4", "dismiss", "Board", key_display="B"),
        Binding("l", "leave", "Leave", key_display="L"),
        Binding("f1", "app.rules", "Rules", key_display="F1"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, player: "ScreenPlayer", match: MatchState, final: tuple[str, ...]) -> None:
        super().__init__()
        self._player = player
        self._match = match
        self._final = final
        self._notes: list[str] = []
        self._is_gone = False

    def compose(self) -> ComposeResult:
        """Put the winner on top, and what can be done at the bottom."""
        match = self._match
        with Vertical(classes="dialog result"):
            yield Center(Large(shout(match), id="shout", classes=_winner_class(match)))
            yield Static(headline(match), id="headline", markup=False, classes=_winner_class(match))
            with VerticalScroll(id="why", can_focus=False):
                yield Static("\n".join(why(match, self._final)), markup=False)
            yield Center(Static(self._numbers(), id="numbers", markup=False))
            yield Static("\n".join(self._notes), id="note", markup=False)
            with Horizontal(classes="answers"):
                if match.seat:
                    yield Button("Rematch", id="rematch", disabled=self._is_gone)
                    yield Button("Save", id="save", disabled=self._is_gone)
                    yield Button("Review", id="review", disabled=self._is_gone)
                yield Button("Board", id="board")
                yield Button("Leave", id="leave")
        yield Keys()

    def say(self, line: str) -> None:
        """Show a line of news below the result."""
        self._notes = [*self._notes, line][-2:]
        self._update("#note", "\n".join(self._notes))

    def around(self, match: MatchState) -> None:
        """Take in what has changed around the match."""
        self._match = match
        self._update("#numbers", self._numbers())

    def _update(self, part: str, content: Content | str) -> None:
        """Show something, if the result is open or is to be opened again; being closed takes its time."""
        for one in self.query(part).results(Static):
            one.update(content)

    def _numbers(self) -> Content:
        return numbers(self._match, bool(getattr(self.app, "is_ascii", False)))

    def gone(self) -> None:
        """Offer nothing any more that the server would have to do."""
        self._is_gone = True
        for button in self.query(Button):
            if button.id in ORDERS:
                button.disabled = True
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer orders only to a player, and only while there is somebody to carry them out."""
        return bool(self._match.seat) and not self._is_gone if action == "order" else True

    def action_order(self, name: str) -> None:
        """Ask the server for something."""
        self._player.carry_out(Command(name))

    def action_scroll(self, lines: int) -> None:
        """Scroll what does not fit."""
        self.query_one("#why", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_leave(self) -> None:
        """Leave the match for good."""
        self._player.leave()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        match event.button.id:
            case "leave":
                self.action_leave()
            case "board":
                self.dismiss()
            case str(name):
                self.action_order(name)


def shout(match: MatchState) -> str:
    """Say in a word what the end means to the one who looks."""
    winner = match.outcome.winner if match.outcome is not None else None
    if winner is None or not match.seat:
        return "The end"
    return "Victory" if winner == match.seat else "Defeat"


def headline(match: MatchState) -> str:
    """Say who won, to the one who looks."""
    winner = match.outcome.winner if match.outcome is not None else None
    if winner is None:
        return NO_WINNER
    return "You win!" if winner == match.seat else f"{told_apart(match.names)[winner - 1]} wins."


def why(match: MatchState, final: Iterable[str]) -> list[str]:
    """Say how it came to that."""
    ends = end_lines(match.outcome, match.names) if match.outcome is not None else ()
    return list(ends or final)


def numbers(match: MatchState, is_ascii: bool) -> Content:
    """Put the numbers of both players side by side: those of the match, and the matches each has won."""
    counted = RENDERERS[match.game].tally(match.view) if match.view is not None else ()
    rows = [(f"{label:<{LABEL}}", *values) for label, values in (*counted, ("Matches won", match.score))]
    heads = (f"{mark(seat, is_ascii)} {match.name(seat)}" for seat in SEATS)
    lines = [
        Content.assemble(
            " " * LABEL, *((_column(head), f"bold $p{s}") for s, head in enumerate(heads, start=1))
        ),
        Content.styled(" " * LABEL + "".join(_column(player(seat)) for seat in SEATS), "$text-muted"),
        *(Content(f"{label}{_column(first)}{_column(second)}") for label, first, second in rows),
    ]
    return Content("\n").join(lines)


def _column(value: object) -> str:
    text = str(value)
    return text + " " * (COLUMN - Content(text).cell_length)


def _winner_class(match: MatchState) -> str:
    winner = match.outcome.winner if match.outcome is not None else None
    return f"p{winner}" if winner else ""
