"""Digit Conquest: the book's turns, and the rulings C1 to C6 (the deck is also proved over random games)."""

from protocol.games.digit import Added, Discarded, Drew, Reshuffled, Subtracted, Won
from protocol.outcome import Outcome
from tests.server.games.position import Position, Stacked

FULL_DECK = (4,) * 9


def dealt(*digits):
    """Sit down to a game in which the cards come in this order."""
    return Position("digit", Stacked(digits))


def play_in_turn(position, *actions):
    for action in actions:
        (seat,) = position.to_act
        position.play(seat, action)


def take_in_turn(position, *turns):
    """With draw=choose, name a digit and use it, alternately."""
    for digit, action in turns:
        (seat,) = position.to_act
        position.play(seat, "draw", digit=digit)
        position.play(seat, action)


def legal(position, seat):
    return {move["kind"] for move in position.legal(seat)}


def test_the_books_six_turns():
    turns = [
        # seat, card, what it can be used for, what the book's player does, and both scores after it
        (1, 7, {"add"}, "add", (7, 0)),
        (2, 5, {"add", "subtract"}, "add", (7, 5)),
        (1, 8, {"add"}, "add", (15, 5)),
        (2, 9, {"add", "subtract"}, "subtract", (6, 5)),
        (1, 6, {"add"}, "add", (12, 5)),
        (2, 3, {"add", "subtract"}, "add", (12, 8)),
    ]
    position = dealt(*(card for _, card, *_ in turns), 1)
    for seat, card, uses, action, scores in turns:
        assert position.to_act == {seat}
        assert position.view().drawn == card
        assert legal(position, seat) == uses
        position.play(seat, action)
        assert position.view().scores == scores
    assert position.outcome is None
    assert position.view().deck == (3, 4, 3, 4, 3, 3, 3, 3, 3)


def test_C4_the_books_final_turn_reaches_exactly_fifty_and_wins_at_once():
    position = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 3, 2, 3)
    play_in_turn(position, *["add"] * 12)
    assert position.view().scores == (47, 8)
    assert position.view().drawn == 3
    assert legal(position, 1) == {"add", "subtract"}
    assert position.play(1, "add") == (
        Added(seat=1, digit=3, scores=(50, 8)),
        Won(seat=1, scores=(50, 8)),
    )
    assert position.outcome == Outcome(winner=1, reason="exactly_fifty")
    assert position.to_act == set()
    assert position.view().drawn is None
    assert position.refused(2, "add") == "The game is over."


def test_C1_the_card_is_drawn_when_the_turn_begins_and_not_before():
    position = dealt(7, 5)
    assert position.events == (Drew(seat=1, digit=7),)
    assert position.view().drawn == 7
    assert position.play(1, "add") == (Added(seat=1, digit=7, scores=(7, 0)), Drew(seat=2, digit=5))


def test_C1_a_drawn_card_cannot_be_exchanged():
    position = dealt(7)
    assert position.refused(1, "draw", digit=9) == "You have a card already. Add it or subtract it."


def test_C1_with_draw_choose_the_player_names_a_digit_as_a_move_of_its_own():
    position = Position("digit", draw="choose")
    assert position.events == ()
    assert position.view().drawn is None
    assert position.may(1, "draw", "digit") == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert position.refused(1, "add") == "Choose a card from the deck first."
    assert position.play(1, "draw", digit=9) == (Drew(seat=1, digit=9),)
    assert position.to_act == {1}
    assert position.view().drawn == 9
    assert position.view().deck == (4, 4, 4, 4, 4, 4, 4, 4, 3)
    assert position.play(1, "add") == (Added(seat=1, digit=9, scores=(9, 0)),)
    assert position.to_act == {2}
    assert position.view().drawn is None


def test_C1_only_a_digit_still_in_the_deck_can_be_named():
    position = Position("digit", draw="choose")
    take_in_turn(position, (9, "add"), (9, "add"), (9, "add"), (9, "add"))
    assert position.may(1, "draw", "digit") == [1, 2, 3, 4, 5, 6, 7, 8]
    assert position.refused(1, "draw", digit=9) == "There is no 9 left in the deck."


def test_C2_adding_is_legal_up_to_fifty():
    position = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 2, 4, 5)
    play_in_turn(position, *["add"] * 12)
    assert position.view().scores == (46, 10)
    assert position.view().drawn == 5
    assert legal(position, 1) == {"subtract"}
    assert position.refused(1, "add") == "5 more would be above 50."


