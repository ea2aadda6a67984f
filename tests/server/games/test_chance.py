"""Luck that remembers what it drew, and luck that repeats it exactly or not at all."""

import pytest

from server.games.chance import Drawn, Recorded


def test_what_is_drawn_is_remembered_in_order():
    coming = iter([3, 0, 8])
    chance = Drawn(lambda n: next(coming))
    assert [chance.below(9) for _ in range(3)] == [3, 0, 8]
    assert chance.answers == [3, 0, 8]


def test_the_generator_is_asked_for_a_number_below_the_same_bound():
    asked = []
    chance = Drawn(lambda n: asked.append(n) or 0)
    chance.below(36)
    assert asked == [36]


def test_a_record_repeats_its_answers_and_knows_when_it_is_used_up():
    chance = Recorded([3, 0])
    assert chance.below(4) == 3
    assert chance.below(1) == 0
    assert chance.is_used_up()


def test_a_record_with_answers_left_is_not_used_up():
    assert not Recorded([3]).is_used_up()


@pytest.mark.parametrize("answers", [[], [4], [-1]])
def test_a_record_that_does_not_fit_is_refused(answers):
    with pytest.raises(ValueError, match="does not fit"):
        Recorded(answers).below(4)
