"""The pieces that several boards are made of: inks and textures of the seats, discs, big digits, cards.

A seat is told by its texture and its mark as well as by its colour. No rule of any game lives here.
"""

from textual.geometry import Region

from client.tui.canvas import Canvas, Drawing
from client.tui.scene import Scene
from client.tui.theme import TEXTURES
from protocol.model import Owner, Seat

DIGIT_HEIGHT = 5
_DIGITS = (
    "███ █ █ █ █ █ █ ███",
    " █  ██   █   █  ███",
    "███   █ ███ █   ███",
    "███   █ ███   █ ███",
    "█ █ █ █ ███   █   █",
    "███ █   ███   █ ███",
    "███ █   ███ █ █ ███",
    "███   █   █   █   █",
    "███ █ █ ███ █ █ ███",
    "███ █ █ ███   █ ███",
)
"""Each digit as five rows of three, with a blank between the rows."""


def ink_of(scene: Scene, owner: Owner) -> str:
    """Name the ink of what a seat holds, or of what nobody does."""
    return f"p{scene.people.side(owner)}" if owner else "muted"


def texture_of(scene: Scene, owner: Owner) -> str:
    """Name the glyph that fills what a seat holds, or what nobody does."""
    return TEXTURES[scene.people.side(owner)]


def label_of(scene: Scene, seat: Seat) -> str:
    """Name a player, behind what fills all that they hold."""
    return f"{texture_of(scene, seat)} {scene.name(seat)}"


def turn_ink(scene: Scene, seat: Seat) -> str:
    """Write the player who is to act more strongly."""
    return f"{ink_of(scene, seat)} bold" if seat in scene.view.to_act else ink_of(scene, seat)


def mark_last(canvas: Canvas, scene: Scene, seat: Seat, region: Region) -> None:
    """Point at what the last move was about, from both sides and by its corners."""
    ink, y = f"{ink_of(scene, seat)} bold", region.y + region.height // 2
    _corners(canvas, region, "╔╗╚╝", ink)
    canvas.put(region.x, y, ">", f"{ink} reverse")
    canvas.put(region.right - 1, y, "<", f"{ink} reverse")


def finished(canvas: Canvas, scene: Scene) -> Drawing:
    """Hand the drawing over, with the move that the computer would make pointed out."""
    for spot in scene.hinted:
        region = canvas.spots.get(spot)
        if region is not None:
            _corners(canvas, region, "┏┓┗┛", "good bold")
            canvas.put(region.x, region.y + region.height // 2, "!", "good bold reverse")
            canvas.put(region.right - 1, region.y + region.height // 2, "!", "good bold reverse")
    return canvas.drawing(scene.is_ascii)


def _corners(canvas: Canvas, region: Region, glyphs: str, ink: str) -> None:
    right, bottom = region.right - 1, region.bottom - 1
    places = ((region.x, region.y), (right, region.y), (region.x, bottom), (right, bottom))
    for glyph, (x, y) in zip(glyphs, places, strict=True):
        canvas.put(x, y, glyph, ink)


def framed(text: str, is_under_cursor: bool) -> str:
    """Put brackets around a label that is under the cursor."""
    return f"[{text}]" if is_under_cursor else f" {text} "


def draw_digit(canvas: Canvas, region: Region, digit: int, ink: str, stretch: int = 1) -> None:
    """Draw a digit large, in the middle of a region."""
    x = region.x + (region.width - 3 * stretch) // 2
    y = region.y + (region.height - DIGIT_HEIGHT) // 2
    for row in range(DIGIT_HEIGHT):
        for column, pixel in enumerate(_DIGITS[digit][row * 4 : row * 4 + 3]):
            if pixel != " ":
                canvas.put(x + column * stretch, y + row, pixel * stretch, ink)


def draw_disc(canvas: Canvas, region: Region, filling: str, ink: str) -> None:
    """Draw a disc as wide as a region in the middle of it, with a solid rim.

    A cell holds two of its points, one above the other; an even height keeps the halves alike.
    """
    diameter = region.width
    height = diameter + diameter % 2
    middle, level = (diameter - 1) / 2, region.height - 0.5

    def is_inside(x: int, y: int) -> bool:
        return ((x - middle) / diameter) ** 2 + ((y - level) / height) ** 2 <= 0.25

    for row in range(region.height):
        for x in range(diameter):
            upper, lower = is_inside(x, 2 * row), is_inside(x, 2 * row + 1)
            around = ((x - 1, 0), (x - 1, 1), (x + 1, 0), (x + 1, 1), (x, -1), (x, 2))
            is_core = all(is_inside(beside, 2 * row + point) for beside, point in around)
            if upper or lower:
                glyph = "▄" if not upper else "▀" if not lower else filling if is_core else "█"
                canvas.put(region.x + x, region.y + row, glyph, ink)


def draw_card(canvas: Canvas, region: Region, side: str, ink: str) -> None:
    """Draw a card: "empty" for its place, "back", "edge" while it turns, or the number on its face."""
    inside = region.shrink((1, 1, 1, 1))
    match side:
        case "empty":
            canvas.box(region, "light", "muted")
        case "back":
            canvas.box(region, "round", ink)
            canvas.fill(inside, "▒", ink)
        case "edge":
            for y in range(region.y, region.bottom):
                canvas.put(region.x + region.width // 2, y, "┃", ink)
        case number:
            canvas.box(region, "heavy", f"{ink} bold")
            canvas.center(inside, inside.height // 2, number, f"{ink} bold")


def draw_buttons(
    canvas: Canvas, scene: Scene, y: int, labels: list[tuple[tuple[str, int], str, bool]]
) -> None:
    """Draw a row of actions, those that are not legal struck out."""
    width = min(26, (canvas.width - 2) // len(labels))
    left = (canvas.width - width * len(labels)) // 2
    for at, (spot, label, is_open) in enumerate(labels):
        region = Region(left + at * width, y, width - 1, 3)
        is_under_cursor = bool(scene.legal) and spot == scene.cursor
        ink = f"focus bold{' reverse' if is_under_cursor else ''}" if is_open else "muted strike"
        canvas.box(region, "heavy" if is_under_cursor else "light", "focus" if is_open else "muted")
        text = f"{spot[1]} {label}"
        canvas.center(region.shrink((0, 1, 0, 1)), 1, framed(text, is_under_cursor), ink)
        canvas.mark(spot, region)
