"""What all boards have in common: keys, mouse, the half-made move, the hint, and short animations.

A game's board adds a pure drawing and says what can be pointed at. It knows no rules: every choice goes
through the line client's questions, whose answers come from the server's legal moves, and so do the
sentences for what cannot be chosen.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer

from client.core import wording
from client.core.games.renderer import Answer, Invalid, Move, Renderer
from client.core.people import People
from client.core.step import Step
from client.tui.answering import answered, untyped
from client.tui.canvas import Canvas, Drawing, Spot
from client.tui.scene import SMALLEST, Scene, moved
from client.tui.sketch import Sketch
from protocol.choice import Choice
from protocol.model import Owner

CLIPPED = 3
"""How many of its lowest rows a board may lose, as when a line to write in is open, before it gives way."""
FRAME_S = 0.09
"""How long one step of an animation stays."""
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def choosing_bindings() -> list[Binding]:
    """Bind Enter to choose, and every digit to the action of that name."""
    return [
        Binding("enter,space", "choose", "Choose", key_display="Enter"),
        *(Binding(str(digit), f"digit({digit})", show=False) for digit in range(10)),
    ]


class Board(Sketch, can_focus=True):
    """The board of one match. A subclass makes it the board of one game."""

    RENDERER: ClassVar[Renderer]
    PROMPT: ClassVar[str]
    """What to do when it is our turn, after "Your turn: "."""

    DEFAULT_CSS = "Board { width: 1fr; height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(arrow, f"go('{arrow}')", "Move", show=False) for arrow in ARROWS),
        *choosing_bindings(),
        Binding("escape", "undo", "Back", key_display="Esc"),
    ]

    class Chosen(Message):
        """The player has chosen a whole legal move."""

        def __init__(self, board: "Board", move: Move) -> None:
            super().__init__()
            self.board = board
            self.move = move

        @property
        def control(self) -> "Board":
            return self.board

    class HintChanged(Message):
        """The board now expects something else."""

        def __init__(self, board: "Board", hint: str) -> None:
            super().__init__()
            self.board = board
            self.hint = hint

        @property
        def control(self) -> "Board":
            return self.board

    def __init__(self, *, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._view: Any = None
        self._before: Any = None
        self._legal: tuple[Choice, ...] = ()
        self._seat: Owner = 0
        self._people = People()
        self._cursor: Spot | None = None
        self._answers: tuple[Answer, ...] = ()
        self._typed = 0
        self._events: tuple[Any, ...] = ()
        self._past: Step | None = None
        self._hinted: frozenset[Spot] = frozenset()
        self._frames_left = 0
        self._timer: Timer | None = None
        self._complaint = ""
        self._posted_hint = ""
        self.is_over = False
        """Whether there is nothing to choose any more, whatever the view says."""

    def draw(self, scene: Scene) -> Drawing:
        """Draw the board; nothing but the scene may matter."""
        raise NotImplementedError

    def stops(self, scene: Scene) -> Sequence[Sequence[Spot]]:
        """List the rows of spots that the arrows walk through now."""
        raise NotImplementedError

    def answers_of(self, scene: Scene, spot: Spot) -> tuple[str, ...]:
        """Say what one would type in the line client to choose this spot."""
        return (str(spot[1]),)

    def prompt(self, scene: Scene) -> str:
        """Say what to choose next."""
        return self.PROMPT

    def spots_of(self, move: Move) -> list[Spot]:
        """List the spots that one would choose to make a move."""
        return [(field, int(number)) for field, number in move.items() if field != "kind"]

    def preferred(self, scene: Scene, spots: Sequence[Spot]) -> Spot | None:
        """Say at which of the spots that can be chosen the cursor is to wait, if that matters."""
        return None

    def frames(self, happened: Sequence[Any]) -> int:
        """Say how many steps the animation of these events has."""
        return 0

    def told(self, happened: Sequence[Any]) -> None:
        """Take the events that have just happened; the view they led to follows."""
        if happened:
            self._events = tuple(happened)
            self._frames_left = self.frames(self._events) if self._is_animated() else 0

    def recall(self, happened: Sequence[Any]) -> None:
        """Take the events that have led to the view which follows, to be marked and not to be played."""
        self._events = tuple(happened)
        self._stop_animation()

    def look_at(self, step: Step | None) -> None:
        """Show a step of the past in the place of the present, or the present again."""
        if step is not self._past:
            self._past = step
            self._stop_animation()
            self._changed()

    def suggest(self, move: Move) -> None:
        """Point out a move, and let the cursor wait there."""
        self._hinted, self._answers = frozenset(self.spots_of(move)), ()
        self._cursor = None
        self._cursor = self._resting_place()
        self._changed()

    def show(self, view: Any, legal: tuple[Choice, ...], seat: Owner, people: People) -> None:
        """Show a view, and let the player choose among the legal moves; none when it is not our turn."""
        if view != self._view or legal != self._legal:
            self._answers, self._typed, self._complaint, self._hinted = (), 0, "", frozenset()
        if view != self._view:
            self._before, self._view = self._view, view
        self._legal, self._seat, self._people = legal, seat, people
        self._cursor = self._resting_place()
        if self._frames_left and self._timer is None:
            self._timer = self.set_interval(FRAME_S, self.advance)
        self._changed()

    @property
    def hint(self) -> str:
        """Say what is expected now, or what was wrong with what was just tried."""
        if self._view is None:
            return ""
        return self._complaint or self._expectation()

    @property
    def moves_for_s(self) -> float:
        """How long the board will still move by itself."""
        return self._frames_left * FRAME_S

    @property
    def scene(self) -> Scene:
        """Gather what the drawing depends on."""
        size, is_ascii, past = self.size, self.is_ascii, self._past
        if past is not None:
            seen = Scene(past.view, seat=self._seat, people=self._people, events=past.events)
            return replace(seen, size=size, is_ascii=is_ascii)
        return Scene(
            view=self._view,
            legal=self._legal,
            seat=self._seat,
            people=self._people,
            cursor=self._cursor,
            answers=self._answers,
            events=self._events,
            before=self._before,
            frames_left=self._frames_left,
            size=size,
            is_ascii=is_ascii,
            hinted=self._hinted,
        )

    def advance(self) -> None:
        """Go one step on in the animation."""
        self._frames_left = max(0, self._frames_left - 1)
        if not self._frames_left:
            self._stop_animation()
        self._changed()

    def action_go(self, arrow: str) -> None:
        """Move the cursor to the next spot in a direction."""
        self._begin_anew()
        if self._view is not None:
            self._cursor = moved(self.stops(self.scene), self._cursor, *ARROWS[arrow])
        self._changed()

    def action_choose(self) -> None:
        """Choose what is under the cursor."""
        self._begin_anew()
        if self._cursor is not None:
            self.choose(self._cursor)

    def action_digit(self, digit: int) -> None:
        """Choose a spot by its number, of one digit or more."""
        typed = self._typed
        self._begin_anew()
        if self._view is None:
            return
        spots = [spot for row in self.stops(self.scene) for spot in row]
        number = typed * 10 + digit
        spot = next((spot for spot in spots if spot[1] == number), None)
        if spot is None:
            self._complain_of(number)
            return
        self._cursor = spot
        # A number that could still grow waits for the next digit, or for Enter.
        if any(number * 10 <= other < number * 10 + 10 for _, other in spots):
            self._typed = number
            self._changed()
        else:
            self.choose(spot)

    def action_undo(self) -> None:
        """Take back the half of a move that was chosen."""
        self._begin_anew()
        self._answers = self._answers[:-1]
        self._cursor = self._resting_place()
        self._changed()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave Escape to the screen while there is nothing to take back, and every key at the end.

        Who waits, watches or looks back can look around, but choose nothing.
        """
        if self._view is None or self.is_over or not self._view.to_act or self._past is not None:
            return False
        if action == "undo":
            return bool(self._answers or self._typed)
        return action == "go" or bool(self._legal)

    def choose(self, spot: Spot) -> None:
        """Choose a spot: half a move, a whole one, or something that cannot be chosen."""
        if self._past is not None:
            return
        self._cursor = spot
        if not self._legal:
            self._changed()
            return
        try:
            chosen = self._answered(spot)
        except Invalid as invalid:
            self._complain(untyped(str(invalid), self._people))
            return
        if isinstance(chosen, dict):
            self._answers = ()
            self._changed()
            self.post_message(self.Chosen(self, chosen))
        else:
            self._answers = chosen
            self._cursor = self._resting_place()
            self._changed()

    def on_click(self, event: events.Click) -> None:
        """Choose what was clicked on."""
        spot = self.spot_under(event)
        if spot is not None:
            self._begin_anew()
            self.choose(spot)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Let the cursor follow the mouse over what the arrows could reach."""
        spot = self.spot_under(event)
        if spot is not None and spot != self._cursor and any(spot in row for row in self.stops(self.scene)):
            self._cursor = spot
            self._changed()

    def drawn(self) -> Drawing | None:
        """Draw the board, or in a room too small for it what the line client would print."""
        scene = self.scene
        if scene.view is None:
            return None
        if scene.size.width >= SMALLEST.width and scene.size.height >= SMALLEST.height - CLIPPED:
            room = Size(scene.size.width, max(scene.size.height, SMALLEST.height))
            return self.draw(replace(scene, size=room))
        canvas = Canvas(*scene.size)
        for y, line in enumerate(self.RENDERER.board(scene.view)):
            canvas.put(0, y, line)
        return canvas.drawing(scene.is_ascii)

    def _is_animated(self) -> bool:
        if not self.is_mounted or self.app.animation_level == "none":
            return False
        return bool(getattr(self.app, "has_animations", True))

    def _stop_animation(self) -> None:
        self._frames_left = 0
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _begin_anew(self) -> None:
        """Forget what the last key left: a complaint, the start of a number, an animation."""
        self._complaint, self._typed = "", 0
        self._stop_animation()

    def _answered(self, spot: Spot) -> tuple[Answer, ...] | Move:
        texts = self.answers_of(self.scene, spot)
        return answered(self.RENDERER, self._view, self._legal, self._answers, texts)

    def _is_choosable(self, spot: Spot) -> bool:
        try:
            self._answered(spot)
        except Invalid:
            return False
        return True

    def _resting_place(self) -> Spot | None:
        """Find where the cursor belongs: where it is, if that can be chosen, else at the first that can."""
        if self._view is None:
            return None
        spots = [spot for row in self.stops(self.scene) for spot in row]
        if self._legal:
            choosable = [spot for spot in spots if self._is_choosable(spot)]
            if self._cursor in choosable:
                return self._cursor
            hinted = next((spot for spot in choosable if spot in self._hinted), None)
            return hinted or self.preferred(self.scene, choosable) or next(iter(choosable or spots), None)
        return self._cursor if self._cursor in spots else next(iter(spots), None)

    def _complain_of(self, number: int) -> None:
        """Say why a number that no spot has cannot be chosen."""
        try:
            if self._legal:
                self._answered(("", number))
        except Invalid as invalid:
            self._complaint = untyped(str(invalid), self._people)
        self._changed()

    def _complain(self, sentence: str) -> None:
        self._complaint = sentence
        self._changed()

    def _expectation(self) -> str:
        if self._legal:
            typed = f"  {self._typed}…" if self._typed else ""
            return f"Your turn: {self.prompt(self.scene)}{typed}"
        if not self._view.to_act:
            return wording.OVER
        names = [self._people.called(seat) for seat in self._view.to_act if seat != self._seat]
        return f"Waiting for {' and '.join(names)} to {self.waited_for()}" if names else "Please wait."

    def waited_for(self) -> str:
        """Say what an opponent owes."""
        return "move"

    def _changed(self) -> None:
        """Draw anew, and tell the screen if the hint is another one."""
        self.redraw()
        self.refresh_bindings()
        if self.hint != self._posted_hint:
            self._posted_hint = self.hint
            self.post_message(self.HintChanged(self, self.hint))
