"""The dialog in which a secret number is chosen, from cards that lie face down, and then played.

A typed digit leaves no trace on the screen; arrows and mouse show where they point, and only once they are
used. The number is handed back and not kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass
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
from client.tui.games.piece import draw_card
from client.tui.haste import after_haste
from client.tui.sketch import Sketch
from protocol.games.grid import HAND

CARD_WIDTH, CARD_HEIGHT = 9, 5
TYPE = "Type it, and press Enter: the screen will not show which."
TYPE_AT_ONCE = "Type it: it is played at once, and the screen will not show which."
CHOSEN = "Chosen. Enter plays it; another digit changes it."
CHOSEN_HERE = "Enter plays it."
BACK = "Esc: look at the board"


@dataclass(frozen=True, slots=True)
class Challenge:
    """What a secret number is asked for."""

    question: Question
    numbers: tuple[int, ...]
    """Those that are left."""
    cell: int
    ink: str
    """The colour of the player who is asked."""
    hands: Sequence[str] = ()
    """What both have left, a line for each."""


def draw(numbers: tuple[int, ...], cursor: int | None, ink: str, is_ascii: bool) -> Drawing:
    """Draw a hand face down, each card's number below it; what is spent leaves its place empty."""
    canvas = Canvas(CARD_WIDTH * len(HAND), CARD_HEIGHT + 1)
    for place, number in enumerate(HAND):
        region = Region(place * CARD_WIDTH + 1, 0, CARD_WIDTH - 2, CARD_HEIGHT)
        is_left = number in numbers
        draw_card(canvas, region, "back" if is_left else "empty", ink)
        if number == cursor:
            canvas.box(region, "heavy", "focus bold")
        label = f"[{number}]" if number == cursor else f" {number} "
        shade = "bold reverse" if number == cursor else "bold" if is_left else "muted strike"
        canvas.center(region, CARD_HEIGHT, label, shade)
        canvas.mark(("number", number), Region(region.x, 0, region.width, CARD_HEIGHT + 1))
    return canvas.drawing(is_ascii)


class Fan(Sketch, can_focus=True):
    """The cards."""

    DEFAULT_CSS = f"Fan {{ width: {CARD_WIDTH * len(HAND)}; height: {CARD_HEIGHT + 1}; }}"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "go(1)", "Move", key_display="Arrows"),
        Binding("left,h", "go(-1)", "Move", show=False),
        *choosing_bindings(),
    ]

    class Pointed(Message):
        """A card was chosen, by its number or by pointing at it; whether it can be is not known here."""

        def __init__(self, number: int, is_typed: bool) -> None:
            super().__init__()
            self.number, self.is_typed = number, is_typed

    class Confirmed(Message):
        """What was chosen is to be played."""

    def __init__(self, numbers: tuple[int, ...], ink: str) -> None:
        super().__init__()
        self._numbers, self._ink = numbers, ink
        self._cursor: int | None = None
        self.is_ready = False
        """Whether keys and clicks count."""

    def drawn(self) -> Drawing:
        return draw(self._numbers, self._cursor, self._ink, self.is_ascii)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Take no key before the cards have been seen."""
        return self.is_ready

    def action_go(self, step: int) -> None:
        """Move the cursor to the next card that is left; the first arrow makes it appear."""
        if self._cursor is None:
            self._point(self._numbers[0 if step > 0 else -1])
        else:
            place = self._numbers.index(self._cursor) + step
            self._point(self._numbers[min(max(place, 0), len(self._numbers) - 1)])

    def action_choose(self) -> None:
        """Play what was chosen."""
        self.post_message(self.Confirmed())

    def action_digit(self, digit: int) -> None:
        """Choose a card by its number, without a trace."""
        self._cursor = None
        self.redraw()
        self.post_message(self.Pointed(digit, is_typed=True))

    def on_click(self, event: events.Click) -> None:
        """Choose the card clicked on; a second click plays it."""
        spot = self.spot_under(event)
        if spot is None or not self.is_ready:
            return
        if spot[1] == self._cursor:
            self.action_choose()
        elif spot[1] in self._numbers:
            self._point(spot[1])
        else:
            self.post_message(self.Pointed(spot[1], is_typed=True))

    def _point(self, number: int) -> None:
        self._cursor = number
        self.redraw()
        self.post_message(self.Pointed(number, is_typed=False))


class PickDialog(Dialog[int | None]):
    """Asks for the secret number of a challenge; hands back None when put aside."""

    DEFAULT_CSS = """
    PickDialog { align: center middle; }
    PickDialog > Vertical { width: 56; height: auto; padding: 1 3; align-horizontal: center;
        background: $panel; border: round $primary; }
    PickDialog Static { width: 1fr; text-align: center; }
    PickDialog #hands { margin: 1 0; height: auto; color: $text-muted; }
    PickDialog #wrong { color: $text-error; height: auto; }
    PickDialog #way { color: $accent; }
    PickDialog #back { color: $text-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "put_aside", BACK, key_display="Esc")]

    def __init__(self, challenge: Challenge, is_confirmed: bool = True, is_unasked: bool = False) -> None:
        super().__init__()
        self._challenge, self._is_confirmed, self._is_unasked = challenge, is_confirmed, is_unasked
        self._number: int | None = None
        self._is_withdrawn = False

    def compose(self) -> ComposeResult:
        challenge = self._challenge
        with Vertical():
            yield Static(f"Your secret number for cell {challenge.cell}", markup=False, id="title")
            yield Static("\n".join(challenge.hands), markup=False, id="hands")
            yield Fan(challenge.numbers, challenge.ink)
            yield Static("", markup=False, id="wrong")
            yield Static("", markup=False, id="way")
            yield Static(BACK, markup=False, id="back")

    def on_mount(self) -> None:
        """Take keys at once if the player has asked for the cards."""
        if self._is_unasked:
            after_haste(self, self.ready)
        else:
            self.ready()

    def ready(self) -> None:
        """Take keys from now on, and say so."""
        self.query_one(Fan).is_ready = True
        self._tell(TYPE if self._is_confirmed else TYPE_AT_ONCE)

    def _tell(self, way: str, wrong: str = "") -> None:
        self.query_one("#way", Static).update(way)
        self.query_one("#wrong", Static).update(wrong)

    def on_fan_pointed(self, message: Fan.Pointed) -> None:
        """Take the number, or say what is wrong with it."""
        try:
            self._number = int(self._challenge.question.accept(str(message.number)))
        except Invalid as invalid:
            self._number = None
            self._tell(TYPE if self._is_confirmed else TYPE_AT_ONCE, str(invalid))
            return
        if message.is_typed and not self._is_confirmed:
            self.dismiss(self._number)
        else:
            self._tell(CHOSEN if message.is_typed else CHOSEN_HERE)

    def on_fan_confirmed(self) -> None:
        """Hand back the number that was chosen."""
        if self._number is not None:
            self.dismiss(self._number)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Put nothing aside that has not been seen."""
        return action != "put_aside" or (bool(self.query(Fan)) and self.query_one(Fan).is_ready)

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
