"""Digit Conquest: the book's turns, and the rulings C1 to C6 (the deck is also proved over random games)."""

from protocol.games.digit import Added, Discarded, Drew, Reshuffled, Subtracted, Won
from protocol.outcome import Outcome
from tests.server.games.table import Stacked, Table

FULL_DECK = (4,) * 9


def dealt(*digits):
    """Sit down to a game in which the cards come in this order."""
    return Table("digit", Stacked(digits))


def play_in_turn(table, *actions):
    for action in actions:
        (seat,) = table.to_act
        table.play(seat, action)


def take_in_turn(table, *turns):
    """With draw=choose, name a digit and use it, alternately."""
    for digit, action in turns:
        (seat,) = table.to_act
        table.play(seat, "draw", digit=digit)
        table.play(seat, action)


def legal(table, seat):
    return {move["kind"] for move in table.legal(seat)}


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
    table = dealt(*(card for _, card, *_ in turns), 1)
    for seat, card, uses, action, scores in turns:
        assert table.to_act == {seat}
        assert table.view().drawn == card
        assert legal(table, seat) == uses
        table.play(seat, action)
        assert table.view().scores == scores
    assert table.outcome is None
    assert table.view().deck == (3, 4, 3, 4, 3, 3, 3, 3, 3)


def test_C4_the_books_final_turn_reaches_exactly_fifty_and_wins_at_once():
    table = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 3, 2, 3)
    play_in_turn(table, *["add"] * 12)
    assert table.view().scores == (47, 8)
    assert table.view().drawn == 3
    assert legal(table, 1) == {"add", "subtract"}
    assert table.play(1, "add") == (
        Added(seat=1, digit=3, scores=(50, 8)),
        Won(seat=1, scores=(50, 8)),
    )
    assert table.outcome == Outcome(winner=1, reason="exactly_fifty")
    assert table.to_act == set()
    assert table.view().drawn is None
    assert table.refused(2, "add") == "The game is over."


def test_C1_the_card_is_drawn_when_the_turn_begins_and_not_before():
    table = dealt(7, 5)
    assert table.events == (Drew(seat=1, digit=7),)
    assert table.view().drawn == 7
    assert table.play(1, "add") == (Added(seat=1, digit=7, scores=(7, 0)), Drew(seat=2, digit=5))


def test_C1_a_drawn_card_cannot_be_exchanged():
    table = dealt(7)
    assert table.refused(1, "draw", digit=9) == "You have a card already. Add it or subtract it."


def test_C1_with_draw_choose_the_player_names_a_digit_as_a_move_of_its_own():
    table = Table("digit", draw="choose")
    assert table.events == ()
    assert table.view().drawn is None
    assert table.may(1, "draw", "digit") == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert table.refused(1, "add") == "Choose a card from the deck first."
    assert table.play(1, "draw", digit=9) == (Drew(seat=1, digit=9),)
    assert table.to_act == {1}
    assert table.view().drawn == 9
    assert table.view().deck == (4, 4, 4, 4, 4, 4, 4, 4, 3)
    assert table.play(1, "add") == (Added(seat=1, digit=9, scores=(9, 0)),)
    assert table.to_act == {2}
    assert table.view().drawn is None


def test_C1_only_a_digit_still_in_the_deck_can_be_named():
    table = Table("digit", draw="choose")
    take_in_turn(table, (9, "add"), (9, "add"), (9, "add"), (9, "add"))
    assert table.may(1, "draw", "digit") == [1, 2, 3, 4, 5, 6, 7, 8]
    assert table.refused(1, "draw", digit=9) == "There is no 9 left in the deck."


def test_C2_adding_is_legal_up_to_fifty():
    table = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 2, 4, 5)
    play_in_turn(table, *["add"] * 12)
    assert table.view().scores == (46, 10)
    assert table.view().drawn == 5
    assert legal(table, 1) == {"subtract"}
    assert table.refused(1, "add") == "5 more would be above 50."


