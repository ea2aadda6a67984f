"""The path of a move as a picture: a column for each room, a row for each function, in order."""

import ast

from tools.picture.drawing import ROOT, arrow, band, behind, picture, words, wrapped
from tools.picture.path import PATH, Step

LEFT, TOP, LANE, ROW, GAP = 52, 102, 92, 37, 26
ROOMS = list(dict.fromkeys(step.room for step in PATH))
TEXT = LEFT + LANE * len(ROOMS) - 10
WIDE = TEXT + 640
DOT = 7


def draw_move() -> str:
    """Draw the path: what is called in one go stands on one ground, what carries it on stands between."""
    rows = _rows()
    bottom = rows[-1] + ROW
    parts = [words(24, 36, "The path of a move", 20, weight=600)]
    parts += [part for first, last in _stretches() for part in _ground(rows[first], rows[last])]
    parts += [part for room in ROOMS for part in _lane(room, bottom)]
    parts += [_arrow(index, rows) for index in range(1, len(PATH))]
    parts += [part for step, y in zip(PATH, rows, strict=True) for part in _row(step, y)]
    return picture(WIDE, bottom + 12, "The path of a move through the code of Conquest", parts)


def about(step: Step) -> str:
    """Say what a function does: the first line of its docstring."""
    node: ast.AST = ast.parse((ROOT / step.file).read_text(encoding="utf-8"))
    for name in step.function.split("."):
        node = next(each for each in ast.iter_child_nodes(node) if getattr(each, "name", None) == name)
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return (ast.get_docstring(node) or "").split("\n")[0].replace("`", "")


def _rows() -> list[float]:
    """Give each step its height on the page."""
    rows, y = [], TOP + 0.0
    for step in PATH:
        y += ROW + (GAP if step.carrier else 0)
        rows.append(y)
    return rows


def _stretches() -> list[tuple[int, int]]:
    """Find what is called in one go: the first and the last step of each stretch."""
    starts = [index for index, step in enumerate(PATH) if step.carrier]
    return list(zip(starts, [*(start - 1 for start in starts[1:]), len(PATH) - 1], strict=True))


def _ground(top: float, bottom: float) -> list[str]:
    return [band(16, top - ROW / 2 + 1, WIDE - 32, bottom - top + ROW - 2)]


def _x(step: Step) -> float:
    return LEFT + LANE * ROOMS.index(step.room)


def _lane(room: str, bottom: float) -> list[str]:
    x, colour = LEFT + LANE * ROOMS.index(room), room.split("/")[0]
    line = f'<path class="{colour}-line" d="M{x},{TOP - 8} V{bottom:g}" stroke-width="1" opacity="0.3"/>'
    names = [
        words(x, TOP - 32 + 15 * row, word, 12.5, colour, "middle", 600)
        for row, word in enumerate(room.split("/"))
    ]
    return [line, *names]


def _arrow(index: int, rows: list[float]) -> str:
    """Draw how the move comes to a step: solid when it is called, dashed when something carries it."""
    before, step = PATH[index - 1], PATH[index]
    x, y = _x(before), rows[index - 1]
    to_x, to_y = _x(step), rows[index]
    colour = before.room.split("/")[0]
    tip = (to_x, to_y - DOT)
    end = behind(tip, "down", 2)
    bend = (end[1] - y) * 0.5
    curve = f"M{x},{y + DOT:g} C{x},{y + bend + 4:g} {to_x},{end[1] - bend:g} {to_x},{end[1]:g}"
    drawn = arrow(curve, tip, "down", 2, colour, step.carrier or f"called by {before.function} or before it")
    return (
        drawn.replace('stroke-width="2"', 'stroke-width="2" stroke-dasharray="3 4"')
        if step.carrier
        else drawn
    )


def _row(step: Step, y: float) -> list[str]:
    colour = step.room.split("/")[0]
    said = wrapped(about(step), 64, 2)
    parts = [
        f'<circle class="{colour}" cx="{_x(step)}" cy="{y:g}" r="{DOT - 1}"/>',
        words(TEXT, y - 1, step.function, 13, colour, weight=600),
        words(TEXT, y + 13, step.file, 10, "faint"),
        *(words(TEXT + 216, y - 1 + 14 * row, line, 11.5) for row, line in enumerate(said)),
    ]
    if step.carrier:
        parts.append(words(TEXT, y - ROW / 2 - GAP / 2 + 4, f"↓ {step.carrier}", 12, "disk"))
    return parts
