"""Grid Conquest: the book's scenes, and the rulings R1 to R7."""

from dataclasses import replace

import pytest

from protocol.games.grid import Challenged, Claimed, Picked, Refilled, Revealed, Standing, SuddenDeath, Won
from protocol.outcome import Outcome
from server.games import GAMES
from server.games.grid import reveal
from tests.server.games.playthrough import playthroughs, states_on_the_way, variants_of
from tests.server.games.position import Position

FULL_HAND = (1, 2, 3, 4, 5)

every_size = pytest.mark.parametrize("variant", variants_of(GAMES["grid"]), ids=str)


@pytest.fixture
def position():
    return Position("grid")


@pytest.fixture
def small():
    return Position("grid", size="2")


def claim_in_turn(position, *cells):
    """Claim cells alternately, beginning with whoever is to act."""
    for cell in cells:
        (seat,) = position.to_act
        position.play(seat, "claim", cell=cell)


def challenge(position, seat, cell, numbers):
    """Challenge a cell, with Player 1's number and Player 2's, and hand back the reveal."""
    position.play(seat, "challenge", cell=cell)
    position.play(1, "pick", number=numbers[0])
    position.play(2, "pick", number=numbers[1])
    return position.happened("grid.revealed")


def drawn(position):
    """Draw the grid as the book does, a dot for an empty cell."""
    marks = "".join(".XO"[owner] for owner in position.view().cells)
    size = position.view().size
    return " ".join(marks[row : row + size] for row in range(0, len(marks), size))


def into_sudden_death(small):
    """Share the small grid equally without spending a number."""
    claim_in_turn(small, 1, 2, 3, 4)
    return small


def test_at_the_start_the_grid_is_empty_and_hands_are_full(position):
    assert drawn(position) == "... ... ..."
    assert position.view().hands == (FULL_HAND, FULL_HAND)
    assert position.to_act == {1}
    assert position.legal(1) == [{"kind": "claim", "cell": cell} for cell in range(1, 10)]


def test_the_books_four_turns(position):
    assert position.play(1, "claim", cell=5) == (Claimed(seat=1, cell=5),)
    assert drawn(position) == "... .X. ..."
    assert position.play(2, "claim", cell=1) == (Claimed(seat=2, cell=1),)
    assert drawn(position) == "O.. .X. ..."
    assert challenge(position, 1, cell=1, numbers=(4, 3)) == Revealed(
        cell=1, challenger=1, numbers=(4, 3), owner=1
    )
    assert drawn(position) == "X.. .X. ..."
    assert position.view().hands == ((1, 2, 3, 5), (1, 2, 4, 5))
    assert position.to_act == {2}
    position.play(2, "claim", cell=2)
    assert drawn(position) == "XO. .X. ..."
    assert position.outcome is None


def test_the_books_final_grid_is_won_by_player_two(position):
    claim_in_turn(position, 5, 1)
    challenge(position, 1, cell=1, numbers=(4, 3))
    claim_in_turn(position, 2, 4, 3, 7)
    challenge(position, 2, cell=7, numbers=(1, 5))
    claim_in_turn(position, 8, 6)
    challenge(position, 1, cell=6, numbers=(2, 4))
    claim_in_turn(position, 9)
    assert drawn(position) == "XOO XXO OXO"
    assert position.outcome == Outcome(winner=2, reason="most_cells")
    assert position.happened("grid.won") == Won(seat=2, reason="most_cells", cells=(4, 5), sums=(8, 3))


def test_the_books_tie_break_on_an_even_grid(small):
    claim_in_turn(small, 1, 2)
    challenge(small, 1, cell=2, numbers=(4, 3))
    challenge(small, 2, cell=1, numbers=(2, 5))
    claim_in_turn(small, 3, 4)
    assert small.view().hands == ((1, 3, 5), (1, 2, 4))
    assert small.outcome == Outcome(winner=1, reason="unused_numbers")
    assert small.happened("grid.won") == Won(seat=1, reason="unused_numbers", cells=(2, 2), sums=(9, 7))


