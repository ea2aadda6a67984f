"""Galaxy Conquest sounds as its book prints it, and takes exactly what may be answered."""

import pytest

from client.core.games.galaxy import announce
from protocol.games import galaxy
from protocol.games.galaxy import Attacked, Won
from tests.client.core.games.typed_game import TypedGame, assert_holds, event_classes

BOOK_MOVES = [(1, "7"), (2, "6"), (1, "5"), (2, "4"), (1, "3"), (2, "2"), (1, "1")]


def played(*moves):
    """Play moves, each a planet and the ship of the same number."""
    typed = TypedGame("galaxy")
    for seat, number in moves:
        typed.type(seat, number, number)
    return typed


def test_the_books_sample_game_as_player_1_reads_it():
    assert_holds(
        played(*BOOK_MOVES).heard[1],
        """
Welcome to Galaxy Conquest!

Planets:
[1] Unconquered  [2] Unconquered  [3] Unconquered  [4] Unconquered  [5] Unconquered  [6] Unconquered  [7] Unconquered

Player 1 Ships Available: 1, 2, 3, 4, 5, 6, 7
Player 2 Ships Available: 1, 2, 3, 4, 5, 6, 7

Player 1's Turn:
Enter the planet number to attack: 7
Enter the ship number to deploy: 7
Attack successful! Planet 7 is now conquered by Player 1.
""",  # noqa: E501 - the book's line
        """
Player 2's Turn:
Player 2 attacks Planet 6 with Ship 6.
Attack successful! Planet 6 is now conquered by Player 2.
""",
        """
Player 1's Turn:
Enter the planet number to attack: 1
Enter the ship number to deploy: 1
Attack successful! Planet 1 is now conquered by Player 1.
Player 1 wins the game by conquering four planets!
""",
    )


def test_the_books_sample_game_as_player_2_reads_it():
    assert_holds(
        played(*BOOK_MOVES).heard[2],
        """
Player 2's Turn:
Enter the planet number to attack: 6
Enter the ship number to deploy: 6
Attack successful! Planet 6 is now conquered by Player 2.
""",
        "Player 1 wins the game by conquering four planets!",
    )


def test_the_books_invalid_move_in_turn_4_is_explained_and_asked_again():
    typed = played(*BOOK_MOVES[:3])
    assert typed.refusal(2, "5") == "Planet 5 has already been conquered by Player 1. Choose another."
    typed.type(2, "4", "4")
    assert_holds(
        typed.heard[2],
        """
Player 2's Turn:
Enter the planet number to attack: 5
Planet 5 has already been conquered by Player 1. Choose another.
Enter the planet number to attack: 4
Enter the ship number to deploy: 4
Attack successful! Planet 4 is now conquered by Player 2.
""",
    )


def test_the_board_lists_planets_and_ships_as_the_books_example_does():
    typed = TypedGame("galaxy")
    typed.type(1, "4", "5")
    for viewer in (1, 2, 0):
        assert typed.board(viewer) == [
            "Planets:",
            "[1] Unconquered",
            "[2] Unconquered",
            "[3] Unconquered",
            "[4] Conquered by Player 1",
            "[5] Unconquered",
            "[6] Unconquered",
            "[7] Unconquered",
            "",
            "Player 1 Ships Available: 1, 2, 3, 4, 6, 7",
            "Player 2 Ships Available: 1, 2, 3, 4, 5, 6, 7",
        ]


def test_a_fleet_that_is_spent_is_said_to_be_none():
    view = TypedGame("galaxy").view(1).model_copy(update={"ships": ((), (3,))})
    assert "Player 1 Ships Available: none" in TypedGame("galaxy").renderer.board(view)


FLEETS_SPENT = "All ships have been expended, and neither player has conquered four planets."
CONQUERED = "Attack successful! Planet 4 is now conquered by Player 1."
FAILED = "Attack failed! Planet 7 remains unconquered. Ship 2 is expended."

