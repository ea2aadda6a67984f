"""The house: its rooms, and how many imports lead from one to another, read from the files.

A room is a folder of a package with all below it. An arrow's width says how many pairs of modules it stands
for, in steps, so that an import more or less seldom changes the picture.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tools.picture.drawing import ROOT, arrow, band, behind, box, frame, picture, words, wrapped

PACKAGES = ("client", "protocol", "server")
FLOORS = {"the command": 1, "faces": 1, "the way": 1, "the edge": 1, "pure": 2}
"""What lies beside each other, and how many rows of rooms that takes."""
PLACES = {
    "client/command": (0.5, 0),
    "client/line": (0, 1),
    "client/tui": (1, 1),
    "client/flow": (0, 2),
    "client/ssh": (1, 2),
    "client/local": (0, 3),
    "client/net": (1, 3),
    "client/core": (1, 4),
    "client/bots": (0, 5),
    "protocol/process": (2.1, 3),
    "protocol": (2.1, 4),
    "protocol/games": (2.1, 5),
    "server": (3.3, 0),
    "server/io": (3.3, 3),
    "server/core": (3.3, 4),
    "server/games": (3.3, 5),
}
"""Where each room stands: its column, and its row."""
WIDTHS = ((1, 1.0), (2, 1.6), (4, 2.6), (8, 4.2), (16, 6.4), (32, 9.5), (64, 13.0))
"""From how many imports on an arrow is so wide."""

LEFT, TOP, COLUMN, ROW = 122, 92, 270, 156
WIDE, HIGH = 192, 102
LANES = 34
"""The room beside the server's column for arrows that pass a room by."""
RIGHT = LEFT + COLUMN * 3.3 + WIDE
BOTTOM = TOP + ROW * 6

Pair = tuple[str, str]
Doors = Counter[Pair]
Point = tuple[float, float]


