"""Command Line Conquer: all twenty turns of the book's example, and the rulings D1 to D6."""

import pytest

from protocol.games.duel import FULL_HP, LOWEST_HP, Attacked, Defended, Healed, Won
from protocol.outcome import Outcome
from server.games import GAMES
from tests.server.games.explore import reachable
from tests.server.games.position import Position

BOOK = [
    # seat and action, then Player 1's and Player 2's HP after the turn
    (1, "attack", 10, 8),
    (2, "defend", 10, 8),
    (1, "attack", 10, 8),
    (2, "heal", 10, 9),
    (1, "attack", 10, 7),
    (2, "attack", 8, 7),
    (1, "defend", 8, 7),
    (2, "attack", 8, 7),
    (1, "heal", 9, 7),
    (2, "attack", 7, 7),
    (1, "heal", 8, 7),
    (2, "attack", 4, 7),
    (1, "defend", 4, 7),
    (2, "heal", 4, 8),
    (1, "heal", 5, 8),
    (2, "attack", 3, 8),
    (1, "attack", 3, 6),
    (2, "attack", 1, 6),
    (1, "heal", 2, 6),
    (2, "attack", -2, 6),
]
AFTER_DEFENDING = {4, 9, 15}
"""The turns at which the book remarks that the player cannot attack."""


@pytest.fixture
def position():
    return Position("duel")


def play_in_turn(position, *actions):
    for action in actions:
        (seat,) = position.to_act
        position.play(seat, action)


def legal(position, seat):
    return {move["kind"] for move in position.legal(seat)}


def test_both_players_start_with_ten_hp_and_all_three_actions(position):
    assert position.view().hp == (10, 10)
    assert position.view().stances == ("none", "none")
    assert legal(position, 1) == {"attack", "defend", "heal"}


def test_the_books_twenty_turns(position):
    for turn, (seat, action, hp1, hp2) in enumerate(BOOK, start=1):
        assert position.outcome is None
        assert position.to_act == {seat}
        assert ("attack" not in legal(position, seat)) == (turn in AFTER_DEFENDING)
        position.play(seat, action)
        assert position.view().hp == (hp1, hp2), f"after turn {turn}"
    assert position.outcome == Outcome(winner=2, reason="no_hp")
    assert position.happened("duel.won") == Won(seat=2, hp=(-2, 6))


def test_D1_an_attack_takes_two(position):
    assert position.play(1, "attack") == (Attacked(seat=1, met="none", damage=2, hp=(10, 8)),)
    assert position.play(2, "attack") == (Attacked(seat=2, met="attacking", damage=2, hp=(8, 8)),)


def test_D1_an_attack_on_a_defending_player_takes_nothing(position):
    play_in_turn(position, "defend")
    assert position.play(2, "attack") == (Attacked(seat=2, met="defending", damage=0, hp=(10, 10)),)


def test_D1_an_attack_on_a_healing_player_takes_four(position):
    play_in_turn(position, "heal")
    assert position.play(2, "attack") == (Attacked(seat=2, met="healing", damage=4, hp=(6, 10)),)


def test_D1_only_the_last_action_counts(position):
    play_in_turn(position, "heal", "heal", "attack")
    assert position.play(2, "attack") == (Attacked(seat=2, met="attacking", damage=2, hp=(8, 6)),)


def test_D2_a_heal_straight_after_ones_own_defend_is_guarded(position):
    play_in_turn(position, "defend", "attack", "heal")
    assert position.view().stances == ("guarded", "attacking")
    assert position.play(2, "attack") == (Attacked(seat=2, met="guarded", damage=2, hp=(8, 10)),)


def test_D2_a_second_heal_is_not_guarded_any_more(position):
    play_in_turn(position, "defend", "attack", "heal", "defend", "heal", "heal")
    assert position.view().stances == ("healing", "guarded")
    play_in_turn(position, "attack")
    assert position.play(2, "attack")[0].met == "attacking"


def test_D2_the_opponents_defend_guards_nobody_else(position):
    play_in_turn(position, "attack", "defend", "heal", "heal")
    assert position.view().stances == ("healing", "guarded")


def test_D3_after_defending_the_next_action_is_defend_or_heal(position):
    play_in_turn(position, "defend", "heal")
    assert legal(position, 1) == {"defend", "heal"}
    assert position.refused(1, "attack") == "Attack cannot follow Defend."
    play_in_turn(position, "defend", "heal")
    assert legal(position, 1) == {"defend", "heal"}
    play_in_turn(position, "heal", "heal")
    assert legal(position, 1) == {"attack", "defend", "heal"}


def test_D4_healing_gives_one_hp(position):
    play_in_turn(position, "attack")
    assert position.play(2, "heal") == (Healed(seat=2, gained=1, hp=(10, 9)),)


def test_D4_healing_at_ten_is_legal_and_gives_nothing(position):
    assert position.play(1, "heal") == (Healed(seat=1, gained=0, hp=(10, 10)),)
    assert position.view().stances == ("healing", "none")


def test_D5_no_hp_left_loses_at_once(position):
    play_in_turn(position, *["attack"] * 8)
    assert position.view().hp == (2, 2)
    events = position.play(1, "attack")
    assert events == (Attacked(seat=1, met="attacking", damage=2, hp=(2, 0)), Won(seat=1, hp=(2, 0)))
    assert position.outcome == Outcome(winner=1, reason="no_hp")
    assert position.refused(2, "heal") == "The game is over."


def test_D5_the_score_may_show_below_zero(position):
    play_in_turn(position, *["attack"] * 8, "heal")
    play_in_turn(position, "attack")
    assert position.view().hp == (-1, 2)
    assert position.outcome == Outcome(winner=2, reason="no_hp")


def test_D6_two_careful_players_can_defend_for_ever(position):
    for _ in range(3000):
        events = position.play(1, "defend")
        assert events == (Defended(seat=1, hp=(10, 10)),)
        position.play(2, "defend")
    assert position.outcome is None
    assert position.to_act == {1}


def test_A2_it_is_not_player_twos_turn(position):
    assert position.refused(2, "defend") == "It is not your turn."


def test_D5_no_play_leads_below_the_lowest_hp_that_a_view_can_show():
    shown = {hp for state in reachable(GAMES["duel"]) for hp in state.hp}
    assert (min(shown), max(shown)) == (LOWEST_HP, FULL_HP)