TOLD = [
    # the event, what its doer (Player 1) reads, what everybody else reads
    (
        Attacked(seat=1, planet=4, ship=5, conquered=True),
        (CONQUERED,),
        ("Player 1 attacks Planet 4 with Ship 5.", CONQUERED),
    ),
    (
        Attacked(seat=1, planet=7, ship=2, conquered=False),
        (FAILED,),
        ("Player 1 attacks Planet 7 with Ship 2.", FAILED),
    ),
    (
        Won(seat=1, reason="four_planets", planets=((1, 3, 5, 7), (2, 4, 6))),
        ("Player 1 wins the game by conquering four planets!",),
        ("Player 1 wins the game by conquering four planets!",),
    ),
    (
        Won(seat=1, reason="most_planets", planets=((1, 3, 7), (6,))),
        (FLEETS_SPENT, "Player 1 wins the game by conquering the most planets, 3 to 1!"),
        (FLEETS_SPENT, "Player 1 wins the game by conquering the most planets, 3 to 1!"),
    ),
    (
        Won(seat=1, reason="highest_planet", planets=((1, 7), (5, 6))),
        (
            FLEETS_SPENT,
            "Both players have conquered 2 planets.",
            "Player 1 wins the game by holding the highest planet, Planet 7!",
        ),
        (
            FLEETS_SPENT,
            "Both players have conquered 2 planets.",
            "Player 1 wins the game by holding the highest planet, Planet 7!",
        ),
    ),
]


@pytest.mark.parametrize(("event", "own", "others"), TOLD)
def test_what_an_event_says_to_its_doer_and_to_the_others(event, own, others):
    assert announce(event, 1) == own
    assert announce(event, 2) == others
    assert announce(event, 0) == others


def test_every_event_has_words():
    assert {type(event) for event, *_ in TOLD} == event_classes(galaxy)


@pytest.mark.parametrize("text", ["", "  ", "x", "0", "8", "-1", "1.5", "9" * 5000, "+3", "٣", "1_1"])
def test_what_is_no_planet_gets_the_list_of_planets(text):
    typed = played((1, "7"))
    assert typed.refusal(2, text) == (
        "Invalid choice. Please enter the number of an unconquered planet: 1, 2, 3, 4, 5, 6."
    )


@pytest.mark.parametrize("text", ["", "ship", "0", "8", "seven"])
def test_what_is_no_ship_gets_the_list_of_ships(text):
    typed = played((1, "7"), (2, "6"))
    typed.type(1, "5")
    assert typed.refusal(1, text) == (
        "Invalid choice. Please enter the number of an available ship: 1, 2, 3, 4, 5, 6."
    )


def test_a_spent_ship_is_refused_and_only_the_ship_is_asked_again():
    typed = played((1, "7"), (2, "6"))
    typed.type(1, "5")
    assert typed.refusal(1, "7") == "Ship 7 has already been expended. Choose an available ship."
    typed.type(1, " Ship 6 ")
    assert typed.heard[0][-3:-1] == [
        "Player 1 attacks Planet 5 with Ship 6.",
        "Attack successful! Planet 5 is now conquered by Player 1.",
    ]


def test_the_ship_is_asked_for_also_when_one_is_left():
    typed = TypedGame("galaxy")
    view = typed.view(1)
    choices = (galaxy_choice(planets=(7,), ships=(1,)),)
    first = typed.renderer.ask(view, choices, ())
    assert (first.prompt, first.accept("7")) == ("Enter the planet number to attack: ", 7)
    second = typed.renderer.ask(view, choices, (7,))
    assert (second.prompt, second.accept("1")) == ("Enter the ship number to deploy: ", 1)


def galaxy_choice(planets, ships):
    (choice,) = TypedGame("galaxy").choices(1)
    return choice.model_copy(update={"values": {"planet": planets, "ship": ships}})


@pytest.mark.parametrize(
    "text",
    ["7 5", "7, 5", " attack 7 5", "ATTACK planet 7 with ship 5", "att 7 5", "ship 5 planet 7", "a 7,5"],
)
def test_a_whole_move_can_be_typed_on_one_line(text):
    assert TypedGame("galaxy").line(1, text) == {"kind": "attack", "planet": 7, "ship": 5}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "attack",
        "attack 7",
        "7 8",
        "7 5 3",
        "7 x",
        "planet 7 planet 5",
        "planet 6 planet 7 ship 5",
        "7 5 ship",
        "7 -5",
        "b 7 5",
    ],
)
def test_a_line_that_is_no_whole_legal_move_is_none(text):
    assert TypedGame("galaxy").line(1, text) is None


def test_an_illegal_move_on_one_line_is_told_what_is_wrong_with_it():
    typed = played((1, "7"), (2, "6"))
    assert typed.line(1, "6 5") is None
    assert typed.refusal(1, "6 5") == "Planet 6 has already been conquered by Player 2. Choose another."
    assert typed.line(1, "5 7") is None
    assert typed.refusal(1, "5 7") == "Ship 7 has already been expended. Choose an available ship."
