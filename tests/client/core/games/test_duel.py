"""Command Line Conquer sounds as its book prints it, and takes exactly what may be answered."""

import pytest

from client.core.games.duel import announce
from protocol.games import duel
from protocol.games.duel import Attacked, Defended, Healed, Won
from tests.client.core.games.typed_game import VIEWERS, TypedGame, assert_holds, event_classes

WORDS = {"A": "Attack", "D": "Defend", "H": "Heal"}
BOOK_ACTIONS = [WORDS[letter] for letter in "ADAHAADAHAHADHHAAAHA"]


def played(*actions):
    """Act in turn."""
    typed = TypedGame("duel")
    for turn, action in enumerate(actions):
        typed.type(1 + turn % 2, action)
    return typed


def test_the_books_twenty_turns_in_the_books_sentences():
    heard = played(*BOOK_ACTIONS).heard
    blocks = [
        "Player 1 HP: 10 (has not acted yet)\nPlayer 2 HP: 10 (has not acted yet)",
        "Player 1 attacks Player 2.\nPlayer 2 is not defending.\nPlayer 2 takes 2 damage.",
        "Player 2 HP: 10 - 2 = 8",
        "Player 2 prepares to block the next attack.\nPlayer 2 cannot attack on their next turn.",
        "Player 2 is now defending.",
        "Player 1 attacks Player 2.\nPlayer 2 is defending.\nAttack is blocked; Player 2 takes no damage.",
        "Player 2 heals for 1 HP.",
        "Player 2's HP increases from 8 to 9.\nPlayer 2 HP: 9",
        "Player 1 attacks Player 2.\nPlayer 2 is not defending or healing.\nPlayer 2 takes 2 damage.",
        "Player 2 HP: 9 - 2 = 7",
        "Player 2 attacks Player 1.\nPlayer 1 is not defending.\nPlayer 1 takes 2 damage.",
        "Player 1 HP: 10 - 2 = 8",
        "Player 1 prepares to block the next attack.\nPlayer 1 cannot attack on their next turn.",
        "Player 1 is now defending.",
        "Player 2 attacks Player 1.\nPlayer 1 is defending.\nAttack is blocked; Player 1 takes no damage.",
        "Player 1 heals for 1 HP.\nPlayer 1's HP increases from 8 to 9.\nPlayer 1 HP: 9",
        "Player 2 attacks Player 1.\nPlayer 1 is not defending or healing.\nPlayer 1 takes 2 damage.",
        "Player 1 HP: 9 - 2 = 7",
        "Player 1 heals for 1 HP.\nPlayer 1's HP increases from 7 to 8.\nPlayer 1 HP: 8",
        "Player 2 attacks Player 1.\nPlayer 1 is healing.\nPlayer 1 takes double damage (4 damage).",
        "Player 1 HP: 8 - 4 = 4",
        "Player 1 prepares to block the next attack.\nPlayer 1 cannot attack on their next turn.",
        "Player 2 heals for 1 HP.\nPlayer 2's HP increases from 7 to 8.\nPlayer 2 HP: 8",
        "Player 1 heals for 1 HP.\nPlayer 1's HP increases from 4 to 5.\nPlayer 1 HP: 5",
        "Player 2 attacks Player 1.\nPlayer 1 is not defending or healing.\nPlayer 1 takes 2 damage.",
        "Player 1 HP: 5 - 2 = 3",
        "Player 1 attacks Player 2.\nPlayer 2 is not defending.\nPlayer 2 takes 2 damage.",
        "Player 2 HP: 8 - 2 = 6",
        "Player 2 attacks Player 1.\nPlayer 1 is not defending.\nPlayer 1 takes 2 damage.",
        "Player 1 HP: 3 - 2 = 1",
        "Player 1 heals for 1 HP.\nPlayer 1's HP increases from 1 to 2.\nPlayer 1 HP: 2",
        "Player 2 attacks Player 1.\nPlayer 1 is healing.\nPlayer 1 takes double damage (4 damage).",
        "Player 1 HP: 2 - 4 = -2\nPlayer 1's HP is -2, which is 0 or below.\nPlayer 2 Wins the game.",
    ]
    for viewer in VIEWERS:
        assert_holds(heard[viewer], *blocks)


def test_a_turn_asks_for_one_of_the_three_actions():
    assert_holds(
        played("Attack").heard[1],
        """
Welcome to Command Line Conquer!
Each player begins with 10 HP.
""",
        """
Player 1's turn.
Available actions: [1] Attack, [2] Defend, [3] Heal
Enter your action: Attack
""",
        "Player 2's turn.",
    )


