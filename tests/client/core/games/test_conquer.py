"""Conquer sounds as its book prints it, and takes exactly what may be answered."""

import pytest

from client.core.games.conquer import announce
from protocol.games import conquer
from protocol.games.conquer import Claimed, Won
from tests.client.core.games.typed_game import VIEWERS, TypedGame, assert_holds, event_classes


def played(*territories):
    """Claim territories in turn."""
    typed = TypedGame("conquer")
    for turn, territory in enumerate(territories):
        typed.type(1 + turn % 2, territory)
    return typed


def test_the_books_first_example_as_player_1_reads_it():
    assert_holds(
        played("4", "7", "3", "5", "2").heard[1],
        """
Player 1's turn.
Available territories: 1, 2, 3, 4, 5, 6, 7
Enter the territory number to claim: 4
Player 1 claims territory 4.
Player 2's turn.
Player 2 claims territory 7.
Player 1's turn.
Available territories: 1, 2, 3, 5, 6
Enter the territory number to claim: 3
""",
        """
Player 1's turn.
Available territories: 1, 2, 6
Enter the territory number to claim: 2
""",
        """
Player 1 has claimed territories 2, 3, 4.
Player 1 wins!
""",
    )


def test_the_books_first_example_as_player_2_reads_it():
    assert_holds(
        played("4", "7", "3", "5", "2").heard[2],
        """
Player 2's turn.
Available territories: 1, 2, 3, 5, 6, 7
Enter the territory number to claim: 7
""",
        """
Player 2's turn.
Available territories: 1, 2, 5, 6
Enter the territory number to claim: 5
""",
        """
Player 1 has claimed territories 2, 3, 4.
Player 1 wins!
""",
    )


def test_a_game_without_a_chain_of_three_ends_with_the_books_template():
    heard = played("1", "2", "3", "5", "4", "6", "7").heard
    for viewer in VIEWERS:
        assert heard[viewer][-3:-1] == [
            "All territories have been claimed.",
            "Both players have a chain of length 2.",
        ]
    assert_holds(
        list(announce(Won(seat=1, reason="longest_chain", chain=(5, 6)), 0)),
        """
All territories have been claimed.
Player 1 wins with the longest chain of adjacent territories.
""",
    )


@pytest.mark.parametrize("text", ["4", "", " ", "x", "0", "8", "-1", "4.0", "9" * 5000])
def test_every_invalid_choice_gets_the_books_sentence_and_the_same_question(text):
    typed = played("4")
    assert typed.refusal(2, text) == "Invalid choice. Please select an unclaimed territory."
    typed.type(2, "5")
    assert_holds(
        typed.heard[2],
        f"""
Player 2's turn.
Available territories: 1, 2, 3, 5, 6, 7
Enter the territory number to claim: {text}
Invalid choice. Please select an unclaimed territory.
Enter the territory number to claim: 5
""",
    )


def test_the_last_territory_is_asked_for_too():
    typed = played("1", "2", "3", "5", "4", "6")
    question = typed.question(1)
    assert question.lead == ("Available territories: 7",)
    assert question.accept("7") == 7


TOLD = [
    (Claimed(seat=2, territory=4), ("Player 2 claims territory 4.",)),
    (
        Won(seat=1, reason="three_adjacent", chain=(1, 2, 3, 4)),
        ("Player 1 has claimed territories 1, 2, 3, 4.", "Player 1 wins!"),
    ),
    (
        Won(seat=1, reason="longest_chain", chain=(5, 6)),
        (
            "All territories have been claimed.",
            "Player 1 wins with the longest chain of adjacent territories.",
            "Longest chain: territories 5, 6 (length 2).",
        ),
    ),
    (
        Won(seat=1, reason="most_territories", chain=(1, 2)),
        (
            "All territories have been claimed.",
            "Both players have a chain of length 2.",
            "Player 1 wins with the most total territories claimed.",
        ),
    ),
]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(("event", "lines"), TOLD)
def test_what_an_event_says_to_everybody(event, lines, viewer):
    assert announce(event, viewer) == lines


def test_every_event_has_words():
    assert {type(event) for event, *_ in TOLD} == event_classes(conquer)


def test_the_board_marks_territories_as_the_book_does():
    assert played("4", "7", "3").board(0) == [
        "Territories (P1: Player 1, P2: Player 2, --: unclaimed):",
        "[1] --  [2] --  [3] P1  [4] P1  [5] --  [6] --  [7] P2",
    ]


@pytest.mark.parametrize("text", ["4", " claim 4", "Claim territory 4", "cl 4", "territory 4"])
def test_a_whole_move_can_be_typed_on_one_line(text):
    assert TypedGame("conquer").line(1, text) == {"kind": "claim", "territory": 4}


@pytest.mark.parametrize("text", ["", "claim", "8", "4 5", "claim x", "4!"])
def test_a_line_that_is_no_whole_legal_move_is_none(text):
    assert TypedGame("conquer").line(1, text) is None
