"""What widgets must not know: rules, the network, and any text that stands somewhere else already."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import client

ROOT = Path(client.__file__).parent
BEHIND_THE_WIDGETS = {"app.py", "errand.py", "play.py", "run.py"}
"""What runs the application, what starts errands, and what stands between a session and its pages."""
OUTSIDE = {
    "asyncio",
    "client.net.connection",
    "client.net.lan",
    "client.net.session",
    "server",
    "socket",
    "ssl",
    "threading",
    "zeroconf",
}
WIDGETS = sorted(path for path in (ROOT / "tui").rglob("*.py") if path.name not in BEHIND_THE_WIDGETS)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> set[str]:
    """Name the modules that a file imports, anywhere in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def sentences(path: Path) -> Iterator[str]:
    """List the texts of a file that have three words or more, docstrings and style sheets left out."""
    tree = ast.parse(path.read_text("utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            words = re.findall(r"[a-z']+", node.value.casefold())
            if len(words) >= 3 and " " in node.value and "{" not in node.value:
                yield " ".join(words)


@pytest.mark.parametrize("path", WIDGETS, ids=short)
def test_a_widget_knows_neither_the_network_nor_the_server(path):
    assert imported(path).isdisjoint(OUTSIDE)


@pytest.mark.parametrize("path", sorted((ROOT / "tui").rglob("*.py")), ids=short)
def test_the_full_screen_borrows_nothing_from_line_mode(path):
    assert [name for name in imported(path) if name.startswith("client.line")] == []


@pytest.mark.parametrize("path", sorted((ROOT / "tui").rglob("*.py")), ids=short)
def test_no_text_of_the_full_screen_stands_in_another_file(path):
    others = [one for file in ROOT.rglob("*.py") if file != path for one in sentences(file)]
    twice = {own for own in sentences(path) for other in others if f" {own} " in f" {other} "}
    assert twice == set()
