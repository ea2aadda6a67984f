"""A bot knows what a person in its seat knows, and no more."""

import inspect
from dataclasses import replace

import pytest

from client import bots
from client.bots import LEVELS, Computer, choose
from client.bots.bot import SOLVERS
from protocol.choice import admits
from server.games import GAMES
from server.games.grid import GAME as GRID
from tests.client.bots.partner import VARIANTS, dice, wander


def test_a_bot_is_handed_a_view_and_choices_and_nothing_that_holds_the_truth():
    assert list(inspect.signature(choose).parameters) == ["view", "choices", "level", "chance", "options"]
    assert list(inspect.signature(Computer.choose).parameters) == ["self", "view", "choices"]


@pytest.mark.parametrize("level", LEVELS)
def test_a_hidden_pick_does_not_change_what_the_other_side_plays(level):
    compared = 0
    for seed in range(40):
        for state, seat in wander("grid", {"size": "3"}, seed):
            theirs = state.picks[2 - seat]
            if state.challenged is None or theirs is None:
                continue
            twins = [_with_pick(state, 3 - seat, number) for number in state.hands[2 - seat]]
            moves = {
                choose(GRID.view(twin, seat), GRID.legal_moves(twin, seat), level, dice(seed)).number
                for twin in twins
            }
            assert len(moves) == 1
            compared += len(twins) > 1
    assert compared > 20


def _with_pick(state, seat, number):
    picks = (number, state.picks[1]) if seat == 1 else (state.picks[0], number)
    return replace(state, picks=picks)


@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
@pytest.mark.parametrize("level", LEVELS)
def test_every_choice_is_legal(game_id, options, level):
    game, chance = GAMES[game_id], dice(2)
    for state, seat in wander(game_id, options, seed=11, most_moves=40):
        choices = game.legal_moves(state, seat)
        assert admits(choices, choose(game.view(state, seat), choices, level, chance, options))


@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
def test_the_same_luck_gives_the_same_moves(game_id, options):
    game = GAMES[game_id]
    for state, seat in wander(game_id, options, seed=7, most_moves=20):
        view, choices = game.view(state, seat), game.legal_moves(state, seat)
        assert choose(view, choices, "normal", dice(9), options) == choose(
            view, choices, "normal", dice(9), options
        )


@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
def test_all_that_is_said_of_a_position_is_about_its_legal_moves(game_id, options):
    game = GAMES[game_id]
    for state, seat in wander(game_id, options, seed=13, most_moves=30):
        choices = game.legal_moves(state, seat)
        advice = bots.advise(game.view(state, seat), choices, options)
        assert all(admits(choices, prospect.move) for prospect in advice.prospects)
        assert len(advice.prospects) == sum(_size(choice) for choice in choices)
        assert sum(prospect.share for prospect in advice.prospects) == pytest.approx(1)
        assert max(p.value for p in advice.prospects) == pytest.approx(advice.value)


def _size(choice):
    size = 1
    for allowed in choice.values.values():
        size *= len(allowed)
    return size


def test_every_game_has_a_solver():
    assert SOLVERS.keys() == GAMES.keys()
