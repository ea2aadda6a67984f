"""Digit Conquest sounds as its book prints it, and takes exactly what may be answered."""

import pytest

from client.core.games.digit import announce, board
from protocol.games import digit
from protocol.games.digit import Added, Discarded, Drew, Reshuffled, Subtracted, Won
from tests.client.core.games.typed_game import VIEWERS, TypedGame, assert_holds, event_classes
from tests.server.games.position import Stacked


def dealt(*digits, **options):
    """Sit down to a game in which the cards come in this order."""
    return TypedGame("digit", Stacked(digits), **options)


def play_in_turn(typed, *answers):
    for answer in answers:
        (seat,) = typed.position.to_act
        typed.type(seat, answer)


def test_the_books_sample_turns_as_player_1_reads_them():
    typed = dealt(7, 5, 8, 9, 6)
    play_in_turn(typed, "1", "1", "1", "2")
    assert_holds(
        typed.heard[1],
        """
Welcome to Digit Conquest!
Player 1 and Player 2 start with 0 points.
""",
        """
Player 1's turn.
Drawing a card...
You drew: 7
Choose an action:
1. Add 7 to your score.
2. Subtract 7 from your opponent's score.
Enter 1 or 2: 1
You added 7 to your score.
Current Scores - Player 1: 7, Player 2: 0

Player 2's turn.
Drawing a card...
Player 2 drew: 5
Player 2 added 5 to their score.
Current Scores - Player 1: 7, Player 2: 5

Player 1's turn.
Drawing a card...
You drew: 8
Choose an action:
1. Add 8 to your score.
2. Subtract 8 from your opponent's score.
Enter 1 or 2: 1
You added 8 to your score.
Current Scores - Player 1: 15, Player 2: 5

Player 2's turn.
Drawing a card...
Player 2 drew: 9
Player 2 subtracted 9 from your score.
Current Scores - Player 1: 6, Player 2: 5
""",
    )


def test_the_books_sample_turns_as_player_2_reads_them():
    typed = dealt(7, 5, 8, 9, 6)
    play_in_turn(typed, "1", "1", "1", "2")
    assert_holds(
        typed.heard[2],
        """
Player 2's turn.
Drawing a card...
You drew: 5
Choose an action:
1. Add 5 to your score.
2. Subtract 5 from your opponent's score.
Enter 1 or 2: 1
You added 5 to your score.
Current Scores - Player 1: 7, Player 2: 5
""",
        """
Player 2's turn.
Drawing a card...
You drew: 9
Choose an action:
1. Add 9 to your score.
2. Subtract 9 from your opponent's score.
Enter 1 or 2: 2
You subtracted 9 from Player 1's score.
Current Scores - Player 1: 6, Player 2: 5
""",
    )


def test_the_books_winning_turn():
    typed = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 3, 2, 3)
    play_in_turn(typed, *["1"] * 13)
    assert_holds(
        typed.heard[1],
        """
Player 1's turn.
Drawing a card...
You drew: 3
Choose an action:
1. Add 3 to your score.
2. Subtract 3 from your opponent's score.
Enter 1 or 2: 1
You added 3 to your score.
Congratulations! You reached exactly 50 points.
Player 1 wins the game!
Final Scores - Player 1: 50, Player 2: 8
""",
    )
    assert typed.heard[2][-4:] == [
        "Player 1 added 3 to their score.",
        "Player 1 reached exactly 50 points.",
        "Player 1 wins the game!",
        "Final Scores - Player 1: 50, Player 2: 8",
    ]


def test_a_card_that_fits_nowhere_is_shown_and_discarded_before_the_next_turn_opens():
    # Player 1 stands at 44 and Player 2 at 6, so that a 7 fits neither score.
    typed = dealt(9, 1, 9, 1, 9, 1, 9, 1, 8, 2, 7, 3)
    play_in_turn(typed, *["1"] * 10)
    assert typed.heard[1][-11:] == [
        "Current Scores - Player 1: 44, Player 2: 6",
        "",
        "Player 1's turn.",
        "Drawing a card...",
        "You drew: 7",
        "The 7 can neither be added nor subtracted. It is discarded.",
        "Current Scores - Player 1: 44, Player 2: 6",
        "",
        "Player 2's turn.",
        "Drawing a card...",
        "Player 2 drew: 3",
    ]


TOLD = [
    # the event, what Player 1, Player 2 and a spectator read
    (
        Drew(seat=1, digit=7),
        ("", "Player 1's turn.", "Drawing a card...", "You drew: 7"),
        ("", "Player 1's turn.", "Drawing a card...", "Player 1 drew: 7"),
        ("", "Player 1's turn.", "Drawing a card...", "Player 1 drew: 7"),
    ),
    (
        Added(seat=2, digit=5, scores=(7, 5)),
        ("Player 2 added 5 to their score.", "Current Scores - Player 1: 7, Player 2: 5"),
        ("You added 5 to your score.", "Current Scores - Player 1: 7, Player 2: 5"),
        ("Player 2 added 5 to their score.", "Current Scores - Player 1: 7, Player 2: 5"),
    ),
    (
        Subtracted(seat=2, digit=9, scores=(6, 5)),
        ("Player 2 subtracted 9 from your score.", "Current Scores - Player 1: 6, Player 2: 5"),
        ("You subtracted 9 from Player 1's score.", "Current Scores - Player 1: 6, Player 2: 5"),
        ("Player 2 subtracted 9 from Player 1's score.", "Current Scores - Player 1: 6, Player 2: 5"),
    ),
    (
        Discarded(seat=1, digit=9),
        *[("The 9 can neither be added nor subtracted. It is discarded.",)] * 3,
    ),
    (
        Reshuffled(),
        *[("The deck has run out. The discard pile is reshuffled to form a new deck.",)] * 3,
    ),
    (
        Won(seat=2, scores=(31, 50)),
        (
            "Player 2 reached exactly 50 points.",
            "Player 2 wins the game!",
            "Final Scores - Player 1: 31, Player 2: 50",
        ),
        (
            "Congratulations! You reached exactly 50 points.",
            "Player 2 wins the game!",
            "Final Scores - Player 1: 31, Player 2: 50",
        ),
        (
            "Player 2 reached exactly 50 points.",
            "Player 2 wins the game!",
            "Final Scores - Player 1: 31, Player 2: 50",
        ),
    ),
]