def rooms() -> dict[str, list[Path]]:
    """List the rooms with their modules; a folder with nothing but its docstring is none."""
    found: dict[str, list[Path]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            found.setdefault(room_of(path), []).append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def room_of(path: Path) -> str:
    """Name the room that a file is in."""
    folders = path.relative_to(ROOT).parent.parts
    return "/".join(folders[:2])


def imports() -> Doors:
    """Count the pairs of modules of which one imports the other, by their rooms."""
    homes = {module_of(path): name for name, paths in rooms().items() for path in paths}
    found: Doors = Counter()
    for name, paths in rooms().items():
        for path in paths:
            others = {module for module in imported(path) if module in homes}
            found.update((name, homes[other]) for other in others if homes[other] != name)
    return found


def module_of(path: Path) -> str:
    """Name the module that a file is."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path) -> Iterator[str]:
    """Name all that may be a module in what a file imports, except for what only type checkers see."""
    waiting: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        waiting.extend(ast.iter_child_nodes(node))


def caption(name: str) -> str:
    """Say what lives in a room: the beginning of its docstring, up to the first full stop."""
    about = ast.get_docstring(ast.parse((ROOT / name / "__init__.py").read_text(encoding="utf-8"))) or ""
    return re.split(r"[.;]", about)[0].replace("\n", " ").replace("`", "")


def draw_house() -> str:
    """Draw the rooms, floor by floor, and the imports between them."""
    modules, doors = rooms(), imports()
    within = Counter({pair: count for pair, count in doors.items() if not _is_to_protocol(pair)})
    height = BOTTOM + 48
    parts = [words(24, 38, "The house: rooms, and the imports between them", 20, weight=600), *_floors()]
    parts += [_frame(package) for package in PACKAGES]
    parts += [_door(within, pair) for pair in sorted(within, key=lambda pair: (-within[pair], pair))]
    parts += [_to_protocol(package, doors) for package in ("client", "server")]
    parts += [part for name in sorted(modules) for part in _room(name, len(modules[name]))]
    parts += _legend(height)
    return picture(RIGHT + 44, height, "The rooms of Conquest and the imports between them", parts)


def _is_to_protocol(pair: Pair) -> bool:
    """Tell whether one package uses the protocol: all rooms may, so that one arrow stands for all of them."""
    here, there = (name.split("/")[0] for name in pair)
    return there == "protocol" != here


def _floors() -> list[str]:
    parts, y = [], TOP - 8.0
    for name, rows in FLOORS.items():
        parts.append(band(16, y, RIGHT + 12, ROW * rows - 14))
        parts += [words(28, y + 30 + 17 * row, word, 14, "faint") for row, word in enumerate(name.split())]
        y += ROW * rows
    return parts


def _frame(package: str) -> str:
    columns = [column for name, (column, _) in PLACES.items() if name.split("/")[0] == package]
    rows = [row for name, (_, row) in PLACES.items() if name.split("/")[0] == package]
    x, y = LEFT + COLUMN * min(columns) - 16, TOP + ROW * min(rows) - 24
    wide, high = COLUMN * (max(columns) - min(columns)) + WIDE + 32, ROW * (max(rows) - min(rows)) + HIGH + 56
    if package == "server":
        x, wide = x - LANES, wide + LANES
    return frame(x, y, wide, high, package) + words(x + 12, y + 19, package, 15, package, weight=600)


def _corner(name: str) -> Point:
    column, row = PLACES[name]
    return LEFT + COLUMN * column, TOP + ROW * row + 14


def _room(name: str, files: int) -> list[str]:
    x, y = _corner(name)
    colour = name.split("/")[0]
    about = wrapped(caption(name), 29, 4)
    return [
        box(x, y, WIDE, HIGH, colour),
        words(x + 11, y + 23, f"{name}/", 15, colour, weight=600),
        words(x + WIDE - 10, y + 23, str(files), 12, "faint", anchor="end"),
        *(words(x + 11, y + 43 + 15 * row, line, 11) for row, line in enumerate(about)),
    ]


def _width(count: int) -> float:
    return max(wide for least, wide in WIDTHS if count >= least)


def _door(doors: Doors, pair: Pair) -> str:
    """Draw the arrow from one room to another."""
    here, there = pair
    start, end = _end(doors, pair, here, there), _end(doors, pair, there, here)
    side = _side(there, here)
    way = {"top": "down", "bottom": "up", "left": "right", "right": "left"}[side]
    tip, end = end, behind(end, way, _width(doors[pair]))
    if _passes_rooms(pair):
        path = _lane(start, end, _lane_x(doors, pair))
    elif side in ("top", "bottom"):
        middle = (start[1] + end[1]) / 2
        path = f"M{_at(start)} C{_at((start[0], middle))} {_at((end[0], middle))} {_at(end)}"
    else:
        middle = (start[0] + end[0]) / 2
        path = f"M{_at(start)} C{_at((middle, start[1]))} {_at((middle, end[1]))} {_at(end)}"
    about = f"{here} imports {there}: {doors[pair]}"
    return arrow(path, tip, way, _width(doors[pair]), here.split("/")[0], about)


def _passes_rooms(pair: Pair) -> bool:
    """Tell whether rooms of the same package stand between two of its rooms."""
    (one, top), (other, bottom) = sorted((PLACES[name] for name in pair), key=lambda place: place[1])
    package = {name.split("/")[0] for name in pair}
    return any(
        top < row < bottom
        and min(abs(column - one), abs(column - other)) < 1
        and {name.split("/")[0]} == package
        for name, (column, row) in PLACES.items()
    )


def _lane(start: Point, end: Point, x: float) -> str:
    """Lead an arrow over more than one row: beside the rooms on its way, not behind them."""
    turn = (ROW - HIGH) * (1 if end[1] > start[1] else -1)
    left = start[1] + turn
    out = f"C{_at((start[0], start[1] + turn * 0.6))} {_at((x, start[1] + turn * 0.4))} {_at((x, left))}"
    back = f"C{_at((x, end[1] - turn * 0.4))} {_at((end[0], end[1] - turn * 0.6))} {_at(end)}"
    return f"M{_at(start)} {out} L{_at((x, end[1] - turn))} {back}"


def _lane_x(doors: Doors, pair: Pair) -> float:
    """Find an arrow's place beside the rooms: between the client's columns, or right of the server's."""
    package = pair[0].split("/")[0]
    lanes = sorted(
        (one for one in doors if one[0].split("/")[0] == package and _passes_rooms(one)),
        key=lambda one: (_corner(one[0])[0], _corner(one[1])[0], PLACES[one[1]][1]),
    )
    middle = LEFT + COLUMN - (COLUMN - WIDE) / 2 if package == "client" else RIGHT - WIDE - LANES / 2 - 5
    return middle + (lanes.index(pair) - (len(lanes) - 1) / 2) * 11


def _end(doors: Doors, pair: Pair, own: str, other: str) -> Point:
    """Find the point at which an arrow leaves or meets a room; those on one side keep apart and in order."""
    side = _side(own, other)
    ends = sorted(
        (
            (_corner(far), one)
            for one in doors
            for near, far in (one, one[::-1])
            if near == own and _side(near, far) == side
        ),
        key=lambda each: (each[0][1], each[0][0]) if side in ("left", "right") else each[0],
    )
    share = ([one for _, one in ends].index(pair) + 1) / (len(ends) + 1)
    x, y = _corner(own)
    if side in ("left", "right"):
        return x + (WIDE if side == "right" else 0), y + HIGH * share
    return x + WIDE * share, y + (HIGH if side == "bottom" else 0)


def _side(name: str, other: str) -> str:
    """Name the side of a room on which the arrows from or to another one are."""
    (x, y), (other_x, other_y) = _corner(name), _corner(other)
    if y == other_y:
        return "right" if other_x > x else "left"
    return "bottom" if other_y > y else "top"


def _to_protocol(package: str, doors: Doors) -> str:
    """Draw the one arrow for all that a package takes from the protocol."""
    count = sum(
        number for pair, number in doors.items() if pair[0].split("/")[0] == package and _is_to_protocol(pair)
    )
    x, y = _corner("protocol")
    is_left = package == "client"
    way = "right" if is_left else "left"
    far = LEFT + COLUMN + WIDE + 16 if is_left else LEFT + COLUMN * 3.3 - 16 - LANES
    tip = (x - 17 if is_left else x + WIDE + 17, y + HIGH / 2)
    path = f"M{_at((far, tip[1]))} L{_at(behind(tip, way, _width(count)))}"
    return arrow(path, tip, way, _width(count), package, f"{package} imports protocol: {count}")


def _legend(height: float) -> list[str]:
    y = height - 24
    parts = [words(LEFT - 16, y + 4, "pairs of modules that an arrow stands for:", 12, "faint")]
    x = LEFT + 248.0
    for (least, wide), above in zip(WIDTHS, [*(least for least, _ in WIDTHS[1:]), 0], strict=True):
        label = f"{least} +" if not above else str(least) if above - least == 1 else f"{least}–{above - 1}"
        parts.append(f'<path class="faint-line" d="M{x:g},{y:g} h28" stroke-width="{wide:g}"/>')
        parts.append(words(x + 35, y + 4, label, 12, "faint"))
        x += 58 + 7 * len(label)
    return [*parts, words(RIGHT + 16, y + 4, "in a room: its number of files", 12, "faint", anchor="end")]


def _at(point: Point) -> str:
    return f"{point[0]:.1f},{point[1]:.1f}"
