"""Every ruling on the games has a test that carries its number."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = HERE.parents[2] / "docs" / "rulings.md"
MATCH_RULINGS = {"A1", "A3"}
"""These are about matches, which the rules of a game know nothing of."""


def rulings() -> set[str]:
    """Collect the numbers of all rulings on the page."""
    return set(re.findall(r"^- \*\*([A-Z]\d+)\*\*", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE))


def numbers_carried() -> set[str]:
    """Collect the numbers that the names of tests carry."""
    numbers = set()
    for path in HERE.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                numbers |= set(re.findall(r"(?<=_)[A-Z]\d+(?=_)", node.name))
    return numbers


def test_the_page_has_all_rulings():
    counts = {"A": 3, "G": 3, "Q": 3, "R": 7, "C": 6, "D": 6}
    assert rulings() == {f"{series}{n}" for series, count in counts.items() for n in range(1, count + 1)}


def test_every_ruling_on_a_game_has_a_test_named_after_it():
    assert rulings() - MATCH_RULINGS - numbers_carried() == set()


def test_no_test_is_named_after_a_ruling_that_does_not_exist():
    assert numbers_carried() - rulings() == set()
