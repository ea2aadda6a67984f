"""A bot of the user's own: the example of the documentation works, and faults are told in a sentence."""

import re
import sys
from pathlib import Path

import pytest

from client.bots.arena import compete, play
from client.local.user_bot import BadBot, Raised, UserBot, complaint, load
from server.games import GAMES
from tests.client.bots.partner import Wanderer, dice

DOCS = Path(__file__).parents[3] / "docs" / "bots.md"


def written(tmp_path, text):
    path = tmp_path / "mine.py"
    path.write_text(text)
    return path


def test_the_example_of_the_documentation_plays(tmp_path):
    (example,) = re.findall(r"```python\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert len(example.splitlines()) <= 12
    bot = load(written(tmp_path, example))
    tally = compete("galaxy", {}, (lambda chance, options: bot(), Wanderer), 40, dice(1).below)
    assert tally.won > 30


def test_a_bot_may_answer_with_what_travels_or_with_a_model(tmp_path):
    text = """
from protocol.games.conquer import Claim
class Mine:
    def choose(self, view, choices):
        return Claim(territory=choices[0].values["territory"][0])
"""
    bot = load(written(tmp_path, text))
    match = play("conquer", {}, (lambda chance, options: bot(), Wanderer), dice(2).below)
    assert match.outcome.reason != "forfeit"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "it holds 0"),
        ("class A:\n    def choose(self, v, c): ...\nclass B(A): ...\n", "it holds 2"),
        ("class A:\n    def choose(self): ...\n", "must take self, view and choices"),
        ("class A\n", "is not Python"),
    ],
)
def test_a_file_without_one_bot_is_refused_with_a_sentence(tmp_path, text, fault):
    with pytest.raises(BadBot, match=fault):
        load(written(tmp_path, text))


def test_a_file_that_is_not_there_is_refused_with_a_sentence(tmp_path):
    with pytest.raises(BadBot, match="cannot be read"):
        load(tmp_path / "nobody.py")


def test_a_file_that_is_not_python_by_name_is_refused(tmp_path):
    with pytest.raises(BadBot, match="is not a Python file"):
        load(tmp_path / "bot.txt")


RAISING = """
class Mine:
    def choose(self, view, choices):
        return self.think(choices)

    def think(self, choices):
        return choices[0].values["planet"]
"""


def test_what_a_bot_raises_is_told_with_the_authors_part_of_the_traceback(tmp_path):
    bot = load(written(tmp_path, RAISING))
    with pytest.raises(Raised) as raised:
        play("conquer", {}, (lambda chance, options: UserBot(bot, "mine.py"), Wanderer), dice(1).below)
    first, *rest = str(raised.value).splitlines()
    assert first == "mine.py raised KeyError: 'planet'"
    files = [line for line in rest if line.startswith("  File")]
    assert [line.split("line ")[1] for line in files] == ["4, in choose", "7, in think"]
    (view,) = [line for line in rest if line.startswith("view = View(")]
    assert "game='conquer'" in view
    assert "viewer=1" in view
    assert any(line.startswith("choices = (Choice(kind='claim'") for line in rest)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 / 0\n", "mine.py raised ZeroDivisionError: division by zero"),
        ("import nothing_of_that_name\n", "mine.py raised ModuleNotFoundError: No module named"),
        ("open('nobody')\n", "mine.py raised FileNotFoundError: "),
        ("raise SystemExit(3)\n", "mine.py raised SystemExit: 3"),
    ],
)
def test_what_a_file_raises_while_it_is_read_is_its_authors_to_see(tmp_path, text, sentence):
    with pytest.raises(Raised) as raised:
        load(written(tmp_path, text))
    told = str(raised.value)
    assert sentence in told.splitlines()[0]
    assert "importlib" not in told
    assert 'mine.py", line 1' in told


def test_a_bot_that_cannot_be_made_is_blamed(tmp_path):
    bot = load(
        written(tmp_path, "class A:\n    def __init__(self, x): ...\n    def choose(self, v, c): ...\n")
    )
    with pytest.raises(Raised, match=r"mine\.py raised TypeError"):
        UserBot(bot, "mine.py")


def test_a_file_may_use_what_lies_beside_it_and_be_called_like_a_library(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.path", [*sys.path])
    (tmp_path / "beside_the_bot.py").write_text("FIRST = 0\n")
    text = """
from __future__ import annotations
from dataclasses import dataclass
import random
from beside_the_bot import FIRST
@dataclass
class Mine:
    seen: int = FIRST
    def choose(self, view, choices):
        return {"kind": "claim", "territory": random.choice(choices[0].values["territory"])}
"""
    path = tmp_path / "random.py"
    path.write_text(text)
    bot = load(path)
    match = play("conquer", {}, (lambda chance, options: bot(), Wanderer), dice(2).below)
    assert match.outcome.reason != "forfeit"


def test_an_illegal_answer_is_told_with_what_is_legal():
    game = GAMES["conquer"]
    state, _ = game.setup({}, dice(1))
    view, choices = game.view(state, 1), game.legal_moves(state, 1)
    told = complaint("mine.py", view, choices, {"kind": "claim", "territory": 9})
    assert told.startswith(
        "mine.py, as Player 1, answered {'kind': 'claim', 'territory': 9}, which is not legal. "
        "Legal: {'kind': 'claim', 'territory': 1}, {'kind': 'claim', 'territory': 2}"
    )


def test_endless_answers_and_lists_are_cut():
    game = GAMES["galaxy"]
    state, _ = game.setup({}, dice(1))
    view, choices = game.view(state, 1), game.legal_moves(state, 1)
    told = complaint("mine.py", view, choices, "x" * 5000)
    assert len(told) < 1500
    assert told.endswith("and 37 more.")
