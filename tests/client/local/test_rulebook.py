"""The rules that players read: complete, with every ruling, and fit for any terminal or screen reader."""

import re
from pathlib import Path

import pytest

from client.local.rulebook import rules_text
from protocol.games import TITLES

RULINGS = (Path(__file__).parents[3] / "docs" / "rulings.md").read_text(encoding="utf-8")
SERIES = {"galaxy": "G", "conquer": "Q", "grid": "R", "digit": "C", "duel": "D"}

every_game = pytest.mark.parametrize("game", TITLES)


@every_game
def test_a_game_names_every_ruling_on_it_and_on_matches_and_no_others(game):
    on_the_page = set(re.findall(rf"\*\*([A{SERIES[game]}]\d+)\*\*", RULINGS))
    assert set(re.findall(r"\(([A-Z]\d+)\)", rules_text(game))) == on_the_page


@every_game
def test_a_game_begins_with_its_title_and_says_what_a_newcomer_asks(game):
    lines = rules_text(game).splitlines()
    assert lines[0] == TITLES[game]
    for heading in (
        "What you have",
        "Your turn",
        "How it ends",
        "An example",
        "Good to know",
        "In every match",
    ):
        assert lines[lines.index(heading) - 1] == ""


@pytest.mark.parametrize("game", [None, *TITLES])
def test_a_text_is_plain_and_at_most_80_columns_wide(game):
    text = rules_text(game)
    assert text.isascii()
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    for line in text.splitlines():
        assert len(line) <= 80
        assert line == line.rstrip()
        assert not re.search(r"[\t*_`#|<>]", line)


def test_without_a_game_there_is_one_line_for_each():
    lines = rules_text(None).splitlines()
    for line, (game, title) in zip(lines, TITLES.items(), strict=False):
        assert line.startswith(game)
        assert f"{title}: " in line
    assert lines[len(TITLES)] == ""


@pytest.mark.parametrize(
    ("game", "options"), [("grid", ["size", "2 by 2", "6 by 6"]), ("digit", ["draw=choose", "equally"])]
)
def test_a_game_with_options_tells_of_them(game, options):
    for word in options:
        assert word in rules_text(game)
