"""Grid Conquest on the screen: the grid, both hands, and the two cards of a challenge.

A number picked stays face down, our own too, until the server reveals both: others may be looking at this
screen. Only events ever turn a card.
"""

from collections.abc import Sequence
from typing import Any

from textual.geometry import Region

from client.core.games.answer import is_legal, values_of
from client.core.games.grid import MARKERS, RENDERER, SUDDEN_DEATH
from client.core.games.renderer import Question
from client.core.games.wording import listed
from client.core.people import People
from client.tui.board import Board
from client.tui.canvas import Canvas, Drawing, Spot, fitted
from client.tui.games.pick import Challenge, PickDialog
from client.tui.games.piece import draw_card, finished, framed, ink_of, mark_last, turn_ink
from client.tui.scene import Scene
from protocol.choice import Choice
from protocol.games.grid import HAND, Challenged, Claimed, Revealed, View
from protocol.model import Owner, Seat

TURNING = 9
"""How many steps the two cards take to turn."""
PANEL, PANEL_HEIGHT = 21, 15
TWO_DIGITS = "1 2 is cell 12, 1 Enter is cell 1"
"""How a cell is typed where there are more than nine."""
SOLID = str.maketrans("▀▄█", "###")
"""Half blocks would leave marks of dots where only ASCII can be shown."""
SMALL_MARKS = {1: ("▀▄ ▄▀", "  █  ", "▄▀ ▀▄"), 2: ("▄▀▀▀▄", "█   █", "▀▄▄▄▀")}
LARGE_MARKS = {
    1: ("█▄     ▄█", " ▀█▄ ▄█▀ ", "   ███   ", " ▄█▀ ▀█▄ ", "█▀     ▀█"),
    2: (" ▄█▀▀▀█▄ ", "██     ██", "█       █", "██     ██", " ▀█▄▄▄█▀ "),
}


def draw(scene: Scene) -> Drawing:
    """Draw the grid on the left and both players with their numbers on the right."""
    canvas = Canvas(*scene.size)
    cells = _cell_regions(scene)
    for cell, region in cells.items():
        _draw_cell(canvas, scene, cell, region)
    if last := scene.just(Claimed, Revealed, Challenged):
        actor = last.challenger if isinstance(last, Revealed) else last.seat
        mark_last(canvas, scene, actor, cells[last.cell])
    _draw_special(canvas, scene, cells)
    x = cells[scene.view.size].right + 2
    y = min(cells[1].y, scene.size.height - PANEL_HEIGHT)
    panel = Region(x, y, scene.size.width - x, PANEL_HEIGHT)
    for row, seat in enumerate(scene.people.sides):
        _draw_hand(canvas, scene, seat, panel.translate((0, 4 * row)))
    if scene.view.sudden_death:
        canvas.put(panel.x, panel.y + 7, SUDDEN_DEATH, "bad bold")
    _draw_challenge(canvas, scene, panel.translate((0, 8)))
    return finished(canvas, scene)


