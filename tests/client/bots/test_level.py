"""The levels: each gives away what it states, and from normal on nothing that a beginner would laugh at."""

from functools import cache

import pytest

from client.bots import LEVELS, advise
from client.bots.bot import SOLVERS
from client.bots.level import GIVEN_AWAY, are_sensible, losses_of, pick, policy
from server.games import GAMES
from tests.client.bots.partner import VARIANTS, dice, wander

SEEDS = range(6)


def decisions(game_id, options):
    """Give advice for many positions of random matches."""
    return advice_for_all(game_id, tuple(options.items()))


@cache
def advice_for_all(game_id, options):
    game, found = GAMES[game_id], []
    for seed in SEEDS:
        for state, seat in wander(game_id, dict(options), seed):
            view = game.view(state, seat)
            found.append((view, advise(view, game.legal_moves(state, seat), dict(options))))
    return found


@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
@pytest.mark.parametrize("level", LEVELS)
def test_a_level_gives_away_what_it_states_where_there_is_room(game_id, options, level):
    for view, advice in decisions(game_id, options):
        room = SOLVERS[game_id].room(view)
        weights = policy(advice, level, room)
        losses = losses_of(advice)
        candidates = [True] * len(losses) if level == "easy" else are_sensible(advice)
        most = sum(loss for loss, may in zip(losses, candidates, strict=True) if may) / sum(candidates)
        expected = sum(weight * loss for weight, loss in zip(weights, losses, strict=True))
        assert sum(weights) == pytest.approx(1)
        assert expected == pytest.approx(min(GIVEN_AWAY[level] / room, most), abs=1e-8)


@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
@pytest.mark.parametrize("level", ["normal", "hard", "perfect"])
def test_from_normal_on_no_win_is_missed_and_nothing_silly_is_played(game_id, options, level):
    for view, advice in decisions(game_id, options):
        weights = policy(advice, level, SOLVERS[game_id].room(view))
        played = [p for p, weight in zip(advice.prospects, weights, strict=True) if weight > 0]
        if any(p.distance == 1 and p.value == 1 for p in advice.prospects):
            assert all(p.distance == 1 and p.value == 1 for p in played)
        elif not all(p.is_silly for p in advice.prospects):
            assert all(not p.is_silly or p.share > 0 for p in played)


@pytest.mark.parametrize("game_id", ["galaxy", "conquer"])
def test_from_normal_on_no_loss_on_the_spot_is_allowed_that_can_be_avoided(game_id):
    for view, advice in decisions(game_id, {}):
        walks_into = [p.value == -1 and p.distance == 2 for p in advice.prospects]
        if not all(walks_into):
            weights = policy(advice, "normal", SOLVERS[game_id].room(view))
            assert not any(into and weight for into, weight in zip(walks_into, weights, strict=True))


def test_moves_are_drawn_as_often_as_the_policy_says():
    _, advice = decisions("conquer", {})[0]
    weights = policy(advice, "easy", 1.0)
    chance = dice(1)
    drawn = [pick(advice, "easy", 1.0, chance).move for _ in range(7000)]
    for prospect, weight in zip(advice.prospects, weights, strict=True):
        assert drawn.count(prospect.move) / 7000 == pytest.approx(weight, abs=0.02)


def test_the_levels_give_away_less_and_less_and_perfect_nothing():
    given = [GIVEN_AWAY[level] for level in LEVELS]
    assert given == sorted(given, reverse=True)
    assert given[-1] == 0