def test_C2_subtracting_is_not_cut_off_at_zero():
    position = dealt(7, 8, 5, 5, 1)
    play_in_turn(position, "add")
    assert legal(position, 2) == {"add"}
    assert position.refused(2, "subtract") == "8 less would be below 0."
    play_in_turn(position, "add", "add")
    assert position.play(2, "subtract")[0] == Subtracted(seat=2, digit=5, scores=(7, 8))


def test_C2_subtracting_down_to_zero_is_legal():
    position = dealt(7, 7, 1)
    play_in_turn(position, "add", "subtract")
    assert position.view().scores == (0, 0)


def test_C3_a_card_that_fits_neither_score_is_discarded_and_the_turn_passes_by_itself():
    position = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 7, 6)
    play_in_turn(position, *["add"] * 9)
    assert position.play(2, "add") == (
        Added(seat=2, digit=2, scores=(44, 6)),
        Drew(seat=1, digit=7),
        Discarded(seat=1, digit=7),
        Drew(seat=2, digit=6),
    )
    assert position.to_act == {2}
    assert position.view().scores == (44, 6)
    assert position.view().deck == (0, 3, 4, 4, 4, 3, 3, 3, 0)


def test_C3_a_chosen_card_can_be_discarded_too():
    position = Position("digit", draw="choose")
    take_in_turn(position, *[(9, "add"), (1, "add")] * 4, (8, "add"), (2, "add"))
    assert position.view().scores == (44, 6)
    assert position.play(1, "draw", digit=7) == (Drew(seat=1, digit=7), Discarded(seat=1, digit=7))
    assert position.view().scores == (44, 6)
    assert position.to_act == {2}
    assert position.view().drawn is None
    assert position.view().deck == (0, 3, 4, 4, 4, 4, 3, 3, 0)


def test_C4_going_past_fifty_is_no_way_to_win():
    position = Position("digit", draw="choose")
    take_in_turn(position, *[(9, "add"), (1, "add")] * 4, (8, "add"), (8, "add"), (5, "add"), (5, "add"))
    assert position.view().scores == (49, 17)
    position.play(1, "draw", digit=2)
    assert legal(position, 1) == {"subtract"}


def test_C5_the_open_cards_become_the_new_deck_when_a_card_is_due_and_none_is_left():
    position = dealt(*(digit for digit in range(1, 10) for _ in range(4)), 9)
    play_in_turn(position, *["add", "subtract"] * 17, "add")
    assert position.view().deck == (0,) * 9
    assert position.view().drawn == 9
    assert position.play(2, "subtract") == (
        Subtracted(seat=2, digit=9, scores=(0, 0)),
        Reshuffled(),
        Drew(seat=1, digit=9),
    )
    assert position.view().deck == (4, 4, 4, 4, 4, 4, 4, 4, 3)


def test_C5_with_draw_choose_the_new_deck_lies_ready_for_the_next_choice():
    position = Position("digit", draw="choose")
    turns = [(digit, action) for digit in range(1, 10) for action in ("add", "subtract") * 2]
    take_in_turn(position, *turns[:-1])
    position.play(2, "draw", digit=9)
    assert position.view().deck == (0,) * 9
    assert position.play(2, "subtract") == (Subtracted(seat=2, digit=9, scores=(0, 0)), Reshuffled())
    assert position.view().deck == FULL_DECK
    assert position.may(1, "draw", "digit") == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_C5_everybody_sees_what_is_left_in_the_deck():
    position = dealt(7, 7, 1)
    play_in_turn(position, "add", "subtract")
    for viewer in (1, 2, None):
        assert position.view(viewer).deck == (3, 4, 4, 4, 4, 4, 2, 4, 4)


def test_C6_the_rules_set_no_limit_to_the_number_of_turns():
    position = Position("digit", draw="choose")
    for turn in range(1500):
        digit = turn // 2 % 9 + 1
        take_in_turn(position, (digit, "add"), (digit, "subtract"))
    assert position.view().scores == (0, 0)
    assert position.outcome is None
    assert position.to_act == {1}


def test_A2_the_card_of_one_player_is_not_the_others_to_use():
    position = dealt(7)
    assert position.refused(2, "add") == "It is not your turn."
