"""Grid Conquest sounds as its book prints it, keeps picks secret, and takes exactly what may be answered."""

import pytest

from client.core.games.grid import announce, board, fits, turn
from protocol.choice import Choice
from protocol.games import grid
from protocol.games.grid import Challenged, Claimed, Picked, Refilled, Revealed, SuddenDeath, Won
from tests.client.core.games.typed_game import VIEWERS, TypedGame, assert_holds, event_classes

ACTIONS = "Available actions: [claim] an empty cell, [challenge] an opponent's cell."


def book_game():
    """Play the book's three interactions as one game: claim 5, challenge it with 5 against 4, then claim."""
    typed = TypedGame("grid")
    typed.type(1, "claim", "5")
    typed.type(2, "challenge", "5", "5")
    typed.type(1, "4")
    return typed


def claimed(*cells, **options):
    """Claim cells in turn."""
    typed = TypedGame("grid", **options)
    for number, cell in enumerate(cells):
        typed.type(1 + number % 2, "claim", str(cell))
    return typed


def test_the_books_claim():
    assert_holds(
        book_game().heard[1],
        f"""
It's your turn, Player 1.
{ACTIONS}
Enter your action: claim
Enter the cell number you wish to claim (available cells: 1, 2, 3, 4, 5, 6, 7, 8, 9): 5
You have claimed cell 5.
""",
    )


def test_the_books_challenge_as_the_challenger_reads_it():
    assert_holds(
        book_game().heard[2],
        f"""
Player 1 has claimed cell 5.
1 | 2 | 3
--+---+--
4 | X | 6
--+---+--
7 | 8 | 9
It's your turn, Player 2.
{ACTIONS}
Enter your action: challenge
Enter the cell number you wish to challenge (opponent's cells: 5): 5
""",
        "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: 5",
        "Waiting for Player 1 to select their challenge number...",
        """
Challenge results:
- Your number: 5
- Opponent's number: 4
You win the challenge and now control cell 5.
1 | 2 | 3
--+---+--
4 | O | 6
--+---+--
7 | 8 | 9
""",
    )


def test_the_books_challenge_as_the_defender_reads_it():
    assert_holds(
        book_game().heard[1],
        """
It's Player 2's turn.
Player 2 challenges your cell 5.
Player 2 has selected a challenge number.
Select a challenge number from your available numbers [1, 2, 3, 4, 5]: 4
You have selected a challenge number.
Challenge results:
- Your number: 4
- Opponent's number: 5
You lose the challenge. Player 2 now controls cell 5.
1 | 2 | 3
--+---+--
4 | O | 6
--+---+--
7 | 8 | 9
It's your turn, Player 1.
""",
    )


def test_the_books_challenge_as_a_spectator_reads_it():
    assert_holds(
        book_game().heard[0],
        """
It's Player 2's turn.
Player 2 challenges cell 5.
Waiting for Player 1 to select their challenge number...
Waiting for Player 2 to select their challenge number...
Player 2 has selected a challenge number.
Waiting for Player 1 to select their challenge number...
Player 1 has selected a challenge number.
Challenge results:
- Player 1's number: 4
- Player 2's number: 5
Player 2 wins the challenge and now controls cell 5.
1 | 2 | 3
--+---+--
4 | O | 6
--+---+--
7 | 8 | 9
It's Player 1's turn.
""",
    )


def test_the_books_spent_number_gets_its_sentence_and_the_same_question():
    typed = book_game()
    typed.type(1, "challenge", "5")
    typed.refusal(1, "4")
    typed.type(1, "5")
    assert_holds(
        typed.heard[1],
        f"""
It's your turn, Player 1.
{ACTIONS}
Enter your action: challenge
Enter the cell number you wish to challenge (opponent's cells: 5): 5
""",
        """
Select a challenge number from your available numbers [1, 2, 3, 5]: 4
Error: Number 4 has already been used. Please select a valid number.
Select a challenge number from your available numbers [1, 2, 3, 5]: 5
""",
    )


@pytest.mark.parametrize("text", ["", "0", "6", "x", "-1", "9" * 5000])
def test_what_is_no_challenge_number_is_asked_again(text):
    typed = claimed(5)
    typed.type(2, "challenge", "5")
    assert typed.refusal(1, text) == "Error: Challenge numbers are 1 to 5. Please select a valid number."


