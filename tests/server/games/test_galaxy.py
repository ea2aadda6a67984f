"""Galaxy Conquest: the book's games, and the rulings G1 to G3."""

import pytest

from protocol.games.galaxy import Attacked, Won
from protocol.outcome import Outcome
from server.games import GAMES
from tests.server.games.playthrough import playthroughs, variants_of
from tests.server.games.position import Position

ALL = (1, 2, 3, 4, 5, 6, 7)


@pytest.fixture
def position():
    return Position("galaxy")


def attack(position, seat, planet, ship):
    return position.play(seat, "attack", planet=planet, ship=ship)


def without(*ships):
    return tuple(ship for ship in ALL if ship not in ships)


def test_at_the_start_nothing_is_conquered_and_both_fleets_are_whole(position):
    assert position.events == ()
    assert position.view().planets == (0,) * 7
    assert position.view().ships == (ALL, ALL)
    assert position.to_act == {1}


def test_the_books_example_turn(position):
    attack(position, 1, planet=4, ship=5)
    assert position.view().planets == (0, 0, 0, 1, 0, 0, 0)
    assert position.view().ships == (without(5), ALL)
    assert position.to_act == {2}


def test_the_books_sample_game(position):
    after = [
        # seat, planet and ship; then the planets' owners and both fleets
        (1, 7, 7, (0, 0, 0, 0, 0, 0, 1), without(7), ALL),
        (2, 6, 6, (0, 0, 0, 0, 0, 2, 1), without(7), without(6)),
        (1, 5, 5, (0, 0, 0, 0, 1, 2, 1), without(7, 5), without(6)),
        (2, 4, 4, (0, 0, 0, 2, 1, 2, 1), without(7, 5), without(6, 4)),
        (1, 3, 3, (0, 0, 1, 2, 1, 2, 1), without(7, 5, 3), without(6, 4)),
        (2, 2, 2, (0, 2, 1, 2, 1, 2, 1), without(7, 5, 3), without(6, 4, 2)),
        (1, 1, 1, (1, 2, 1, 2, 1, 2, 1), without(7, 5, 3, 1), without(6, 4, 2)),
    ]
    for turn, (seat, planet, ship, planets, fleet1, fleet2) in enumerate(after, start=1):
        assert position.outcome is None
        assert position.to_act == {seat}
        if turn == 4:  # The book's Player 2 tries the conquered planet 5 first.
            said = position.refused(2, "attack", planet=5, ship=4)
            assert said == "Planet 5 belongs to Player 1."
        events = attack(position, seat, planet, ship)
        assert events[0] == Attacked(seat=seat, planet=planet, ship=ship, conquered=True)
        for viewer in (1, 2, None):
            assert position.view(viewer).planets == planets
            assert position.view(viewer).ships == (fleet1, fleet2)
    assert events[1] == Won(seat=1, reason="four_planets", planets=((1, 3, 5, 7), (2, 4, 6)))
    assert position.outcome == Outcome(winner=1, reason="four_planets")


def test_A2_a_refused_move_says_why_and_leaves_the_same_player_to_act(position):
    assert position.refused(2, "attack", planet=1, ship=1) == "It is not your turn."
    attack(position, 1, planet=1, ship=7)
    attack(position, 2, planet=2, ship=6)
    assert position.refused(1, "attack", planet=3, ship=7) == ("Ship 7 is spent.")
    assert position.refused(1, "attack", planet=2, ship=6) == ("Planet 2 belongs to Player 2.")
    attack(position, 1, planet=3, ship=6)


def test_a_ship_as_strong_as_the_planet_conquers_it(position):
    attack(position, 1, planet=5, ship=5)
    assert position.view().planets[4] == 1


def test_G1_four_planets_end_the_game_at_once_whatever_ships_remain(position):
    for planet in (1, 2, 3):
        attack(position, 1, planet=planet, ship=planet)
        attack(position, 2, planet=7, ship=planet)
    attack(position, 1, planet=4, ship=4)
    assert position.outcome == Outcome(winner=1, reason="four_planets")
    assert position.view().ships == ((5, 6, 7), (4, 5, 6, 7))
    assert position.to_act == set()
    assert position.refused(2, "attack", planet=7, ship=7) == "The game is over."


def test_G1_player_two_can_be_the_one_with_four(position):
    for planet in (1, 2, 3, 4):
        attack(position, 1, planet=7, ship=planet)
        attack(position, 2, planet=planet, ship=planet)
    assert position.outcome == Outcome(winner=2, reason="four_planets")


def spend_the_rest_in_vain(position):
    """Send every ship below 7 against planet 7, turn about, until both fleets are spent."""
    while position.outcome is None:
        (seat,) = position.to_act
        attack(position, seat, planet=7, ship=min(position.view().ships[seat - 1]))


def test_G2_spent_fleets_are_decided_by_the_most_planets(position):
    attack(position, 1, planet=1, ship=7)
    attack(position, 2, planet=6, ship=7)
    attack(position, 1, planet=3, ship=3)
    spend_the_rest_in_vain(position)
    assert position.view().ships == ((), ())
    assert position.outcome == Outcome(winner=1, reason="most_planets")
    assert position.happened("galaxy.won").planets == ((1, 3), (6,))


def test_G2_level_on_planets_the_highest_conquered_planet_decides(position):
    attack(position, 1, planet=1, ship=7)
    attack(position, 2, planet=2, ship=7)
    spend_the_rest_in_vain(position)
    assert position.outcome == Outcome(winner=2, reason="highest_planet")
    assert position.happened("galaxy.won").planets == ((1,), (2,))


def test_G2_the_game_goes_on_while_a_ship_is_left(position):
    attack(position, 1, planet=1, ship=7)
    attack(position, 2, planet=2, ship=7)
    for ship in (1, 2, 3, 4, 5, 6):
        attack(position, 1, planet=7, ship=ship)
        assert position.outcome is None
        attack(position, 2, planet=7, ship=ship)
    assert position.outcome is not None


def test_G2_no_game_ends_without_a_winner():
    (variant,) = variants_of(GAMES["galaxy"])
    ends = [played.final.end for played in playthroughs(variant)]
    assert {end.winner for end in ends} == {1, 2}
    assert {end.reason for end in ends} == {"four_planets", "most_planets", "highest_planet"}


def test_G2_with_its_fleet_spent_a_player_without_four_holds_a_planet_at_least():
    (variant,) = variants_of(GAMES["galaxy"])
    spent = [played.final for played in playthroughs(variant) if not any(played.final.ships)]
    assert spent
    for state in spent:
        assert 1 in state.planets
        assert 2 in state.planets


def test_G3_a_hopeless_attack_is_legal_and_spends_the_ship(position):
    assert {"kind": "attack", "planet": 7, "ship": 1} in position.legal(1)
    events = attack(position, 1, planet=7, ship=1)
    assert events == (Attacked(seat=1, planet=7, ship=1, conquered=False),)
    assert position.view().planets == (0,) * 7
    assert position.view().ships == (without(1), ALL)
    assert position.to_act == {2}