def _cell_regions(scene: Scene) -> dict[int, Region]:
    """Lay the cells out as large as the room allows, about twice as wide as high; walls are shared."""
    size = scene.view.size
    # An even height leaves an odd number of rows inside, so that a mark has a middle to stand in.
    height = max(2, min(12, (scene.size.height - 2) // size // 2 * 2))
    width = max(4, min(2 * height + 2, (scene.size.width - PANEL - 3) // size))
    left = max(1, (scene.size.width - PANEL - 3 - size * width) // 2)
    top = max(0, (scene.size.height - size * height - 1) // 2)
    return {
        row * size + column + 1: Region(left + column * width, top + row * height, width + 1, height + 1)
        for row in range(size)
        for column in range(size)
    }


def _seen(scene: Scene) -> View:
    """Choose the view to draw: while the cards turn, nothing may give away what is on them."""
    view: View = scene.before if scene.frames_left and scene.before is not None else scene.view
    return view


def _owner(scene: Scene, cell: int) -> Owner:
    return _seen(scene).cells[cell - 1]


def _draw_cell(canvas: Canvas, scene: Scene, cell: int, region: Region) -> None:
    owner = _owner(scene, cell)
    canvas.box(region, "light", "muted")
    _join_walls(canvas, scene, cell, region)
    inside = region.shrink((1, 1, 1, 1))
    rows = _mark(scene.people.side(owner), inside, scene.is_ascii) if owner else (str(cell),)
    for row, line in enumerate(rows):
        ink = f"{ink_of(scene, owner)} bold" if owner else ""
        canvas.center(inside, (inside.height - len(rows)) // 2 + row, line, ink)
    canvas.mark(("cell", cell), region)


def _mark(side: Owner, inside: Region, is_ascii: bool) -> tuple[str, ...]:
    """Choose the largest mark of a side that leaves some air around it."""
    for marks in (LARGE_MARKS, SMALL_MARKS):
        rows = marks[side]
        if inside.height >= len(rows) and inside.width >= len(rows[0]) + 2:
            return tuple(row.translate(SOLID) for row in rows) if is_ascii else rows
    return (MARKERS[side],)


def _join_walls(canvas: Canvas, scene: Scene, cell: int, region: Region) -> None:
    """Turn the corner that a cell shares with its neighbours into a crossing."""
    row, column = divmod(cell - 1, scene.view.size)
    if row and column:
        canvas.put(region.x, region.y, "┼", "muted")
    elif row:
        canvas.put(region.x, region.y, "├", "muted")
    elif column:
        canvas.put(region.x, region.y, "┬", "muted")
    if row and column == scene.view.size - 1:
        canvas.put(region.right - 1, region.y, "┤", "muted")
    if column and row == scene.view.size - 1:
        canvas.put(region.x, region.bottom - 1, "┴", "muted")


def _draw_special(canvas: Canvas, scene: Scene, cells: dict[int, Region]) -> None:
    """Mark the challenged cell, and the one under the cursor, over the walls of their neighbours."""
    challenged = _challenged(scene)
    if challenged:
        region = cells[challenged]
        canvas.box(region, "double", "bad bold")
        canvas.center(region, 0, " ? ", "bad bold")
    elif scene.cursor and scene.legal:
        region = cells[scene.cursor[1]]
        canvas.box(region, "heavy", "focus bold")
        owner = _owner(scene, scene.cursor[1])
        if owner == 0:
            inside = region.shrink((1, 1, 1, 1))
            label = framed(str(scene.cursor[1]), is_under_cursor=True)
            canvas.center(
                inside,
                (inside.height - 1) // 2,
                label if len(label) <= inside.width else label[1:-1],
                "bold reverse",
            )


def _challenged(scene: Scene) -> int:
    """Name the cell that a challenge is about, also while its cards turn; 0 without one."""
    if scene.view.challenge:
        return int(scene.view.challenge.cell)
    revealed = scene.last(Revealed)
    return int(revealed.cell) if scene.frames_left and revealed else 0


def _draw_hand(canvas: Canvas, scene: Scene, seat: Seat, panel: Region) -> None:
    seen = _seen(scene)
    title = f"{MARKERS[scene.people.side(seat)]} {scene.name(seat)}"
    canvas.put(panel.x, panel.y, fitted(title, panel.width), turn_ink(scene, seat))
    canvas.put(panel.x, panel.y + 1, f"{seen.cells.count(seat)} of {len(seen.cells)} cells")
    for place, number in enumerate(HAND):
        is_left = number in seen.hands[seat - 1]
        ink = f"{ink_of(scene, seat)} bold" if is_left else "muted strike"
        canvas.put(panel.x + 4 * place, panel.y + 2, f"[{number}]" if is_left else f"─{number}─", ink)


def _draw_challenge(canvas: Canvas, scene: Scene, panel: Region) -> None:
    """Show the two cards: face down while picks are due, turning and then open once both are known."""
    revealed, standing = scene.last(Revealed), scene.view.challenge
    if standing is None and revealed is None:
        return
    cell = standing.cell if standing else revealed.cell
    canvas.put(panel.x, panel.y, f"Challenge: cell {cell}", "bad bold" if standing else "bold")
    for column, seat in enumerate(scene.people.sides):
        card = Region(panel.x + 1 + 9 * column, panel.y + 1, 7, 5)
        if standing:
            draw_card(canvas, card, "back" if seat in standing.picked else "empty", ink_of(scene, seat))
        else:
            draw_card(canvas, card, _face(scene, revealed.numbers[seat - 1]), ink_of(scene, seat))
        canvas.center(card, 5, scene.name(seat), ink_of(scene, seat))


def _face(scene: Scene, number: int) -> str:
    """Say which side of a turning card is seen."""
    if scene.frames_left > 2 * TURNING // 3:
        return "back"
    return "edge" if scene.frames_left > TURNING // 3 else str(number)


class GridBoard(Board):
    """The grid, with a dialog for secret numbers."""

    RENDERER = RENDERER
    PROMPT = "claim an empty cell or challenge one of your opponent's"

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._dialog: PickDialog | None = None
        self._has_picked = False
        """Whether a number is on its way, though what we have heard so far still asks for one."""

    def draw(self, scene: Scene) -> Drawing:
        return draw(scene)

    def stops(self, scene: Scene) -> Sequence[Sequence[Spot]]:
        size = scene.view.size
        return [[("cell", row * size + column + 1) for column in range(size)] for row in range(size)]

    def prompt(self, scene: Scene) -> str:
        if self._owes_pick():
            return "press Enter and choose a secret number"
        # R6: in Sudden Death there is nothing left to claim.
        prompt = "challenge one of your opponent's cells" if scene.view.sudden_death else self.PROMPT
        return prompt if len(scene.view.cells) < 10 else f"{prompt}. {TWO_DIGITS}"

    def waited_for(self) -> str:
        return "choose a number" if self._view.challenge else "move"

    def frames(self, happened: Sequence[Any]) -> int:
        return TURNING if any(isinstance(event, Revealed) for event in happened) else 0

    def show(self, view: Any, legal: tuple[Choice, ...], seat: Owner, people: People) -> None:
        is_news = view != self._view or legal != self._legal
        super().show(view, legal, seat, people)
        if not self._owes_pick():
            self._has_picked = False
            self._close_dialog()
        elif is_news and self.is_mounted and self._is_looked_at():
            # Who writes a message or looks back is not interrupted; the hint says how to go on.
            self._open_dialog(is_unasked=True)

    def _is_looked_at(self) -> bool:
        return self._past is None and self.screen.is_active and self.screen.focused in (self, None)

    def choose(self, spot: Spot) -> None:
        if self._owes_pick() and self._past is None:
            self._open_dialog(is_unasked=False)
        else:
            super().choose(spot)

    def _owes_pick(self) -> bool:
        return is_legal(self._legal, "pick")

    def _open_dialog(self, is_unasked: bool) -> None:
        question = self.RENDERER.ask(self._view, self._legal, ())
        if self._dialog is not None or self._has_picked or not isinstance(question, Question):
            return
        scene, hands = self.scene, self._view.hands
        challenge = Challenge(
            question,
            numbers=values_of(self._legal, "pick", "number"),
            cell=self._view.challenge.cell,
            ink=ink_of(scene, scene.seat),
            hands=[f"{scene.name(each)}: {listed(hands[each - 1])}" for each in scene.people.sides],
        )
        is_confirmed = bool(getattr(self.app, "confirms_picks", True))
        self._dialog = PickDialog(challenge, is_confirmed, is_unasked)
        self.app.push_screen(self._dialog, self._take_pick)

    def _close_dialog(self) -> None:
        if self._dialog is not None:
            self._dialog.withdraw()

    def _take_pick(self, number: int | None) -> None:
        self._dialog = None
        if number is not None and self._owes_pick() and not self._has_picked:
            self._has_picked = True
            self.post_message(self.Chosen(self, {"kind": "pick", "number": number}))

    def answers_of(self, scene: Scene, spot: Spot) -> tuple[str, ...]:
        is_taken = spot[1] in range(1, len(scene.view.cells) + 1) and scene.view.cells[spot[1] - 1]
        return "challenge" if is_taken else "claim", str(spot[1])


BOARD = GridBoard
