"""Nim on the screen: the sticks that are left, and how many can be taken."""

from collections.abc import Sequence

from textual.geometry import Region

from client.core.games.nim import RENDERER
from client.tui.board import Board
from client.tui.canvas import Canvas, Drawing, Spot
from client.tui.games.piece import finished, ink_of, label_of
from client.tui.scene import Scene
from protocol.games.nim import MOST_TAKEN

NUMBERS = range(1, MOST_TAKEN + 1)


class NimBoard(Board):
    """The heap of sticks."""

    RENDERER = RENDERER
    PROMPT = "choose how many sticks to take"

    def draw(self, scene: Scene) -> Drawing:
        canvas = Canvas(*scene.size)
        canvas.put(2, 2, "│ " * scene.view.left)
        for number in NUMBERS:
            region = Region(4 * number, 4, 3, 1)
            ink = "reverse" if scene.cursor == ("sticks", number) else ""
            canvas.center(region, 0, str(number), ink)
            canvas.mark(("sticks", number), region)
        for row, seat in enumerate(scene.people.sides, start=7):
            canvas.put(2, row, label_of(scene, seat), ink_of(scene, seat))
        return finished(canvas, scene)

    def stops(self, scene: Scene) -> Sequence[Sequence[Spot]]:
        return [[("sticks", number) for number in NUMBERS]]


BOARD = NimBoard