def test_C2_subtracting_is_not_cut_off_at_zero():
    table = dealt(7, 8, 5, 5, 1)
    play_in_turn(table, "add")
    assert legal(table, 2) == {"add"}
    assert table.refused(2, "subtract") == "8 less would be below 0."
    play_in_turn(table, "add", "add")
    assert table.play(2, "subtract")[0] == Subtracted(seat=2, digit=5, scores=(7, 8))


def test_C2_subtracting_down_to_zero_is_legal():
    table = dealt(7, 7, 1)
    play_in_turn(table, "add", "subtract")
    assert table.view().scores == (0, 0)


def test_C3_a_card_that_fits_neither_score_is_discarded_and_the_turn_passes_by_itself():
    table = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 7, 6)
    play_in_turn(table, *["add"] * 9)
    assert table.play(2, "add") == (
        Added(seat=2, digit=2, scores=(44, 6)),
        Drew(seat=1, digit=7),
        Discarded(seat=1, digit=7),
        Drew(seat=2, digit=6),
    )
    assert table.to_act == {2}
    assert table.view().scores == (44, 6)
    assert table.view().deck == (0, 3, 4, 4, 4, 3, 3, 3, 0)


def test_C3_a_chosen_card_can_be_discarded_too():
    table = Table("digit", draw="choose")
    take_in_turn(table, *[(9, "add"), (1, "add")] * 4, (8, "add"), (2, "add"))
    assert table.view().scores == (44, 6)
    assert table.play(1, "draw", digit=7) == (Drew(seat=1, digit=7), Discarded(seat=1, digit=7))
    assert table.view().scores == (44, 6)
    assert table.to_act == {2}
    assert table.view().drawn is None
    assert table.view().deck == (0, 3, 4, 4, 4, 4, 3, 3, 0)


def test_C4_going_past_fifty_is_no_way_to_win():
    table = Table("digit", draw="choose")
    take_in_turn(table, *[(9, "add"), (1, "add")] * 4, (8, "add"), (8, "add"), (5, "add"), (5, "add"))
    assert table.view().scores == (49, 17)
    table.play(1, "draw", digit=2)
    assert legal(table, 1) == {"subtract"}


def test_C5_the_open_cards_become_the_new_deck_when_a_card_is_due_and_none_is_left():
    table = dealt(*(digit for digit in range(1, 10) for _ in range(4)), 9)
    play_in_turn(table, *["add", "subtract"] * 17, "add")
    assert table.view().deck == (0,) * 9
    assert table.view().drawn == 9
    assert table.play(2, "subtract") == (
        Subtracted(seat=2, digit=9, scores=(0, 0)),
        Reshuffled(),
        Drew(seat=1, digit=9),
    )
    assert table.view().deck == (4, 4, 4, 4, 4, 4, 4, 4, 3)


def test_C5_with_draw_choose_the_new_deck_lies_ready_for_the_next_choice():
    table = Table("digit", draw="choose")
    turns = [(digit, action) for digit in range(1, 10) for action in ("add", "subtract") * 2]
    take_in_turn(table, *turns[:-1])
    table.play(2, "draw", digit=9)
    assert table.view().deck == (0,) * 9
    assert table.play(2, "subtract") == (Subtracted(seat=2, digit=9, scores=(0, 0)), Reshuffled())
    assert table.view().deck == FULL_DECK
    assert table.may(1, "draw", "digit") == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_C5_everybody_sees_what_is_left_in_the_deck():
    table = dealt(7, 7, 1)
    play_in_turn(table, "add", "subtract")
    for viewer in (1, 2, None):
        assert table.view(viewer).deck == (3, 4, 4, 4, 4, 4, 2, 4, 4)


def test_C6_the_rules_set_no_limit_to_the_number_of_turns():
    table = Table("digit", draw="choose")
    for turn in range(1500):
        digit = turn // 2 % 9 + 1
        take_in_turn(table, (digit, "add"), (digit, "subtract"))
    assert table.view().scores == (0, 0)
    assert table.outcome is None
    assert table.to_act == {1}


def test_A2_the_card_of_one_player_is_not_the_others_to_use():
    table = dealt(7)
    assert table.refused(2, "add") == "It is not your turn."