@pytest.mark.parametrize("text", ["", " ", "x", "5", "claims", "claim,5"])
def test_what_is_no_action_is_asked_again(text):
    assert claimed(5).refusal(2, text) == "Error: That is not an action. Please enter claim or challenge."


def test_an_ambiguous_action_is_said_to_be_so():
    assert claimed(5).refusal(2, "C") == '"C" could be claim or challenge. Please enter more of the word.'


@pytest.mark.parametrize(("text", "action"), [("cl", "claim"), ("CH", "challenge"), (" Claim ", "claim")])
def test_an_action_may_be_cut_short(text, action):
    assert claimed(5).question(2).accept(text) == action


def test_a_challenge_is_refused_while_the_opponent_has_no_cell():
    typed = TypedGame("grid")
    assert typed.question(1).lead == (ACTIONS,)
    assert typed.refusal(1, "challenge") == (
        "Error: Your opponent has no cell that you could challenge. Please enter claim."
    )


def test_a_challenge_without_numbers_is_refused():
    typed = claimed(1, 2)
    for challenger, number in zip((1, 2, 1, 2, 1), "12345", strict=True):
        typed.type(challenger, "challenge", "2" if challenger == 1 else "1", number)
        typed.type(3 - challenger, number)
    assert typed.refusal(2, "challenge") == (
        "Error: You have no remaining numbers, so you cannot challenge. Please enter claim."
    )


def test_R6_sudden_death_offers_no_claim():
    typed = claimed(1, 2, 3, 4, size="2")
    assert typed.question(1).lead == ("Available actions: [challenge] an opponent's cell.",)
    for text in ("claim", "claim 1", "x", ""):
        assert typed.refusal(1, text) == "Error: All cells are claimed. Please enter challenge."
    assert typed.question(1).accept("c") == "challenge"


@pytest.mark.parametrize(
    ("action", "text", "sentence"),
    [
        ("claim", "5", "Error: Cell 5 is already claimed. Please select an empty cell."),
        ("claim", "1", "Error: Cell 1 is already claimed. Please select an empty cell."),
        ("claim", "10", "Error: The cells are 1 to 9. Please select a valid cell."),
        ("claim", "0", "Error: The cells are 1 to 9. Please select a valid cell."),
        ("claim", "", "Error: That is not a number. Please select a valid cell."),
        ("claim", "x", "Error: That is not a number. Please select a valid cell."),
        (
            "challenge",
            "5",
            "Error: Cell 5 is not your opponent's. Please select one of your opponent's cells.",
        ),
        (
            "challenge",
            "2",
            "Error: Cell 2 is not your opponent's. Please select one of your opponent's cells.",
        ),
        ("challenge", "10", "Error: The cells are 1 to 9. Please select a valid cell."),
    ],
)
def test_a_cell_that_cannot_be_chosen_is_explained(action, text, sentence):
    typed = claimed(5, 1)
    typed.type(1, action)
    assert typed.refusal(1, text) == sentence


def test_only_the_number_is_a_secret_answer():
    typed = claimed(5)
    assert not typed.question(2).is_secret
    typed.type(2, "challenge")
    assert not typed.question(2).is_secret
    typed.type(2, "5")
    assert typed.question(1).is_secret
    assert typed.question(2).is_secret


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("claim 2", {"kind": "claim", "cell": 2}),
        ("CL cell 2", {"kind": "claim", "cell": 2}),
        ("challenge 5", {"kind": "challenge", "cell": 5}),
        ("ch 5", {"kind": "challenge", "cell": 5}),
        ("c 2", None),
        ("2", None),
        ("cell 2", None),
        ("claim", None),
        ("claim 5", None),
        ("challenge 2", None),
        ("pick 4", None),
        ("claim 2 3", None),
        ("", None),
    ],
)
def test_a_whole_move_on_one_line(text, move):
    assert claimed(5).line(2, text) == move


def test_a_cell_alone_is_no_move_even_when_it_could_only_be_claimed():
    assert TypedGame("grid").line(1, "5") is None


@pytest.mark.parametrize("text", ["4", "pick 4", "p 4", "number 4"])
def test_a_pick_on_one_line(text):
    typed = claimed(5)
    typed.type(2, "challenge", "5")
    assert typed.line(1, text) == {"kind": "pick", "number": 4}


