"""How a match ended: who won and why, the numbers, and what can be done next."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Static

from client import wording
from client.games import RENDERERS, end_lines
from client.state import MatchState

if TYPE_CHECKING:
    from client.tui.chair import Chair

ORDERS = ("rematch", "save", "review")


class Result(ModalScreen[None]):
    """Lies over the board until the player wants to see that, play again or leave."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "order('rematch')", "Rematch"),
        Binding("s", "order('save')", "Save"),
        Binding("v", "order('review')", "Review"),
        Binding("escape,b,f4", "dismiss", "Board", key_display="Esc"),
        Binding("l", "leave", "Leave"),
        Binding("up", "scroll(-1)", show=False),
        Binding("down", "scroll(1)", show=False),
        Binding("f1", "app.rules", "Rules"),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, chair: "Chair", match: MatchState, final: tuple[str, ...]) -> None:
        super().__init__()
        self._chair = chair
        self._match = match
        self._final = final
        self._notes: list[str] = []
        self._is_gone = False

    def compose(self) -> ComposeResult:
        """Put the winner on top, and what can be done at the bottom."""
        match = self._match
        with Vertical(classes="dialog result"):
            yield Static(headline(match), id="headline", markup=False, classes=_winner_class(match))
            with VerticalScroll(id="why", can_focus=False):
                yield Static("\n".join(why(match, self._final)), markup=False)
            yield Static(wording.score(match), id="score", markup=False)
            yield Static("\n".join(self._notes), id="note", markup=False)
            with Horizontal(classes="answers"):
                if match.seat:
                    yield Button("Rematch", id="rematch", variant="primary", disabled=self._is_gone)
                    yield Button("Save", id="save", disabled=self._is_gone)
                    yield Button("Review", id="review", disabled=self._is_gone)
                yield Button("Board", id="board")
                yield Button("Leave", id="leave")
        yield Footer(show_command_palette=False)

    def say(self, line: str) -> None:
        """Show a line of news below the result."""
        self._notes = [*self._notes, line][-2:]
        if self.is_mounted:
            self.query_one("#note", Static).update("\n".join(self._notes))

    def around(self, match: MatchState) -> None:
        """Take in what has changed around the match."""
        self._match = match
        if self.is_mounted:
            self.query_one("#score", Static).update(wording.score(match))

    def gone(self) -> None:
        """Offer nothing any more that the server would have to do."""
        self._is_gone = True
        for button in self.query(Button):
            if button.id in ORDERS:
                button.disabled = True

    def action_order(self, name: str) -> None:
        """Ask the server for something."""
        if self._match.seat and not self._is_gone:
            self._chair.order(f"/{name}")

    def action_scroll(self, lines: int) -> None:
        """Scroll what does not fit."""
        self.query_one("#why", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_leave(self) -> None:
        """Leave the match for good."""
        self._chair.leave()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        match event.button.id:
            case "leave":
                self.action_leave()
            case "board":
                self.dismiss()
            case str(name):
                self.action_order(name)


def headline(match: MatchState) -> str:
    """Say who won, to the one who looks."""
    winner = match.outcome.winner if match.outcome is not None else None
    if winner is None:
        return "There is no winner."
    return "You win!" if winner == match.seat else f"{match.name(winner)} wins."


def why(match: MatchState, final: Iterable[str]) -> list[str]:
    """Say how it came to that, and with which numbers."""
    ends = end_lines(match.outcome, match.names) if match.outcome is not None else ()
    board = RENDERERS[match.game].board(match.view) if match.view is not None else ()
    return [*(ends or final), "", *board]


def _winner_class(match: MatchState) -> str:
    winner = match.outcome.winner if match.outcome is not None else None
    return f"p{winner}" if winner else ""
