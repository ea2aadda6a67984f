"""The ends that any match may have are told with the players' names."""

import pytest

from client.core.games import end_lines
from protocol.outcome import ABANDONED, CALLED_OFF, CLOCK, MOVE_CAP, RESIGNED, Outcome

NAMES = ("Ann", "Bob")


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (Outcome(winner=1, reason=RESIGNED), "Bob resigned. Ann wins!"),
        (Outcome(winner=2, reason=RESIGNED), "Ann resigned. Bob wins!"),
        (Outcome(winner=1, reason=CLOCK), "Bob ran out of time. Ann wins!"),
        (
            Outcome(winner=2, reason=ABANDONED),
            "Ann has been gone for too long. Bob wins!",
        ),
        (
            Outcome(winner=None, reason=CALLED_OFF),
            "Both players agreed to call the match off. There is no winner.",
        ),
        (
            Outcome(winner=None, reason=MOVE_CAP),
            "The match has reached the limit of moves and is called off. There is no winner.",
        ),
        (Outcome(winner=None, reason="something_new"), "The match has ended. There is no winner."),
    ],
)
def test_A3_every_end_is_told(outcome, line):
    assert end_lines(outcome, NAMES) == (line,)


def test_an_end_by_the_games_own_rules_was_told_by_the_game():
    assert end_lines(Outcome(winner=1, reason="four_planets"), NAMES) == ()


def test_a_player_without_a_name_is_told_by_the_seat():
    lines = end_lines(Outcome(winner=1, reason=RESIGNED), ("Ann", ""))
    assert lines == ("Player 2 resigned. Ann wins!",)


@pytest.mark.parametrize(("reader", "line"), [(1, "Bob resigned. You win!"), (2, "You resigned. Ann wins!")])
def test_a_player_reads_of_the_end_as_you(reader, line):
    assert end_lines(Outcome(winner=1, reason=RESIGNED), NAMES, reader) == (line,)