def test_an_illegal_move_on_one_line_is_told_what_is_wrong_with_it():
    assert claimed(5).refusal(2, "claim 5") == (
        "Error: Cell 5 is already claimed. Please select an empty cell."
    )
    assert claimed(5).refusal(2, "challenge cell 3") == (
        "Error: Cell 3 is not your opponent's. Please select one of your opponent's cells."
    )


LEVEL = ("Both players control 2 cells.", "Both players' unused numbers have the sum 15.")
SETTLED = ("All cells are claimed.", "Player 2 wins!")
SUMMED = ("All cells are claimed.", "Player 1 wins! (higher sum of unused numbers)")
SUDDEN = ("Player 1 wins in Sudden Death!",)
BEGUN = (
    "All cells are claimed.",
    *LEVEL,
    "The game proceeds to Sudden Death:",
    "Players take turns challenging opponent's cells until the tie is broken.",
)


def results(first, second, text):
    return ("Challenge results:", f"- {first}", f"- {second}", text)


TOLD = [
    # the event, what Player 1, Player 2 and a spectator read
    (
        Claimed(seat=1, cell=5),
        ("You have claimed cell 5.",),
        ("Player 1 has claimed cell 5.",),
        ("Player 1 has claimed cell 5.",),
    ),
    (
        Challenged(seat=2, cell=5),
        ("Player 2 challenges your cell 5.",),
        ("You challenge cell 5.",),
        ("Player 2 challenges cell 5.",),
    ),
    (
        Picked(seat=2),
        ("Player 2 has selected a challenge number.",),
        ("You have selected a challenge number.",),
        ("Player 2 has selected a challenge number.",),
    ),
    (
        Revealed(cell=5, challenger=2, numbers=(4, 5), owner=2),
        results(
            "Your number: 4", "Opponent's number: 5", "You lose the challenge. Player 2 now controls cell 5."
        ),
        results("Your number: 5", "Opponent's number: 4", "You win the challenge and now control cell 5."),
        results(
            "Player 1's number: 4",
            "Player 2's number: 5",
            "Player 2 wins the challenge and now controls cell 5.",
        ),
    ),
    (
        Revealed(cell=5, challenger=2, numbers=(4, 1), owner=1),
        results("Your number: 4", "Opponent's number: 1", "You win the challenge and still control cell 5."),
        results(
            "Your number: 1",
            "Opponent's number: 4",
            "You lose the challenge. Player 1 still controls cell 5.",
        ),
        results(
            "Player 1's number: 4",
            "Player 2's number: 1",
            "Player 1 wins the challenge and still controls cell 5.",
        ),
    ),
    (
        Revealed(cell=5, challenger=2, numbers=(3, 3), owner=1),
        results("Your number: 3", "Opponent's number: 3", "It is a tie; you retain control of cell 5."),
        results("Your number: 3", "Opponent's number: 3", "It is a tie; Player 1 retains control of cell 5."),
        results(
            "Player 1's number: 3", "Player 2's number: 3", "It is a tie; Player 1 retains control of cell 5."
        ),
    ),
    (SuddenDeath(cells=(2, 2), sums=(15, 15)), BEGUN, BEGUN, BEGUN),
    (Refilled(), *[("No numbers are left. Both players have 1, 2, 3, 4, 5 again.",)] * 3),
    (Won(seat=2, reason="most_cells", cells=(4, 5), sums=(3, 9)), SETTLED, SETTLED, SETTLED),
    (Won(seat=1, reason="unused_numbers", cells=(8, 8), sums=(9, 7)), SUMMED, SUMMED, SUMMED),
    (Won(seat=1, reason="sudden_death", cells=(3, 1), sums=(9, 9)), SUDDEN, SUDDEN, SUDDEN),
]


@pytest.mark.parametrize(("event", "first", "second", "spectator"), TOLD)
def test_what_an_event_says_to_each(event, first, second, spectator):
    assert (announce(event, 1), announce(event, 2), announce(event, 0)) == (first, second, spectator)


def test_every_event_has_words():
    assert {type(event) for event, *_ in TOLD} == event_classes(grid)