def test_the_books_challenge_by_player_two(position):
    claim_in_turn(position, 5)
    assert position.may(2, "challenge", "cell") == [5]
    assert challenge(position, 2, cell=5, numbers=(4, 5)).owner == 2
    assert drawn(position) == "... .O. ..."


def test_R1_a_challenge_needs_an_opponents_cell(position):
    claim_in_turn(position, 5, 1)
    assert position.may(1, "challenge", "cell") == [1]
    for cell in (5, 2):
        assert position.refused(1, "challenge", cell=cell) == (f"Cell {cell} is not your opponent's.")
    assert position.refused(1, "challenge", cell=10) == "There is no cell 10; the cells are 1 to 9."


def test_R1_a_challenge_needs_a_number(position):
    claim_in_turn(position, 1, 2)
    for number in FULL_HAND:
        challenge(position, 1 if number % 2 else 2, cell=2 if number % 2 else 1, numbers=(number, number))
    assert position.view().hands == ((), ())
    assert position.to_act == {2}
    assert position.may(2, "challenge", "cell") == []
    assert position.refused(2, "challenge", cell=1) == (
        "You have no challenge numbers left, so you cannot challenge."
    )
    claim_in_turn(position, 3)


def test_R1_a_challenge_is_declared_in_public_before_both_owe_a_number(position):
    claim_in_turn(position, 5)
    assert position.play(2, "challenge", cell=5) == (Challenged(seat=2, cell=5),)
    for viewer in (1, 2, None):
        assert position.view(viewer).challenge == Standing(cell=5, challenger=2, picked=())
    assert position.to_act == {1, 2}
    for seat in (1, 2):
        assert position.legal(seat) == [{"kind": "pick", "number": number} for number in FULL_HAND]


@pytest.mark.parametrize(("first", "second"), [(1, 2), (2, 1)])
def test_R1_the_numbers_come_in_either_order_and_stay_secret_until_both_are_in(position, first, second):
    numbers = {1: 5, 2: 3}
    claim_in_turn(position, 5)
    position.play(2, "challenge", cell=5)
    assert position.play(first, "pick", number=numbers[first]) == (Picked(seat=first),)
    assert position.to_act == {second}
    assert position.view(first).pick == numbers[first]
    for viewer in (second, None):
        assert position.view(viewer).pick is None
    for viewer in (1, 2, None):
        assert position.view(viewer).challenge.picked == (first,)
        assert position.view(viewer).hands == (FULL_HAND, FULL_HAND)
    assert position.play(second, "pick", number=numbers[second]) == (
        Picked(seat=second),
        Revealed(cell=5, challenger=2, numbers=(5, 3), owner=1),
    )
    for viewer in (1, 2, None):
        assert position.view(viewer).pick is None
        assert position.view(viewer).challenge is None


@every_size
def test_R1_another_number_in_a_standing_pick_changes_nothing_that_others_can_see(variant):
    game = variant.game
    states = [state for state in states_on_the_way(variant) if None in state.picks and any(state.picks)]
    assert states
    for state in states:
        seat, opponent = (1, 2) if state.picks[0] else (2, 1)
        for number in state.hands[seat - 1]:
            changed = replace(state, picks=(number, None) if seat == 1 else (None, number))
            assert game.view(changed, seat).pick == number
            assert game.to_act(changed) == game.to_act(state) == {opponent}
            assert game.legal_moves(changed, opponent) == game.legal_moves(state, opponent)
            for viewer in (opponent, None):
                assert game.view(changed, viewer) == game.view(state, viewer)


def test_R1_a_pick_is_final(position):
    claim_in_turn(position, 5)
    position.play(2, "challenge", cell=5)
    position.play(1, "pick", number=2)
    for number in FULL_HAND:
        assert position.refused(1, "pick", number=number) == (
            "You have already picked a number, and a pick is final."
        )
    assert position.view(1).pick == 2


def test_R1_while_a_challenge_stands_there_is_nothing_else_to_do(position):
    claim_in_turn(position, 5)
    position.play(2, "challenge", cell=5)
    said = "A challenge stands. Select a challenge number first."
    for seat in (1, 2):
        assert position.refused(seat, "claim", cell=1) == said
        assert position.refused(seat, "challenge", cell=5) == said


