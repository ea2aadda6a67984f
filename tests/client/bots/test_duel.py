"""The solver of Command Line Conquer: never loses, and presses."""

from itertools import product

import pytest

from client.bots import Computer
from client.bots.arena import compete
from client.bots.duel import SOLVER
from protocol.games import parse_move
from server.games.duel import GAME, State
from tests.client.bots.partner import Wanderer, dice

STANCES = ("none", "attacking", "defending", "healing", "guarded")
HEALTH = range(1, 11)


def positions():
    """List every position with Player 1 to move that can come up, and a few that cannot."""
    for hp, stances in product(product(HEALTH, HEALTH), product(STANCES, STANCES)):
        # Who has just healed has at least 2 HP.
        if not any(h == 1 and s in ("healing", "guarded") for h, s in zip(hp, stances, strict=True)):
            yield State(hp=hp, stances=stances, turn=1)


def advice_for(state):
    seat = state.turn
    return SOLVER.advise(GAME.view(state, seat), GAME.legal_moves(state, seat), {})


def moves_of(state):
    for choice in GAME.legal_moves(state, state.turn):
        move = parse_move("duel", {"kind": choice.kind})
        yield move, GAME.apply(state, state.turn, move, None)[0]


def can_finish(state):
    """Tell whether the player to move has a blow that ends the duel."""
    return any(after.end for _, after in moves_of(state))


def test_nothing_can_be_forced_but_a_blow_that_lands_now():
    for state in positions():
        assert advice_for(state).value == (1 if can_finish(state) else 0)


def test_a_blow_that_wins_is_struck():
    for state in positions():
        if can_finish(state):
            assert [p.move.kind for p in advice_for(state).best()] == ["attack"]


def test_perfect_play_never_enters_a_lost_position_from_any_position():
    for state in positions():
        for prospect in advice_for(state).best():
            after, _ = GAME.apply(state, 1, prospect.move, None)
            assert after.end or not can_finish(after)


def test_every_move_is_worth_what_the_opponent_can_make_of_it():
    for state in positions():
        for move, after in moves_of(state):
            expected = 1 if after.end else -1 if can_finish(after) else 0
            assert advice_for(state).of(move).value == expected


def test_perfect_presses_a_player_who_errs_and_never_loses():
    perfect = lambda chance, options: Computer("perfect", chance)  # noqa: E731
    tally = compete("duel", {}, (perfect, Wanderer), 100, dice(1).below)
    assert tally.lost == 0
    assert tally.won >= 99


@pytest.mark.parametrize(
    ("hp", "stances", "kind"),
    [
        ((10, 10), ("none", "defending"), "attack"),
        ((10, 10), ("attacking", "attacking"), "heal"),
        ((2, 10), ("attacking", "attacking"), "attack"),
    ],
)
def test_what_does_nothing_or_drops_the_guard_is_silly(hp, stances, kind):
    prospects = advice_for(State(hp=hp, stances=stances, turn=1)).prospects
    assert [p.is_silly for p in prospects if p.move.kind == kind] == [True]