BOARDS = {
    2: """
1 | O
--+--
3 | X""",
    3: """
1 | O | 3
--+---+--
4 | 5 | 6
--+---+--
7 | 8 | X""",
    4: """
 1 |  O |  3 |  4
---+----+----+---
 5 |  6 |  7 |  8
---+----+----+---
 9 | 10 | 11 | 12
---+----+----+---
13 | 14 | 15 |  X""",
    5: """
 1 |  O |  3 |  4 |  5
---+----+----+----+---
 6 |  7 |  8 |  9 | 10
---+----+----+----+---
11 | 12 | 13 | 14 | 15
---+----+----+----+---
16 | 17 | 18 | 19 | 20
---+----+----+----+---
21 | 22 | 23 | 24 |  X""",
    6: """
 1 |  O |  3 |  4 |  5 |  6
---+----+----+----+----+---
 7 |  8 |  9 | 10 | 11 | 12
---+----+----+----+----+---
13 | 14 | 15 | 16 | 17 | 18
---+----+----+----+----+---
19 | 20 | 21 | 22 | 23 | 24
---+----+----+----+----+---
25 | 26 | 27 | 28 | 29 | 30
---+----+----+----+----+---
31 | 32 | 33 | 34 | 35 |  X""",
}


@pytest.mark.parametrize("size", BOARDS)
def test_the_grid_is_drawn_as_in_the_book_at_every_size(size):
    drawn = claimed(size**2, 2, size=str(size)).board(0)
    assert drawn[:-2] == BOARDS[size].split("\n")[1:]


def test_the_board_tells_cells_and_numbers():
    typed = book_game()
    assert typed.board(1)[5:] == [
        "Player 1 (X): 0 cells. Unused numbers: 1, 2, 3, 5 (sum = 11). Spent: 4.",
        "Player 2 (O): 1 cell. Unused numbers: 1, 2, 3, 4 (sum = 10). Spent: 5.",
    ]


def test_the_board_tells_a_standing_challenge_and_who_has_picked():
    typed = claimed(5)
    typed.type(2, "challenge", "5")
    assert typed.board(1)[-1] == "Player 2 challenges cell 5."
    typed.type(2, "3")
    assert typed.board(1)[-1] == "Player 2 challenges cell 5. Player 2 has selected a number."
    assert typed.board(2)[-1] == "Player 2 challenges cell 5. You have selected a number."


def test_sudden_death_is_announced_and_on_the_board():
    typed = claimed(1, 2, 3, 4, size="2")
    assert typed.heard[0][-6:] == [*BEGUN, "It's Player 1's turn."]
    assert typed.board(0)[-1] == "Sudden Death: the first challenge that its challenger wins decides."


def test_the_books_turns_show_the_grid_again_after_each():
    typed = claimed(5, 1)
    typed.type(1, "challenge", "1", "4")
    typed.type(2, "3")
    typed.type(2, "claim", "2")
    for viewer in VIEWERS:
        assert_holds(
            typed.heard[viewer],
            "1 | 2 | 3\n--+---+--\n4 | X | 6\n--+---+--\n7 | 8 | 9",
            "O | 2 | 3\n--+---+--\n4 | X | 6\n--+---+--\n7 | 8 | 9",
            "X | 2 | 3\n--+---+--\n4 | X | 6\n--+---+--\n7 | 8 | 9",
            "X | O | 3\n--+---+--\n4 | X | 6\n--+---+--\n7 | 8 | 9",
        )


def test_the_grid_is_not_shown_again_while_a_challenge_stands():
    typed = claimed(5)
    before = len(typed.heard[0])
    typed.type(2, "challenge", "5", "5")
    assert not any("|" in line for line in typed.heard[0][before:])


def test_the_books_end_of_game_lists_the_cells_that_each_player_controls():
    typed = claimed(9)
    typed.type(2, "challenge", "9", "2")
    typed.type(1, "1")
    for number, cell in enumerate("12435687"):
        typed.type(1 + number % 2, "claim", cell)
    ending = """
X | O | O
--+---+--
X | X | O
--+---+--
O | X | O
Player 1 controls cells: 1, 4, 5, 8 (4 cells).
Player 2 controls cells: 2, 3, 6, 7, 9 (5 cells).
All cells are claimed.
Player 2 wins!
"""
    assert_holds(typed.heard[1], "Player 2 has claimed cell 7.", ending)
    assert typed.board(0) == ending.strip().splitlines()[:7]


