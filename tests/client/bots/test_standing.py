"""The table of an arena: it adds up, tells the seats apart, and claims no more than the matches prove."""

import pytest

from client.bots.arena import Tally
from client.bots.standing import by_seat, standing, turned, verdict


def course(*points):
    """Tallies after each match, in which the first bot made so many points."""
    tallies = [Tally()]
    for point in points:
        tallies.append(tallies[-1].plus(point))
    return tallies[1:]


def test_the_seats_are_told_apart():
    assert by_seat(course(1.0, 0.0, 0.5, 0.0, 1.0)) == (Tally(won=2, drawn=1), Tally(lost=2))


def test_the_other_side_sees_the_same_matches():
    assert turned(Tally(1, 2, 3)) == Tally(3, 2, 1)


def test_the_table_has_both_sides_with_their_intervals_and_seats():
    assert standing(("mine.py", "hard"), course(1.0, 0.0, 1.0, 0.0)) == (
        "         won  drawn  lost   score  95 % sure between  as Player 1  as Player 2",
        "mine.py    2      0     2  50.0 %  15.0 % and 85.0 %      100.0 %        0.0 %",
        "hard       2      0     2  50.0 %  15.0 % and 85.0 %      100.0 %        0.0 %",
        "That does not tell yet who is the better player; more matches might.",
    )


def test_namesakes_are_numbered():
    lines = standing(("easy", "easy"), course(1.0))
    assert [line.split("  ")[0] for line in lines[1:3]] == ["easy (1)", "easy (2)"]


def test_no_bound_is_below_nothing():
    assert not any("-0.0" in line for line in standing(("a", "b"), course(*[0.0] * 10)))


@pytest.mark.parametrize(
    ("tally", "sentence"),
    [
        (Tally(won=40, lost=10), "a is the better player."),
        (Tally(won=10, lost=40), "b is the better player."),
        (Tally(won=26, lost=24), "That does not tell yet who is the better player; more matches might."),
    ],
)
def test_the_verdict_needs_an_interval_on_one_side_of_half(tally, sentence):
    assert verdict(("a", "b"), tally) == sentence
