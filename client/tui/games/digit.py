"""Digit Conquest on the screen: the race to 50 on two tracks, the drawn card, and the deck by digit.

What adding and subtracting lead to is plain arithmetic and shown for what the server says is legal.
"""

from collections.abc import Sequence

from textual.geometry import Region

from client.core.games.answer import is_legal
from client.core.games.digit import ACTIONS, CARDS_LEFT, RENDERER
from client.core.games.renderer import Move
from client.tui.board import Board
from client.tui.canvas import Canvas, Drawing, Spot
from client.tui.games.piece import draw_digit, finished, framed, ink_of, label_of, texture_of, turn_ink
from client.tui.scene import Scene
from protocol.games.digit import COPIES, DIGITS, GOAL, Added, Subtracted
from protocol.model import Seat, other

CARD = (10, 7)
ROWS = 15
"""How many rows everything needs without any air between."""


def draw(scene: Scene) -> Drawing:
    """Draw the tracks, then the card and what can be done with it, then the deck."""
    canvas = Canvas(*scene.size)
    gap = min(2, (scene.size.height - ROWS) // 5)
    y = (scene.size.height - ROWS - 3 * gap + 1) // 2
    for seat in scene.people.sides:
        _draw_track(canvas, scene, seat, y)
        y += 2 + gap
    _draw_scale(canvas, y - gap)
    y += 1
    _draw_play(canvas, scene, y)
    _draw_deck(canvas, scene, y + 7 + gap)
    return finished(canvas, scene)


def after(scene: Scene, action: str) -> tuple[Seat, int] | None:
    """Say whose score an action of the player to act would change, and to what; None if there is no card."""
    if scene.view.drawn is None or not scene.view.to_act:
        return None
    actor: Seat = scene.view.to_act[0]
    if action == "add":
        return actor, scene.view.scores[actor - 1] + scene.view.drawn
    return other(actor), scene.view.scores[other(actor) - 1] - scene.view.drawn


def _track(canvas: Canvas) -> tuple[int, int]:
    """Say where the tracks begin, and how many cells a point takes."""
    stretch = max(1, (canvas.width - 4) // GOAL)
    return (canvas.width - GOAL * stretch) // 2, stretch


def _draw_track(canvas: Canvas, scene: Scene, seat: Seat, y: int) -> None:
    x, stretch = _track(canvas)
    score = scene.view.scores[seat - 1]
    ink = ink_of(scene, seat)
    canvas.put(x, y, label_of(scene, seat), turn_ink(scene, seat))
    standing = f"{score} of {GOAL}"
    right = x + GOAL * stretch - len(standing)
    canvas.put(right, y, standing, f"{ink} bold")
    just = _just(scene, seat)
    canvas.put(right - len(just) - 1, y, just, f"{ink} bold reverse")
    canvas.put(x, y + 1, "─" * GOAL * stretch, "muted")
    canvas.put(x, y + 1, texture_of(scene, seat) * score * stretch, ink)
    for action in ACTIONS:
        _draw_prospect(canvas, scene, seat, action, y + 1)
    canvas.put(x - 1, y + 1, "│", "muted")
    canvas.put(x + GOAL * stretch, y + 1, "│", "bold")


def _just(scene: Scene, seat: Seat) -> str:
    """Say what the last move did to a score, pointing at it; nothing if it was about the other one."""
    last = scene.just(Added, Subtracted)
    if last is None or (last.seat == seat) != isinstance(last, Added):
        return ""
    return f">{'+' if isinstance(last, Added) else '-'}{last.digit}<"


def _draw_prospect(canvas: Canvas, scene: Scene, seat: Seat, action: str, y: int) -> None:
    """Show on a track where a legal action would take its score: + for what comes, < for what goes."""
    prospect = after(scene, action)
    if prospect is None or prospect[0] != seat or not is_legal(scene.legal, action):
        return
    x, stretch = _track(canvas)
    low, high = sorted((scene.view.scores[seat - 1], prospect[1]))
    is_under_cursor = scene.cursor == _spot(action)
    glyph = "+" if action == "add" else "<"
    canvas.put(
        x + low * stretch,
        y,
        glyph * (high - low) * stretch,
        f"{ink_of(scene, seat)}{' bold reverse' if is_under_cursor else ''}",
    )


def _draw_scale(canvas: Canvas, y: int) -> None:
    x, stretch = _track(canvas)
    for points in range(0, GOAL + 1, 10):
        label = str(points)
        canvas.put(x + points * stretch - len(label) // 2, y, label, "muted")


def _spot(action: str) -> Spot:
    return action, ACTIONS.index(action) + 1


def _draw_play(canvas: Canvas, scene: Scene, y: int) -> None:
    """Draw the card with the two actions on its sides."""
    width, height = CARD
    card = Region((canvas.width - width) // 2, y, width, height)
    if scene.view.drawn is None:
        canvas.box(card, "light", "muted")
        canvas.center(card, height // 2, "no card", "muted")
    else:
        canvas.box(card, "double", "bold")
        draw_digit(canvas, card, scene.view.drawn, "bold", stretch=2)
    room = min(24, card.x - 3)
    for action, x in zip(ACTIONS, (card.x - 2 - room, card.right + 2), strict=True):
        _draw_action(canvas, scene, action, Region(x, y + 1, room, 5))


def _draw_action(canvas: Canvas, scene: Scene, action: str, region: Region) -> None:
    prospect = after(scene, action)
    if prospect is None:
        return
    spot = _spot(action)
    seat, score = prospect
    is_open = is_legal(scene.legal, action)
    is_under_cursor = bool(scene.legal) and scene.cursor == spot
    canvas.box(region, "heavy" if is_under_cursor else "light", "focus" if is_open else "muted")
    title = framed(f"{spot[1]} {action.capitalize()} {scene.view.drawn}", is_under_cursor)
    ink = "bold" if is_open else "muted strike" if scene.legal else "muted"
    canvas.center(region, 1, title, f"{ink} reverse" if is_under_cursor else ink)
    inside = region.shrink((0, 1, 0, 1))
    canvas.center(inside, 2, scene.name(seat), ink_of(scene, seat))
    # While we wait nobody says what the opponent may do, but no score can leave the track.
    is_possible = is_open if scene.legal else 0 <= score <= GOAL
    if is_possible:
        canvas.center(inside, 3, f"{scene.view.scores[seat - 1]} to {score}", ink)
    else:
        canvas.center(inside, 3, "not possible", "muted")
    canvas.mark(spot, region)


def _draw_deck(canvas: Canvas, scene: Scene, y: int) -> None:
    """Draw what is left of each digit, as many blocks as cards."""
    pitch = COPIES + 2
    x = (canvas.width - pitch * DIGITS + 2) // 2
    total = sum(scene.view.deck)
    canvas.center(Region(0, y, canvas.width, 1), 0, f"{CARDS_LEFT}, {total} in all", "muted")
    for digit, count in enumerate(scene.view.deck, start=1):
        region = Region(x + (digit - 1) * pitch, y + 1, COPIES, 2)
        is_under_cursor = is_legal(scene.legal, "draw") and scene.cursor == ("digit", digit)
        ink = "bold" if count else "muted strike"
        canvas.center(
            region, 0, framed(str(digit), is_under_cursor), f"{ink} reverse" if is_under_cursor else ink
        )
        canvas.put(region.x, region.y + 1, "█" * count, "focus")
        canvas.put(region.x + count, region.y + 1, "░" * (COPIES - count), "muted")
        canvas.mark(("digit", digit), region)


class DigitBoard(Board):
    """The race to 50."""

    RENDERER = RENDERER
    PROMPT = "add the card to your score, or subtract it from your opponent's"

    def draw(self, scene: Scene) -> Drawing:
        return draw(scene)

    def stops(self, scene: Scene) -> Sequence[Sequence[Spot]]:
        if is_legal(scene.legal, "draw"):
            return [[("digit", digit) for digit, left in enumerate(scene.view.deck, start=1) if left]]
        return [[_spot(action) for action in ACTIONS]] if scene.view.drawn is not None else []

    def spots_of(self, move: Move) -> list[Spot]:
        return super().spots_of(move) or [_spot(str(move["kind"]))]

    def prompt(self, scene: Scene) -> str:
        return "choose a card from the deck" if is_legal(scene.legal, "draw") else self.PROMPT

    def choose(self, spot: Spot) -> None:
        if not any(spot in row for row in self.stops(self.scene)):
            # The deck lies in sight, but only a player who is to choose a card can take one.
            self._changed()
            return
        super().choose(spot)


BOARD = DigitBoard
