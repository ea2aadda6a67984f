"""Conquer: the book's three examples, and the rulings Q1 to Q3."""

import pytest

from protocol.games.conquer import Claimed, Won
from protocol.outcome import Outcome
from server.games import GAMES
from tests.server.games.explore import reachable
from tests.server.games.position import Position


@pytest.fixture
def position():
    return Position("conquer")


def claim_in_turn(position, *territories):
    """Claim territories alternately, beginning with whoever is to act."""
    for territory in territories:
        (seat,) = position.to_act
        position.play(seat, "claim", territory=territory)


def follow(position, claims):
    """Make claims, each with its seat and the map that the book shows after it."""
    for seat, territory, territories in claims:
        assert position.outcome is None
        position.play(seat, "claim", territory=territory)
        assert position.view().territories == territories


def available(position, seat):
    return position.may(seat, "claim", "territory")


def test_the_books_quick_victory(position):
    turns = [
        # seat, what the book lists as available, and the claim
        (1, [1, 2, 3, 4, 5, 6, 7], 4),
        (2, [1, 2, 3, 5, 6, 7], 7),
        (1, [1, 2, 3, 5, 6], 3),
        (2, [1, 2, 5, 6], 5),
        (1, [1, 2, 6], 2),
    ]
    for seat, listed, territory in turns:
        assert position.outcome is None
        assert position.to_act == {seat}
        assert available(position, seat) == listed
        events = position.play(seat, "claim", territory=territory)
        assert events[0] == Claimed(seat=seat, territory=territory)
        assert position.view().territories[territory - 1] == seat
    assert position.view().territories == (0, 1, 1, 1, 2, 0, 2)
    assert events[1] == Won(seat=1, reason="three_adjacent", chain=(2, 3, 4))
    assert position.outcome == Outcome(winner=1, reason="three_adjacent")


def test_Q1_the_books_second_example_is_won_by_player_two_on_the_sixth_claim(position):
    claims = [
        (1, 1, (1, 0, 0, 0, 0, 0, 0)),
        (2, 4, (1, 0, 0, 2, 0, 0, 0)),
        (1, 7, (1, 0, 0, 2, 0, 0, 1)),
        (2, 3, (1, 0, 2, 2, 0, 0, 1)),
        (1, 5, (1, 0, 2, 2, 1, 0, 1)),
        (2, 2, (1, 2, 2, 2, 1, 0, 1)),
    ]
    follow(position, claims)
    assert position.outcome == Outcome(winner=2, reason="three_adjacent")
    assert position.happened("conquer.won") == Won(seat=2, reason="three_adjacent", chain=(2, 3, 4))
    assert position.refused(1, "claim", territory=6) == "The game is over."


def test_the_books_blocking_example(position):
    claims = [
        (1, 3, (0, 0, 1, 0, 0, 0, 0)),
        (2, 4, (0, 0, 1, 2, 0, 0, 0)),
        (1, 5, (0, 0, 1, 2, 1, 0, 0)),
        (2, 2, (0, 2, 1, 2, 1, 0, 0)),
        (1, 6, (0, 2, 1, 2, 1, 1, 0)),
        (2, 1, (2, 2, 1, 2, 1, 1, 0)),
        (1, 7, (2, 2, 1, 2, 1, 1, 1)),
    ]
    follow(position, claims)
    assert position.happened("conquer.won") == Won(seat=1, reason="three_adjacent", chain=(5, 6, 7))
    assert position.outcome == Outcome(winner=1, reason="three_adjacent")


def test_A2_a_claimed_territory_is_refused_in_the_books_words(position):
    claim_in_turn(position, 4)
    assert position.refused(2, "claim", territory=4) == "Territory 4 is claimed already."
    assert position.refused(1, "claim", territory=5) == "It is not your turn."
    claim_in_turn(position, 5)


def test_Q1_three_adjacent_territories_win_at_once(position):
    claim_in_turn(position, 1, 7, 2, 6)
    assert position.outcome is None
    claim_in_turn(position, 3)
    assert position.outcome == Outcome(winner=1, reason="three_adjacent")
    assert position.to_act == set()


def test_Q1_the_claim_in_the_middle_closes_the_chain_too(position):
    claim_in_turn(position, 3, 1, 5, 7, 4)
    assert position.outcome == Outcome(winner=1, reason="three_adjacent")


def test_Q2_the_announcement_lists_the_whole_chain_even_of_four(position):
    claim_in_turn(position, 2, 1, 3, 6, 5, 7, 4)
    assert position.happened("conquer.won") == Won(seat=1, reason="three_adjacent", chain=(2, 3, 4, 5))


def test_Q2_the_announcement_lists_only_the_chain(position):
    claim_in_turn(position, 7, 1, 2, 6, 3, 5, 4)
    assert position.view().territories == (2, 1, 1, 1, 2, 2, 1)
    assert position.happened("conquer.won").chain == (2, 3, 4)


def test_Q3_all_claimed_the_longest_chain_wins(position):
    claim_in_turn(position, 1, 3, 2, 5, 4, 7, 6)
    assert position.view().territories == (1, 1, 2, 1, 2, 1, 2)
    assert position.outcome == Outcome(winner=1, reason="longest_chain")
    assert position.happened("conquer.won") == Won(seat=1, reason="longest_chain", chain=(1, 2))


def test_Q3_chains_of_equal_length_are_decided_by_the_most_territories(position):
    claim_in_turn(position, 1, 3, 2, 5, 4, 6, 7)
    assert position.view().territories == (1, 1, 2, 1, 2, 2, 1)
    assert position.outcome == Outcome(winner=1, reason="most_territories")
    assert position.happened("conquer.won").chain == (1, 2)


def test_Q2_of_chains_of_equal_length_the_first_is_announced(position):
    claim_in_turn(position, 1, 3, 2, 6, 4, 7, 5)
    assert position.view().territories == (1, 1, 2, 1, 1, 2, 2)
    assert position.happened("conquer.won") == Won(seat=1, reason="most_territories", chain=(1, 2))


def test_Q3_a_map_full_of_short_chains_is_always_decided_and_player_one_holds_four():
    full = [state for state in reachable(GAMES["conquer"]) if 0 not in state.territories]
    without_three = [state for state in full if state.end.reason != "three_adjacent"]
    assert {state.end.reason for state in without_three} == {"longest_chain", "most_territories"}
    for state in without_three:
        assert state.territories.count(1) == 4
        assert state.end.winner == 1
