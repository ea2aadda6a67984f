"""A bot of the user's own: the example of the documentation works, and faults are told in a sentence."""

import re
from pathlib import Path

import pytest

from server.bots.arena import compete, play
from server.bots.own import BadBot, load
from tests.bots.partner import Wanderer, dice

DOCS = Path(__file__).parents[2] / "docs" / "bots.md"


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