def test_R1_nothing_is_revealed_before_both_numbers_are_in(position):
    claim_in_turn(position, 5)
    position.play(2, "challenge", cell=5)
    position.play(1, "pick", number=2)
    with pytest.raises(ValueError, match="nothing to reveal"):
        reveal(position.state)


def test_R1_without_a_challenge_there_is_nothing_to_pick_for(position):
    assert position.refused(1, "pick", number=3) == "There is no challenge to pick a number for."


@pytest.mark.parametrize(
    ("numbers", "owner"), [((4, 3), 1), ((3, 4), 2), ((3, 3), 2), ((1, 5), 2), ((5, 1), 1), ((5, 5), 2)]
)
def test_R2_the_higher_number_takes_or_keeps_the_cell_and_a_tie_keeps_it(position, numbers, owner):
    claim_in_turn(position, 5, 1)
    assert challenge(position, 1, cell=1, numbers=numbers).owner == owner
    assert position.view().cells[0] == owner
    assert position.view().hands == tuple(
        tuple(number for number in FULL_HAND if number != spent) for spent in numbers
    )
    assert position.to_act == {2}


@pytest.mark.parametrize(("numbers", "owner"), [((3, 4), 2), ((4, 3), 1), ((3, 3), 1)])
def test_R2_the_turn_passes_to_the_opponent_of_the_challenger_whoever_won(position, numbers, owner):
    claim_in_turn(position, 5)
    assert challenge(position, 2, cell=5, numbers=numbers).owner == owner
    assert position.to_act == {1}


def test_R3_a_spent_number_is_refused_in_the_books_words(position):
    claim_in_turn(position, 5, 1)
    challenge(position, 1, cell=1, numbers=(4, 5))
    claim_in_turn(position, 2)
    position.play(1, "challenge", cell=1)
    assert position.may(1, "pick", "number") == [1, 2, 3, 5]
    assert position.refused(1, "pick", number=4) == ("Number 4 is spent.")
    assert position.to_act == {1, 2}


def test_R3_everybody_sees_which_numbers_are_spent(position):
    claim_in_turn(position, 5, 1)
    challenge(position, 1, cell=1, numbers=(4, 5))
    for viewer in (1, 2, None):
        assert position.view(viewer).hands == ((1, 2, 3, 5), (1, 2, 3, 4))


def test_R4_the_game_ends_the_moment_the_last_cell_is_claimed(position):
    claim_in_turn(position, 1, 2, 3, 4, 5, 6, 7, 8)
    assert position.outcome is None
    claim_in_turn(position, 9)
    assert position.outcome == Outcome(winner=1, reason="most_cells")
    assert position.happened("grid.won").cells == (5, 4)
    assert position.to_act == set()
    assert position.refused(2, "challenge", cell=1) == "The game is over."


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_R5_the_grid_is_as_large_as_agreed(size):
    position = Position("grid", size=str(size))
    assert position.may(1, "claim", "cell") == list(range(1, size**2 + 1))
    if size < 6:
        said = f"There is no cell {size**2 + 1}; the cells are 1 to {size**2}."
        assert position.refused(1, "claim", cell=size**2 + 1) == said


@pytest.mark.parametrize(("size", "goes_on"), [(2, True), (3, False), (4, True), (5, False), (6, True)])
def test_R5_without_challenges_only_an_even_grid_ties(size, goes_on):
    position = Position("grid", size=str(size))
    claim_in_turn(position, *range(1, size**2 + 1))
    assert position.view().sudden_death == goes_on
    assert (position.outcome is None) == goes_on


def test_R5_equal_cells_are_decided_by_the_unused_numbers(small):
    claim_in_turn(small, 1, 2)
    challenge(small, 1, cell=2, numbers=(1, 5))
    claim_in_turn(small, 3)
    assert challenge(small, 1, cell=3, numbers=(3, 2)).owner == 1
    claim_in_turn(small, 4)
    assert small.happened("grid.won") == Won(seat=1, reason="unused_numbers", cells=(2, 2), sums=(11, 8))


