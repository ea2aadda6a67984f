"""The solver of Galaxy Conquest: consistent over every position that can come up, and true to the rules."""

import pytest

from client.bots import galaxy
from client.bots.galaxy import SOLVER, Position, attack, read, wins
from protocol.games.galaxy import Attack
from protocol.model import other
from server.games.galaxy import GAME, WINNING_COUNT
from tests.client.bots.partner import wander

START, _ = GAME.setup({}, None)
NUMBERS = range(1, 8)


def all_attacks(position):
    """List what every legal attack leads to, the pointless ones included."""
    for ship in NUMBERS:
        if position.fleet >> ship - 1 & 1:
            for planet in NUMBERS:
                if position.free >> planet - 1 & 1:
                    yield attack(position, planet, ship)


def is_over(position):
    return position.theirs == WINNING_COUNT or not position.fleet


def positions():
    """Go through all positions that can come up, each with what its attacks lead to.

    Of positions that differ in nothing that matters only one is looked at.
    """
    layer = {galaxy._key(start): start for start in [read(GAME.view(START, 1))]}
    while layer:
        following = {}
        for position in layer.values():
            afters = set(all_attacks(position))
            yield position, afters
            following |= {galaxy._key(after): after for after in afters if not is_over(after)}
        layer = following


def test_a_won_position_is_never_lost_whatever_the_opponent_plays():
    # A won position has an attack after which the opponent has lost; in a lost one, every attack leaves the
    # opponent a won position. Over all positions, that is the proof.
    count = 0
    for position, afters in positions():
        count += 1
        assert wins(position) == any(not wins(after) for after in afters)
    assert count > 200_000


def winner(state):
    """Tell who wins with best play, by nothing but the rules."""
    if state.end:
        return state.end.winner
    (choice,) = GAME.legal_moves(state, state.turn)
    for planet in choice.values["planet"]:
        for ship in choice.values["ship"]:
            after, _ = GAME.apply(state, state.turn, Attack(planet=planet, ship=ship), None)
            if winner(after) == state.turn:
                return state.turn
    return other(state.turn)


def endings(ships):
    """Give positions of random matches in which so many ships are left."""
    for seed in range(60):
        for state, _ in wander("galaxy", {}, seed):
            if sum(map(len, state.ships)) == ships:
                yield state


def advice_for(state):
    seat = state.turn
    return SOLVER.advise(GAME.view(state, seat), GAME.legal_moves(state, seat), {})


@pytest.mark.parametrize("ships", [1, 2, 3, 4])
def test_endings_come_out_as_the_rules_say(ships):
    for state in endings(ships):
        assert advice_for(state).value == (1 if winner(state) == state.turn else -1)


def test_best_moves_of_won_positions_win_and_a_win_comes_in_time():
    for seed in range(20):
        for state, seat in wander("galaxy", {}, seed):
            advice = advice_for(state)
            for prospect in advice.best():
                assert prospect.value == advice.value
                if prospect.value > 0 and prospect.distance > 1:
                    after, _ = GAME.apply(state, seat, prospect.move, None)
                    replies = advice_for(after).prospects
                    assert all(reply.value == -1 for reply in replies)
                    assert max(reply.distance for reply in replies) == prospect.distance - 1


def test_player_1_wins_with_all_first_attacks_but_failing_ones_and_ship_7_below_planet_7():
    for prospect in advice_for(START).prospects:
        planet, ship = prospect.move.planet, prospect.move.ship
        is_good = ship >= planet and (ship < 7 or planet == 7)
        assert prospect.value == (1 if is_good else -1)
        assert prospect.distance == (7 if is_good else None)
    assert SOLVER.opening({}) == 1.0


def test_a_hopeless_attack_is_silly():
    hopeless = [p for p in advice_for(START).prospects if p.move.ship < p.move.planet]
    assert all(prospect.is_silly for prospect in hopeless)


def test_the_view_is_read_from_the_seat_that_moves():
    state, _ = GAME.apply(START, 1, Attack(planet=7, ship=7), None)
    assert read(GAME.view(state, 2)) == Position(
        free=0b0111111,
        fleet=0b1111111,
        facing=0b0111111,
        mine=0,
        theirs=1,
        top=7,
        is_top_mine=False,
    )
