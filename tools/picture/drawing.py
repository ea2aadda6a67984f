"""SVG in plain text: boxes, words and arrows that can be read on a light and on a dark page.

Colours stand in one style sheet. Each is a class; where dark is preferred, the second of its pair is used.
"""

from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', Helvetica, Arial, sans-serif"
COLOURS = {
    "page": ("#ffffff", "#0d1117"),
    "band": ("#f3f5f8", "#161b22"),
    "ink": ("#1f2328", "#e6edf3"),
    "faint": ("#5c6670", "#9aa4ae"),
    "client": ("#2563a8", "#6cb0f5"),
    "protocol": ("#3f7d46", "#74c57c"),
    "server": ("#b25a16", "#eb9a54"),
    "disk": ("#7a4fa3", "#c39bea"),
}
"""What each colour is called, and how it looks on a light and on a dark page."""

WAYS = {"down": (0, 1), "up": (0, -1), "left": (-1, 0), "right": (1, 0)}


def picture(width: float, height: float, title: str, parts: list[str]) -> str:
    """Put a picture together."""
    light = _rules(0)
    dark = _rules(1)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img"'
        f' font-family="{FONT}">\n<title>{escape(title)}</title>\n<style>\n{light}\n'
        f"@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n</style>\n"
        f'<rect class="page" width="{width:g}" height="{height:g}"/>\n' + "\n".join(parts) + "\n</svg>\n"
    )


def _rules(shade: int) -> str:
    rules = []
    for name, shades in COLOURS.items():
        colour = shades[shade]
        rules.append(f".{name} {{ fill: {colour} }} .{name}-line {{ stroke: {colour}; fill: none }}")
    return "\n".join(rules)


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    """Draw a box that hides what runs behind it."""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7"'
    return f'<rect class="page" {place}/><rect class="{colour}-line" {place} stroke-width="1.6"/>'


def frame(x: float, y: float, width: float, height: float, colour: str) -> str:
    """Draw a line around what belongs together."""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="12"'
    return f'<rect class="{colour}-line" {place} stroke-width="1.2" stroke-dasharray="5 4" opacity="0.8"/>'


def band(x: float, y: float, width: float, height: float) -> str:
    """Draw a stripe of the background."""
    return f'<rect class="band" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="9"/>'


def words(
    x: float, y: float, text: str, size: float, colour: str = "ink", anchor: str = "start", weight: int = 400
) -> str:
    """Write a line of text."""
    return (
        f'<text class="{colour}" x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
        f' font-weight="{weight}">{escape(text)}</text>'
    )


def arrow(path: str, tip: tuple[float, float], way: str, width: float, colour: str, about: str) -> str:
    """Draw a line along a path, which ends `behind` the tip, and a head that points one of the four ways."""
    (dx, dy), (back_x, back_y) = WAYS[way], behind(tip, way, width)
    half = 3 + width * 0.6
    ends = (tip, (back_x - dy * half, back_y - dx * half), (back_x + dy * half, back_y + dx * half))
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in ends)
    return (
        f'<g opacity="0.75"><title>{escape(about)}</title><path class="{colour}-line" d="{path}"'
        f' stroke-width="{width:g}"/><polygon class="{colour}" points="{corners}"/></g>'
    )


def behind(tip: tuple[float, float], way: str, width: float) -> tuple[float, float]:
    """Return where the line of an arrow ends and its head begins."""
    size = 5 + width * 0.8
    return tip[0] - WAYS[way][0] * size, tip[1] - WAYS[way][1] * size


def wrapped(text: str, width: int, most: int) -> list[str]:
    """Break a text into lines; what does not fit is left out behind an ellipsis."""
    lines: list[str] = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines if len(lines) <= most else [*lines[: most - 1], f"{lines[most - 1]} …"]