def test_R5_equal_cells_and_equal_sums_lead_to_sudden_death(small):
    claim_in_turn(small, 1, 2, 3)
    assert small.play(2, "claim", cell=4) == (
        Claimed(seat=2, cell=4),
        SuddenDeath(cells=(2, 2), sums=(15, 15)),
    )
    assert small.view().sudden_death
    assert small.outcome is None


def test_R6_in_sudden_death_the_players_must_challenge_in_the_running_order(small):
    into_sudden_death(small)
    assert small.to_act == {1}
    assert small.legal(1) == [{"kind": "challenge", "cell": 2}, {"kind": "challenge", "cell": 4}]
    assert small.refused(1, "claim", cell=2) == "All cells are claimed. In Sudden Death you must challenge."
    challenge(small, 1, cell=2, numbers=(1, 1))
    assert small.to_act == {2}
    assert small.legal(2) == [{"kind": "challenge", "cell": 1}, {"kind": "challenge", "cell": 3}]


def test_R6_the_first_challenge_that_its_challenger_wins_decides(small):
    into_sudden_death(small)
    challenge(small, 1, cell=2, numbers=(1, 2))
    challenge(small, 2, cell=1, numbers=(3, 1))
    assert small.outcome is None
    challenge(small, 1, cell=4, numbers=(5, 4))
    assert small.outcome == Outcome(winner=1, reason="sudden_death")
    assert small.happened("grid.won") == Won(seat=1, reason="sudden_death", cells=(3, 1), sums=(6, 8))


def test_R6_player_two_can_win_it_too(small):
    into_sudden_death(small)
    challenge(small, 1, cell=2, numbers=(1, 1))
    challenge(small, 2, cell=3, numbers=(2, 5))
    assert small.outcome == Outcome(winner=2, reason="sudden_death")


def test_R6_unused_sums_are_not_looked_at_again(small):
    into_sudden_death(small)
    challenge(small, 1, cell=2, numbers=(1, 5))
    assert small.view().hands == ((2, 3, 4, 5), (1, 2, 3, 4))
    assert small.outcome is None


def test_R6_empty_hands_are_filled_again(small):
    into_sudden_death(small)
    for number in FULL_HAND:
        assert small.view().hands[0] == FULL_HAND[number - 1 :]
        (seat,) = small.to_act
        challenge(small, seat, cell=2 if seat == 1 else 1, numbers=(number, number))
    assert small.events[-1] == Refilled()
    assert small.view().hands == (FULL_HAND, FULL_HAND)
    assert small.outcome is None
    assert small.to_act == {2}


def test_R6_hands_that_are_empty_when_sudden_death_begins_are_filled_at_once(small):
    claim_in_turn(small, 1, 2)
    for number in FULL_HAND:
        (seat,) = small.to_act
        challenge(small, seat, cell=2 if seat == 1 else 1, numbers=(number, number))
    claim_in_turn(small, 3, 4)
    assert small.events == (
        Claimed(seat=1, cell=4),
        SuddenDeath(cells=(2, 2), sums=(0, 0)),
        Refilled(),
    )
    assert small.view().hands == (FULL_HAND, FULL_HAND)


@every_size
def test_R7_hands_are_always_equally_large(variant):
    for state in states_on_the_way(variant):
        first, second = state.hands
        assert len(first) == len(second)
        assert len(set(first)) == len(first)


@every_size
def test_R4_R5_only_even_grids_are_ever_decided_by_anything_but_cells(variant):
    reasons = {played.final.end.reason for played in playthroughs(variant)}
    is_even = len(playthroughs(variant)[0].final.cells) % 2 == 0
    assert reasons == ({"most_cells", "unused_numbers", "sudden_death"} if is_even else {"most_cells"})


def test_A2_a_claimed_cell_is_refused(position):
    claim_in_turn(position, 5)
    assert position.refused(2, "claim", cell=5) == "Cell 5 is claimed already."
    assert position.refused(1, "claim", cell=1) == "It is not your turn."