def test_the_books_tie_breaker_lists_the_unused_numbers_and_their_sums():
    typed = claimed(1, 2, 3, size="2")
    for challenger, cell, first, second in ((2, "1", "2", "5"), (1, "1", "4", "3")):
        typed.type(challenger, "challenge", cell)
        typed.type(1, first)
        typed.type(2, second)
    typed.type(2, "claim", "4")
    assert typed.heard[2][-10:] == [
        "X | O",
        "--+--",
        "X | O",
        "Player 1 controls cells: 1, 3 (2 cells).",
        "Player 2 controls cells: 2, 4 (2 cells).",
        "Unused challenge numbers:",
        "- Player 1: 1, 3, 5 (sum = 9).",
        "- Player 2: 1, 2, 4 (sum = 7).",
        "All cells are claimed.",
        "Player 1 wins! (higher sum of unused numbers)",
    ]


def test_who_owes_a_number_is_asked_and_who_does_not_waits():
    typed = claimed(5)
    typed.type(2, "challenge", "5")
    assert turn(typed.view(1)) == turn(typed.view(2)) == ()
    typed.type(1, "3")
    assert turn(typed.view(1)) == ("Waiting for Player 2 to select their challenge number...",)
    assert turn(typed.view(2)) == ()


def told_after_pick(picker, number):
    """Let one player pick, and collect all that is read from then on, the picker's typing left out."""
    typed = claimed(5)
    typed.type(2, "challenge", "5")
    before = {viewer: len(typed.heard[viewer]) for viewer in VIEWERS}
    prompt = typed.question(picker).prompt
    typed.type(picker, number)
    told = {viewer: typed.heard[viewer][before[viewer] :] for viewer in VIEWERS}
    told[picker].remove(prompt + number)
    return told, {viewer: typed.board(viewer) for viewer in VIEWERS}


@pytest.mark.parametrize("picker", [1, 2])
def test_R1_nothing_that_anybody_reads_depends_on_a_standing_pick(picker):
    readings = [told_after_pick(picker, number) for number in "12345"]
    assert all(reading == readings[0] for reading in readings)


def test_R1_the_other_players_question_does_not_depend_on_a_standing_pick():
    questions = set()
    for number in "12345":
        typed = claimed(5)
        typed.type(2, "challenge", "5", number)
        question = typed.question(1)
        questions.add((question.lead, question.prompt))
    assert len(questions) == 1


def test_the_board_of_a_view_with_a_pick_is_the_board_without_it():
    typed = claimed(5)
    typed.type(2, "challenge", "5", "3")
    view = typed.view(2)
    assert view.pick == 3
    assert board(view) == board(view.model_copy(update={"pick": None}))


THREE = {"size": "3"}


@pytest.mark.parametrize("size", range(2, 7))
def test_a_board_of_any_size_has_room_for_what_is_said_of_it(size):
    typed = claimed(1, size**2, size=str(size))
    view = typed.view(1)
    last = Claimed(seat=1, cell=size**2)
    choices = typed.choices(1)
    assert fits({"size": str(size)}, view, (last, *choices))
    assert fits({"size": str(size)}, None, (last,))
    assert size == 2 or not fits({"size": str(size - 1)}, None, (last,))


def test_nothing_is_beside_the_board():
    view = claimed(5).view(2)
    standing = grid.Standing(cell=9, challenger=2, picked=())
    challenged = view.model_copy(update={"challenge": standing})
    assert fits(THREE, challenged, (Choice(kind="pick", values={"number": (1,)}),))
    for wrong in (
        (THREE, view.model_copy(update={"size": 2}), ()),
        (THREE, view.model_copy(update={"cells": view.cells[:-1]}), ()),
        (THREE, view.model_copy(update={"challenge": standing.model_copy(update={"cell": 10})}), ()),
        (THREE, view, (Choice(kind="pick", values={"number": (1,)}),)),
        (THREE, view, (Choice(kind="claim", values={"cell": (1, 10)}),)),
        (THREE, None, (Claimed(seat=1, cell=10),)),
        ({"size": "99"}, view, ()),
        ({"size": "a"}, view, ()),
    ):
        assert not fits(*wrong)
