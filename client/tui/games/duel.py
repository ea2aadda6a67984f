"""Command Line Conquer on the screen: two fighters, their health and stances, and the last exchange.

Of a stance only what everybody may read in the line client is told; what we can do comes from the server.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

from textual.geometry import Region, Size

from client.core.games.answer import is_legal
from client.core.games.duel import ACTIONS, PREPARED_FOR, RENDERER, STANCES
from client.core.games.renderer import Move
from client.core.games.wording import either
from client.tui.board import Board
from client.tui.canvas import Canvas, Drawing, Spot
from client.tui.games.figure import HEIGHT as FIGURE_HEIGHT
from client.tui.games.figure import enlarged, figure
from client.tui.games.piece import draw_buttons, finished, ink_of, label_of, texture_of, turn_ink
from client.tui.scene import Scene
from protocol.games.duel import FULL_HP, Attacked, Defended, Healed, Stance
from protocol.model import Seat, other

ABOVE, BELOW = 3, 3
"""The rows of a fighter above the figure, and below it."""
ROWS = ABOVE + BELOW + 4
"""How many rows are needed beside those of the figures: a sentence and the actions, too."""
LARGE = Size(76, 24)
"""The room in which the figures are twice as large."""
EXCHANGE = 7
"""How many steps an exchange is shown in."""


def draw(scene: Scene) -> Drawing:
    """Draw a fighter on each side, what passes between them, and our actions below."""
    canvas = Canvas(*scene.size)
    spare = scene.size.height - ROWS - _figure_height(scene)
    air = min(1, spare // 2)
    top = (spare - 2 * air + 1) // 2
    half = scene.size.width // 2
    for column, seat in enumerate(scene.people.sides):
        region = Region(column * (scene.size.width - half + 1), top, half - 1, 1)
        _draw_fighter(canvas, scene, seat, region)
    middle = Region(0, top, canvas.width, 1)
    words = ABOVE + _figure_height(scene) + BELOW + air
    _draw_exchange(canvas, scene, middle, words, has_room=air > 0)
    actions = [(_spot(action), action.capitalize(), is_legal(scene.legal, action)) for action in ACTIONS]
    draw_buttons(canvas, scene, top + words + 1 + air, actions)
    return finished(canvas, scene)


def _is_large(scene: Scene) -> bool:
    has_room = scene.size.width >= LARGE.width and scene.size.height >= LARGE.height
    return has_room and not scene.is_ascii


def _figure_height(scene: Scene) -> int:
    return FIGURE_HEIGHT * (2 if _is_large(scene) else 1)


def may_do(stance: Stance) -> tuple[str, ...]:
    """List what a player in a stance may do next, as the stance itself says."""
    return tuple(action for action in ACTIONS if f"cannot {action}" not in STANCES[stance])


def _spot(action: str) -> Spot:
    return "action", ACTIONS.index(action) + 1


def _hp(scene: Scene, seat: Seat) -> int:
    """Tell a player's health; until a blow has landed, as it was before."""
    is_landing = scene.frames_left > 2 and scene.before is not None
    hp: int = (scene.before if is_landing else scene.view).hp[seat - 1]
    return hp


