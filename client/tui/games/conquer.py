"""Conquer on the screen: seven territories in a row; the walls inside a chain are gone.

The chains are counted here to be shown, never to decide anything.
"""

from collections.abc import Sequence
from typing import Any

from textual.geometry import Region

from client.core.games.conquer import RENDERER, chains, longest
from client.tui.board import Board
from client.tui.canvas import Canvas, Drawing, Spot, fitted
from client.tui.games.piece import (
    draw_digit,
    finished,
    framed,
    ink_of,
    mark_last,
    texture_of,
    turn_ink,
)
from client.tui.scene import Scene
from protocol.games.conquer import TERRITORIES, Claimed
from protocol.model import Owner, Seat

NUMBERS = range(1, TERRITORIES + 1)
AROUND = 7
"""How many rows the labels around the map, and some air, need."""
SETTLING = 4
"""How many steps a claim takes to spread over its territory."""


def draw(scene: Scene) -> Drawing:
    """Draw the map, a bracket below each chain, and what each player holds."""
    canvas = Canvas(*scene.size)
    regions = _regions(scene)
    for owner, chain in chains(scene.view.territories):
        for number in chain:
            _draw_territory(canvas, scene, number, regions[number])
        if owner:
            _open_walls(canvas, scene, [regions[number] for number in chain], owner)
            _draw_chain(canvas, scene, [regions[number] for number in chain], owner)
    if last := scene.just(Claimed):
        mark_last(canvas, scene, last.seat, regions[last.territory])
    _draw_cursor(canvas, scene, regions)
    for y, seat in enumerate(scene.people.sides, start=regions[1].bottom + 2):
        _draw_holdings(canvas, scene, seat, regions[1].x, y)
    return finished(canvas, scene)


def _regions(scene: Scene) -> dict[int, Region]:
    width = min(22, (scene.size.width - 2) // TERRITORIES)
    height = max(7, min(scene.size.height - AROUND, width + 2))
    left = (scene.size.width - width * TERRITORIES - 1) // 2
    top = max(1, (scene.size.height - height - AROUND) // 2 + 2)
    return {number: Region(left + (number - 1) * width, top, width + 1, height) for number in NUMBERS}


def _inside(region: Region) -> Region:
    return region.shrink((1, 1, 1, 1))


def _draw_territory(canvas: Canvas, scene: Scene, number: int, region: Region) -> None:
    owner = scene.view.territories[number - 1]
    inside = _inside(region)
    canvas.box(region, "light", ink_of(scene, owner))
    if owner:
        canvas.fill(inside, _texture(scene, number, owner), ink_of(scene, owner))
        label = Region(inside.x, inside.y + inside.height // 2, inside.width, 1)
        canvas.center(
            label,
            0,
            f" {fitted(scene.name(owner), inside.width - 2)} ",
            f"{ink_of(scene, owner)} bold reverse",
        )
    else:
        stretch = 2 if inside.width >= 8 else 1
        draw_digit(canvas, inside, number, "", stretch)
    canvas.center(region, -1, str(number), f"{ink_of(scene, owner)} bold")
    canvas.mark(("territory", number), region)


def _texture(scene: Scene, number: int, owner: Owner) -> str:
    claim = scene.last(Claimed)
    if scene.frames_left and claim is not None and claim.territory == number:
        return "░" if scene.frames_left % 2 else " "
    return texture_of(scene, owner)


def _open_walls(canvas: Canvas, scene: Scene, regions: Sequence[Region], owner: Owner) -> None:
    """Take the walls between neighbours of one owner away."""
    for region in regions[1:]:
        gap = Region(region.x, region.y + 1, 1, region.height - 2)
        canvas.fill(gap, texture_of(scene, owner), ink_of(scene, owner))
        canvas.put(region.x, region.y, "─", ink_of(scene, owner))
        canvas.put(region.x, region.bottom - 1, "─", ink_of(scene, owner))


def _draw_chain(canvas: Canvas, scene: Scene, chain: Sequence[Region], owner: Owner) -> None:
    if len(chain) < 2:
        return
    first, last = chain[0], chain[-1]
    below = Region(first.x, first.bottom, last.right - first.x, 1)
    canvas.put(below.x, below.y, "└" + "─" * (below.width - 2) + "┘", ink_of(scene, owner))
    canvas.center(below, 0, f" chain of {len(chain)} ", f"{ink_of(scene, owner)} bold")


def _draw_cursor(canvas: Canvas, scene: Scene, regions: dict[int, Region]) -> None:
    if scene.cursor and scene.legal:
        region = regions[scene.cursor[1]]
        canvas.box(region, "double", "focus bold")
        canvas.center(region, -1, framed(str(scene.cursor[1]), is_under_cursor=True), "bold reverse")


def _draw_holdings(canvas: Canvas, scene: Scene, seat: Seat, x: int, y: int) -> None:
    held = scene.view.territories.count(seat)
    canvas.put(x, y, texture_of(scene, seat) * 2, ink_of(scene, seat))
    canvas.put(x + 3, y, scene.name(seat), turn_ink(scene, seat))
    canvas.put(x + 25, y, f"{held} claimed, longest chain {longest(scene.view.territories, seat)}")


class ConquerBoard(Board):
    """The row of territories."""

    RENDERER = RENDERER
    PROMPT = "choose a territory to claim"

    def draw(self, scene: Scene) -> Drawing:
        return draw(scene)

    def stops(self, scene: Scene) -> Sequence[Sequence[Spot]]:
        return [[("territory", number) for number in NUMBERS]]

    def frames(self, happened: Sequence[Any]) -> int:
        return SETTLING if any(isinstance(event, Claimed) for event in happened) else 0


BOARD = ConquerBoard
