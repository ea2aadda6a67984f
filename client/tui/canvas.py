"""A sheet of character cells that boards draw on, and the drawing that comes of it.

Inks are words ("p1 bold"): a colour by its part in the game, then attributes. Which colour that is, is not
known here. Text is put cell by cell, so that a stranger's wide or unprintable characters cannot push what
stands beside them.
"""

from dataclasses import dataclass

from rich.cells import cell_len
from textual.geometry import Region

Spot = tuple[str, int]
"""Something that can be pointed at: what it is, and its number."""
Run = tuple[str, str]
"""A piece of text, and its ink."""

BORDERS = {
    name: tuple(glyphs)
    for name, glyphs in {"light": "┌─┐│└┘", "round": "╭─╮│╰╯", "heavy": "┏━┓┃┗┛", "double": "╔═╗║╚╝"}.items()
}
"""Corner, horizontal, corner, vertical, corner, corner."""

ASCII = str.maketrans(
    {
        **dict.fromkeys("┌┐└┘╭╮╰╯┏┓┗┛├┤┬┴┼┠┨┯┷", "+"),
        **dict.fromkeys("╔╗╚╝", "*"),
        **dict.fromkeys("─", "-"),
        **dict.fromkeys("━═", "="),
        **dict.fromkeys("│┃║▌▐", "|"),
        "█": "#",
        "▓": "#",
        "▒": "%",
        "░": ".",
        "▀": "'",
        "▄": ".",
        "╲": "\\",
        "╱": "/",
        "╳": "X",
    }
)
"""What stands for each glyph where only ASCII can be shown."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A finished board: its lines, each in runs of one ink, and where its spots are."""

    lines: tuple[tuple[Run, ...], ...]
    spots: dict[Spot, Region]

    def texts(self) -> list[str]:
        """Read the lines without their inks."""
        return ["".join(text for text, _ in line) for line in self.lines]

    def spot_at(self, x: int, y: int) -> Spot | None:
        """Name what is drawn at a place, the one drawn last where two overlap."""
        hits = [spot for spot, region in self.spots.items() if region.contains(x, y)]
        return hits[-1] if hits else None


class Canvas:
    """The sheet. What falls beyond its edges is not drawn."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[(" ", "")] * width for _ in range(height)]
        self.spots: dict[Spot, Region] = {}

    def put(self, x: int, y: int, text: str, ink: str = "") -> None:
        """Write a line of text from a cell on."""
        for char in text:
            width = cell_len(char) if char.isprintable() else 0
            if width and 0 <= y < self.height and 0 <= x <= self.width - width:
                self._cells[y][x] = (char, ink)
                # A wide character has the next cell too; nothing is written there.
                self._cells[y][x + 1 : x + width] = [("", ink)] * (width - 1)
            x += width

    def center(self, region: Region, y: int, text: str, ink: str = "") -> None:
        """Write a line of text in the middle of a region's width, cut to fit; `y` counts from its top."""
        shown = fitted(text, region.width)
        self.put(region.x + (region.width - cell_len(shown)) // 2, region.y + y, shown, ink)

    def fill(self, region: Region, glyph: str, ink: str = "") -> None:
        """Write one glyph all over a region."""
        for y in range(region.y, region.bottom):
            self.put(region.x, y, glyph * region.width, ink)

    def box(self, region: Region, border: str = "light", ink: str = "") -> None:
        """Draw a frame just inside a region."""
        top_left, flat, top_right, upright, bottom_left, bottom_right = BORDERS[border]
        between = flat * (region.width - 2)
        self.put(region.x, region.y, top_left + between + top_right, ink)
        self.put(region.x, region.bottom - 1, bottom_left + between + bottom_right, ink)
        for y in range(region.y + 1, region.bottom - 1):
            self.put(region.x, y, upright, ink)
            self.put(region.right - 1, y, upright, ink)

    def mark(self, spot: Spot, region: Region) -> None:
        """Say that a region shows something that can be pointed at."""
        self.spots[spot] = region

    def drawing(self, is_ascii: bool = False) -> Drawing:
        """Hand the sheet over, in plain ASCII glyphs if asked."""
        return Drawing(tuple(_runs(row, is_ascii) for row in self._cells), dict(self.spots))


def fitted(text: str, width: int) -> str:
    """Cut a text so that it takes no more than a width of cells.

    >>> fitted("Annabel", 4), fitted("Ann", 4)
    ('Ann~', 'Ann')
    """
    if cell_len(text) <= width:
        return text
    while text and cell_len(text) > width - 1:
        text = text[:-1]
    return f"{text}~"


def _runs(row: list[Run], is_ascii: bool) -> tuple[Run, ...]:
    runs: list[Run] = []
    for char, ink in row:
        glyph = char.translate(ASCII) if is_ascii else char
        if runs and runs[-1][1] == ink:
            runs[-1] = (runs[-1][0] + glyph, ink)
        else:
            runs.append((glyph, ink))
    return tuple(runs)