def _draw_fighter(canvas: Canvas, scene: Scene, seat: Seat, region: Region) -> None:
    hp, stance = _hp(scene, seat), scene.view.stances[seat - 1]
    ink = ink_of(scene, seat)
    last = scene.just(Attacked, Defended, Healed)
    label = label_of(scene, seat)
    is_last = last is not None and last.seat == seat
    canvas.center(region, 0, f"> {label} <" if is_last else label, turn_ink(scene, seat))
    stretch = max(1, min(3, (region.width - 6) // FULL_HP))
    full = max(0, hp) * stretch
    bar = Region(region.x + (region.width - FULL_HP * stretch - 6) // 2, region.y + 1, FULL_HP * stretch, 1)
    canvas.put(bar.x, bar.y, texture_of(scene, seat) * full, ink)
    canvas.put(bar.x + full, bar.y, "─" * (bar.width - full), "muted")
    canvas.put(bar.right + 1, bar.y, f"{hp:>2} HP", f"{ink} bold")
    rows = figure(stance, scene.people.side(seat) == 1, scene.is_ascii)
    for row, line in enumerate(enlarged(rows) if _is_large(scene) else rows):
        canvas.center(region, ABOVE + row, line, ink)
    feet = ABOVE + _figure_height(scene)
    first, *more = STANCES[stance].split("; ")
    canvas.center(region, feet, first.capitalize(), "bold")
    details = [(line, "muted") for line in wrap("; ".join(more), region.width)]
    if seat in scene.view.to_act and seat != scene.seat:
        details = [*details[: BELOW - 2], (f"may {either(may_do(stance))}", ink)]
    for row, (line, shade) in enumerate(details[: BELOW - 1], start=feet + 1):
        canvas.center(region, row, line, shade)


def _draw_exchange(canvas: Canvas, scene: Scene, middle: Region, words: int, has_room: bool) -> None:
    """Show the last action: a blow on its way, then what it did, in the book's words."""
    event = scene.last(Attacked, Defended, Healed)
    if event is None:
        return
    is_attack = isinstance(event, Attacked)
    if scene.frames_left > 2 and is_attack:
        _draw_blow(canvas, scene, event, middle.y + ABOVE + _figure_height(scene) // 2)
        return
    target = other(event.seat) if is_attack else event.seat
    effect = _effect(event)
    x = canvas.width // 4 if scene.people.side(target) == 1 else canvas.width - canvas.width // 4
    canvas.put(
        x - len(effect) // 2, middle.y + ABOVE - 1, effect, "bold reverse" if scene.frames_left else "bold"
    )
    canvas.center(middle, words, _deed(scene, event), ink_of(scene, event.seat))
    if has_room:
        canvas.center(middle, words + 1, " ".join(RENDERER.announce(event, scene.seat)[1:3]), "muted")


def _deed(scene: Scene, event: Any) -> str:
    match event:
        case Attacked():
            target = other(event.seat)
            whom = "you" if target == scene.people.reader else scene.name(target)
            return f"{scene.name(event.seat, 'attacks')} {whom}."
        case Defended():
            return f"{scene.name(event.seat, 'prepares')} {PREPARED_FOR}."
        case _:
            return f"{scene.name(event.seat, 'heals')} for {event.gained} HP."


def _effect(event: Any) -> str:
    match event:
        case Attacked():
            return f" -{event.damage} " if event.damage else " blocked "
        case Healed():
            return f" +{event.gained} "
    return ""


def _draw_blow(canvas: Canvas, scene: Scene, attack: Attacked, y: int) -> None:
    done = (EXCHANGE - scene.frames_left) / (EXCHANGE - 3)
    left, right = canvas.width // 4 + 5, canvas.width - canvas.width // 4 - 7
    is_left = scene.people.side(attack.seat) == 1
    start, end = (left, right) if is_left else (right, left)
    blade = "━━>" if is_left else "<━━"
    canvas.put(round(start + (end - start) * done), y, blade, f"{ink_of(scene, attack.seat)} bold")


class DuelBoard(Board):
    """The duel."""

    RENDERER = RENDERER
    PROMPT = "attack, defend or heal"

    def draw(self, scene: Scene) -> Drawing:
        return draw(scene)

    def stops(self, scene: Scene) -> Sequence[Sequence[Spot]]:
        return [[_spot(action) for action in ACTIONS]]

    def spots_of(self, move: Move) -> list[Spot]:
        return [_spot(str(move["kind"]))]

    def prompt(self, scene: Scene) -> str:
        return either([action for action in ACTIONS if is_legal(scene.legal, action)])

    def frames(self, happened: Sequence[Any]) -> int:
        return EXCHANGE if any(isinstance(event, Attacked | Healed) for event in happened) else 0


BOARD = DuelBoard
