"""The dialog in which a secret number is chosen, from cards that lie face down.

A typed digit leaves no trace on the screen; arrows and mouse show where they point, and only once they are
used. The number is handed back and not kept.
"""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from client.core.games.renderer import Invalid, Question
from client.tui.board import choosing_bindings
from client.tui.canvas import Canvas, Drawing
from client.tui.dialog import Dialog
from client.tui.games.piece import draw_card, ink_of
from client.tui.sketch import Sketch
from protocol.games.grid import HAND
from protocol.model import Owner

CARD_WIDTH, CARD_HEIGHT = 9, 5


def draw(numbers: tuple[int, ...], cursor: int | None, seat: Owner, is_ascii: bool) -> Drawing:
    """Draw a hand face down, each card's number below it; what is spent leaves its place empty."""
    canvas = Canvas(CARD_WIDTH * len(HAND), CARD_HEIGHT + 1)
    for place, number in enumerate(HAND):
        region = Region(place * CARD_WIDTH + 1, 0, CARD_WIDTH - 2, CARD_HEIGHT)
        is_left = number in numbers
        draw_card(canvas, region, "back" if is_left else "empty", ink_of(seat))
        if number == cursor:
            canvas.box(region, "heavy", "focus bold")
        label = f"[{number}]" if number == cursor else f" {number} "
        ink = "bold reverse" if number == cursor else "bold" if is_left else "muted strike"
        canvas.center(region, CARD_HEIGHT, label, ink)
        canvas.mark(("number", number), Region(region.x, 0, region.width, CARD_HEIGHT + 1))
    return canvas.drawing(is_ascii)


class Fan(Sketch, can_focus=True):
    """The cards."""

    DEFAULT_CSS = f"Fan {{ width: {CARD_WIDTH * len(HAND)}; height: {CARD_HEIGHT + 1}; }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "go(1)", "Move", key_display="Arrows"),
        Binding("left", "go(-1)", "Move", show=False),
        *choosing_bindings(HAND[-1]),
    ]

    class Chosen(Message):
        """A card was chosen; whether it can be is not known here."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, numbers: tuple[int, ...], seat: Owner) -> None:
        super().__init__()
        self._numbers, self._seat = numbers, seat
        self._cursor: int | None = None

    def drawn(self) -> Drawing:
        return draw(self._numbers, self._cursor, self._seat, self.is_ascii)

    def action_go(self, step: int) -> None:
        """Move the cursor to the next card that is left; the first arrow makes it appear."""
        if self._cursor is None:
            self._cursor = self._numbers[0 if step > 0 else -1]
        else:
            place = self._numbers.index(self._cursor) + step
            self._cursor = self._numbers[min(max(place, 0), len(self._numbers) - 1)]
        self.redraw()

    def action_choose(self) -> None:
        """Choose the card under the cursor."""
        if self._cursor is not None:
            self.post_message(self.Chosen(self._cursor))

    def action_digit(self, digit: int) -> None:
        """Choose a card by its number."""
        self.post_message(self.Chosen(digit))

    def on_click(self, event: events.Click) -> None:
        """Choose the card clicked on."""
        spot = self.spot_under(event)
        if spot is not None:
            self.post_message(self.Chosen(spot[1]))


class PickDialog(Dialog[int | None]):
    """Asks for the secret number of a challenge; hands back None when put aside."""

    DEFAULT_CSS = """
    PickDialog { align: center middle; }
    PickDialog > Vertical { width: 53; height: auto; padding: 1 3;
        background: $panel; border: round $primary; }
    PickDialog Static { width: 1fr; text-align: center; margin-bottom: 1; }
    PickDialog #wrong { margin: 1 0 0 0; color: $text-error; }
    PickDialog #way { margin: 0; color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "put_aside", "Look at the board", key_display="Esc")
    ]

    def __init__(self, question: Question, numbers: tuple[int, ...], cell: int, seat: Owner) -> None:
        super().__init__()
        self._question, self._numbers, self._cell, self._seat = question, numbers, cell, seat
        self._is_withdrawn = False

    def compose(self) -> ComposeResult:
        with Vertical():
            yield Static(f"Your secret number for cell {self._cell}", markup=False, id="title")
            yield Fan(self._numbers, self._seat)
            yield Static("", markup=False, id="wrong")
            yield Static(
                "Type it: the screen will not show which.\nEsc: look at the board", markup=False, id="way"
            )

    def on_fan_chosen(self, message: Fan.Chosen) -> None:
        """Hand the number back, or say what is wrong with it."""
        try:
            number = self._question.accept(str(message.number))
        except Invalid as invalid:
            self.query_one("#wrong", Static).update(str(invalid))
            return
        self.dismiss(int(number))

    def action_put_aside(self) -> None:
        """Close the dialog without a choice; the board can open it again."""
        self.dismiss(None)

    def withdraw(self) -> None:
        """Close the dialog because nothing is asked any more; one that is covered goes when seen again."""
        if self.is_active:
            self.dismiss(None)
        else:
            self._is_withdrawn = True

    def on_screen_resume(self) -> None:
        """Do not come back when there is nothing to choose any more."""
        if self._is_withdrawn:
            self.dismiss(None)