@pytest.mark.parametrize(("event", "first", "second", "spectator"), TOLD)
def test_what_an_event_says_to_each(event, first, second, spectator):
    assert (announce(event, 1), announce(event, 2), announce(event, 0)) == (first, second, spectator)


def test_every_event_has_words():
    assert {type(event) for event, *_ in TOLD} == event_classes(digit)


def test_when_only_adding_is_legal_both_lines_are_shown_and_subtracting_is_explained():
    typed = dealt(7, 5)
    assert typed.question(1).lead == (
        "Choose an action:",
        "1. Add 7 to your score.",
        "2. Subtract 7 from your opponent's score.",
    )
    for text in ("2", "subtract", "S"):
        assert typed.refusal(1, text) == (
            "Subtracting 7 would take your opponent's score below 0. Please enter 1."
        )


def test_when_only_subtracting_is_legal_adding_is_explained():
    typed = dealt(9, 7, 9, 7, 9, 7, 9, 7, 8, 6, 8, 1)
    play_in_turn(typed, *["1"] * 10)
    assert typed.question(1).lead[1:] == (
        "1. Add 8 to your score.",
        "2. Subtract 8 from your opponent's score.",
    )
    for text in ("1", "add"):
        assert typed.refusal(1, text) == "Adding 8 would take your score above 50. Please enter 2."
    typed.type(1, "2")
    assert typed.view(0).scores == (44, 26)


@pytest.mark.parametrize("text", ["", " ", "0", "3", "12", "x", "1 2", "9" * 5000])
def test_what_is_neither_1_nor_2_is_asked_again(text):
    assert dealt(7).refusal(1, text) == "Invalid choice. Please enter 1 or 2."


@pytest.mark.parametrize("text", ["1", " 1 ", "add", "ADD", "a"])
def test_an_action_may_be_typed_as_number_or_word(text):
    typed = dealt(7, 5)
    typed.type(1, text)
    assert typed.view(0).scores == (7, 0)


def test_the_board_shows_scores_cards_left_and_the_card_in_play():
    typed = dealt(7, 5)
    typed.type(1, "1")
    assert typed.board(1) == [
        "Current Scores - Player 1: 7, Player 2: 0",
        "Cards left by digit - 1: 4, 2: 4, 3: 4, 4: 4, 5: 3, 6: 4, 7: 3, 8: 4, 9: 4",
        "Card in play: 5, drawn by Player 2",
    ]


def test_the_board_of_a_finished_game_has_no_card_in_play():
    view = dealt(7).view(0).model_copy(update={"drawn": None, "to_act": (), "scores": (50, 3)})
    assert len(board(view)) == 2


def test_with_draw_choose_the_turn_opens_before_the_digit_is_asked_for():
    typed = TypedGame("digit", draw="choose")
    typed.type(1, "7", "1")
    assert_holds(
        typed.heard[1],
        """
Player 1's turn.
Available digits: 1, 2, 3, 4, 5, 6, 7, 8, 9
Enter the digit to draw: 7

Player 1's turn.
Drawing a card...
You drew: 7
Choose an action:
1. Add 7 to your score.
2. Subtract 7 from your opponent's score.
Enter 1 or 2: 1
You added 7 to your score.
Current Scores - Player 1: 7, Player 2: 0
Player 2's turn.
""",
    )


def test_with_draw_choose_a_digit_that_is_used_up_is_refused():
    typed = TypedGame("digit", draw="choose")
    for _ in range(2):
        typed.type(1, "7", "1")
        typed.type(2, "7", "1")
    assert typed.question(1).lead == ("Available digits: 1, 2, 3, 4, 5, 6, 8, 9",)
    assert typed.refusal(1, "7") == "There is no 7 left in the deck. Choose another digit."
    for text in ("", "0", "10", "x"):
        assert typed.refusal(1, text) == "Invalid choice. Please enter a digit from 1 to 9."


@pytest.mark.parametrize(("text", "kind"), [("add", "add"), ("Add the card", "add"), ("a", "add")])
def test_an_action_is_a_whole_move(text, kind):
    assert dealt(7).line(1, text) == {"kind": kind}


def test_with_draw_choose_a_digit_is_a_whole_move():
    typed = TypedGame("digit", draw="choose")
    for text in ("7", "draw 7", "draw a 7", "digit 7"):
        assert typed.line(1, text) == {"kind": "draw", "digit": 7}


@pytest.mark.parametrize("text", ["", "1", "subtract", "add 7", "draw 7", "7"])
def test_a_line_that_is_no_whole_legal_move_is_none(text):
    assert dealt(7).line(1, text) is None


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_turn_with_a_card_drawn_has_been_opened_by_the_draw(viewer):
    typed = dealt(7)
    assert typed.renderer.turn(typed.view(viewer)) == ()
