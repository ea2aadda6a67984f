"""How a match ended, below its final board: who won and why, the numbers, and what can be done next.

It lies over nothing: the board stays in sight, and so do its past and the chat.
"""

from collections.abc import Iterable

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Button, Static

from client.core import wording
from client.core.games import RENDERERS, end_lines
from client.core.state import MatchState
from client.core.step import Step, lines_of

ORDERS = {"rematch": "R Rematch", "save": "S Save", "review": "V Review", "leave": "Q Leave"}
"""What can be done next, each behind its key."""


class Result(Vertical):
    """Shown when the match is over."""

    class Chosen(Message):
        """The player has clicked on what is to be done next."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def compose(self) -> ComposeResult:
        """Put who won over the numbers, and those over what can be done."""
        yield Static(id="headline", markup=False)
        yield Static(id="numbers", markup=False)
        with Horizontal(classes="answers"):
            for name, label in ORDERS.items():
                button = Button(label, id=name)
                # Its key does the same, and Enter in haste does nothing.
                button.can_focus = False
                yield button

    def show(self, match: MatchState, last: Step, idle: set[str]) -> None:
        """Say how the match ended; what cannot be done now cannot be clicked on."""
        winner = match.outcome.winner if match.outcome is not None else None
        line = self.query_one("#headline", Static)
        line.update(headline(match, last))
        line.set_classes(f"p{match.people.side(winner)}" if winner else "")
        self.query_one("#numbers", Static).update(numbers(match))
        for button in self.query(Button):
            button.disabled = button.id in idle
            button.display = bool(match.seat) or button.id not in ("rematch",)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.post_message(self.Chosen(event.button.id or ""))


def headline(match: MatchState, last: Step) -> str:
    """Say who won, and by what, once."""
    ends = end_lines(match.outcome, match.names, match.reader) if match.outcome is not None else ()
    if ends:
        return ends[0]
    who, winner = match.people.called, match.outcome.winner if match.outcome is not None else None
    untold = who(winner, "wins") if winner else wording.OVER.rstrip(".")
    return f"{lines_of(match.game, last, who, untold)[-1].strip()}."


def numbers(match: MatchState) -> Content:
    """Put the numbers of each player into a line: those of the match, and the matches each has won."""
    people = match.people
    counted = RENDERERS[match.game].tally(match.view) if match.view is not None else ()
    columns = [("", (people.called(1), people.called(2))), *counted, ("Matches won", match.score)]
    lines = []
    for seat in people.sides:
        cells = [_cell(label, values, values[seat - 1]) for label, values in columns]
        lines.append(Content.styled("   ".join(cells).rstrip(), f"$p{people.side(seat)}"))
    return Content("\n").join(lines)


def _cell(label: str, values: Iterable[object], value: object) -> str:
    """Write a value as wide as the other one of its column."""
    width = max(Content(str(each)).cell_length for each in values)
    text = str(value)
    return f"{label} {text}{' ' * (width - Content(text).cell_length)}".lstrip()