def test_after_defending_attack_is_not_offered_and_a_typed_one_is_explained():
    typed = played("attack", "defend", "attack")
    assert typed.question(2).lead == (
        "Available actions: [2] Defend, [3] Heal (Note: Cannot attack after defending)",
    )
    for text in ("Attack", "a", "1"):
        assert typed.refusal(2, text) == (
            "You cannot attack straight after defending. Choose Defend or Heal."
        )


@pytest.mark.parametrize("text", ["", " ", "x", "0", "4", "attack now", "a d"])
def test_what_is_no_action_is_asked_again(text):
    assert TypedGame("duel").refusal(1, text) == "Invalid action. Please enter Attack, Defend or Heal."


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("ATTACK", "attack"),
        (" d ", "defend"),
        ("he", "heal"),
        ("1", "attack"),
        ("2", "defend"),
        ("3", "heal"),
    ],
)
def test_an_action_may_be_typed_in_short(text, action):
    assert TypedGame("duel").question(1).accept(text) == action


@pytest.mark.parametrize(
    ("text", "move"),
    [("Attack", {"kind": "attack"}), ("h", {"kind": "heal"}), ("1", None), ("", None), ("attack 2", None)],
)
def test_an_action_is_a_whole_move(text, move):
    assert TypedGame("duel").line(1, text) == move


def test_an_action_that_is_not_legal_now_is_no_whole_move():
    assert played("attack", "defend", "attack").line(2, "attack") is None


HIT = ("Player 1 attacks Player 2.", "Player 2 is not defending.", "Player 2 takes 2 damage.")

TOLD = [
    (Attacked(seat=1, met="none", damage=2, hp=(10, 8)), (*HIT, "Player 2 HP: 10 - 2 = 8")),
    (Attacked(seat=1, met="attacking", damage=2, hp=(10, -1)), (*HIT, "Player 2 HP: 1 - 2 = -1")),
    (
        Attacked(seat=1, met="defending", damage=0, hp=(10, 8)),
        (
            "Player 1 attacks Player 2.",
            "Player 2 is defending.",
            "Attack is blocked; Player 2 takes no damage.",
            "Player 2 HP: 8",
        ),
    ),
    (
        Attacked(seat=2, met="healing", damage=4, hp=(4, 8)),
        (
            "Player 2 attacks Player 1.",
            "Player 1 is healing.",
            "Player 1 takes double damage (4 damage).",
            "Player 1 HP: 8 - 4 = 4",
        ),
    ),
    (
        Attacked(seat=1, met="guarded", damage=2, hp=(10, 7)),
        (
            "Player 1 attacks Player 2.",
            "Player 2 is not defending or healing.",
            "Player 2 takes 2 damage.",
            "(A heal straight after defending does not double the damage.)",
            "Player 2 HP: 9 - 2 = 7",
        ),
    ),
    (
        Defended(seat=2, hp=(10, 8)),
        (
            "Player 2 prepares to block the next attack.",
            "Player 2 cannot attack on their next turn.",
            "Player 2 is now defending.",
        ),
    ),
    (
        Healed(seat=2, gained=1, hp=(10, 9)),
        ("Player 2 heals for 1 HP.", "Player 2's HP increases from 8 to 9.", "Player 2 HP: 9"),
    ),
    (
        Healed(seat=2, gained=0, hp=(10, 10)),
        ("Player 2 heals for 0 HP.", "Player 2's HP cannot exceed 10.", "Player 2 HP: 10"),
    ),
    (
        Won(seat=2, hp=(-2, 6)),
        ("Player 1's HP is -2, which is 0 or below.", "Player 2 Wins the game."),
    ),
]


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize(("event", "lines"), TOLD)
def test_what_an_event_says_to_everybody(event, lines, viewer):
    assert announce(event, viewer) == lines


def test_every_event_has_words():
    assert {type(event) for event, *_ in TOLD} == event_classes(duel)


def test_the_board_tells_hp_and_stances():
    typed = played("attack", "defend")
    assert typed.board(0) == [
        "Player 1 HP: 10 (attacked last; not defending)",
        "Player 2 HP: 8 (defending; cannot attack on their next turn)",
    ]
    typed.type(1, "heal")
    typed.type(2, "heal")
    assert typed.board(1) == [
        "Player 1 HP: 10 (healing; an attack deals double damage)",
        "Player 2 HP: 9 (healed after defending; an attack does not deal double damage)",
    ]
