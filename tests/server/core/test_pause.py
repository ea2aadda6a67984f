"""Pauses of all clocks: what is counted, what is written down, and what comes back."""

from server.core.entry import Fact
from server.core.pause import ALIVE, Pauses


def test_a_pause_is_as_long_as_it_lasted():
    pauses = Pauses()
    pauses.begin(10.0)
    assert pauses.end(14.0) == 4.0
    assert pauses.since(0.0) == 4.0


def test_a_pause_that_never_began_costs_nothing():
    pauses = Pauses()
    assert pauses.end(14.0) == 0.0
    assert pauses.since(0.0) == 0.0


def test_a_turn_counts_only_the_part_of_a_pause_that_it_saw():
    pauses = Pauses()
    pauses.add(10.0, 14.0)
    pauses.add(20.0, 21.0)
    assert [pauses.since(began) for began in (5.0, 12.0, 14.0, 20.5, 30.0)] == [5.0, 3.0, 1.0, 0.5, 0.0]


def test_pauses_that_no_running_turn_saw_are_not_written_down():
    pauses = Pauses()
    pauses.add(10.0, 14.0)
    pauses.add(20.0, 21.0)
    assert pauses.to_fact(30.0, oldest=14.0) == Fact(ALIVE, {"at": 30.0, "pauses": [(20.0, 21.0)]})
    assert pauses.since(0.0) == 1.0


def test_what_was_written_down_comes_back():
    before, after = Pauses(), Pauses()
    before.add(10.0, 14.0)
    assert after.restore(before.to_fact(30.0, oldest=5.0)) == 30.0
    assert after.since(12.0) == 2.0


def test_a_fact_about_something_else_changes_nothing():
    pauses = Pauses()
    pauses.add(10.0, 14.0)
    assert pauses.restore(Fact("session:1", {"at": 1.0, "pauses": []})) is None
    assert pauses.restore(Fact(ALIVE, None)) is None
    assert pauses.since(0.0) == 4.0
