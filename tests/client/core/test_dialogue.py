"""The questions of one turn: forward, back, and all at once."""

from typing import Any

import pytest

from client.core.dialogue import Dialogue
from client.core.games import RENDERERS
from client.core.games.renderer import Question
from client.core.state import MatchState
from protocol.choice import Choice

ATTACKS = (Choice(kind="attack", values={"planet": (3, 7), "ship": (5, 7)}),)
ACTIONS = (Choice(kind="claim", values={"cell": (1, 2)}), Choice(kind="challenge", values={"cell": (5,)}))


class _Match:
    """As much of a match as a dialogue looks at."""

    def __init__(self, game: str, legal: tuple[Choice, ...]) -> None:
        self.game, self.legal, self.turn = game, legal, 1
        known = {"planets": (0,) * 7, "cells": (0,) * 9, "hands": ((1,), (1,)), "sudden_death": False}
        self.view = type("View", (), {"viewer": 1, **known})


def dialogue(game: str, legal: tuple[Choice, ...]) -> Dialogue:
    match: Any = _Match(game, legal)
    state: MatchState = match
    return Dialogue(RENDERERS[game], state)


@pytest.mark.parametrize("back", ["", "  ", "back", "Back "])
def test_the_second_question_leads_back_to_the_first(back: str) -> None:
    asked = dialogue("galaxy", ATTACKS)
    first = asked.question.prompt
    asked.take("3")
    returned = asked.take(back)
    assert isinstance(returned, Question)
    assert returned.prompt == asked.question.prompt == first
    asked.take("7")
    assert asked.take("5") == {"kind": "attack", "planet": 7, "ship": 5}


@pytest.mark.parametrize("before", [(), ("3",)])
def test_a_whole_move_is_understood_at_every_question(before: tuple[str, ...]) -> None:
    asked = dialogue("galaxy", ATTACKS)
    for answer in before:
        asked.take(answer)
    assert asked.take("7 7") == {"kind": "attack", "planet": 7, "ship": 7}


@pytest.mark.parametrize("before", [(), ("claim",)])
def test_another_kind_of_move_is_understood_whole(before: tuple[str, ...]) -> None:
    asked = dialogue("grid", ACTIONS)
    for answer in before:
        asked.take(answer)
    assert asked.take("challenge 5") == {"kind": "challenge", "cell": 5}
