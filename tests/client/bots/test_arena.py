"""The arena: seats alternate, intervals are Wilson's, and the levels come out in order."""

from math import isclose

import pytest

from client.bots import LEVELS, Computer
from client.bots.arena import FORFEIT, Tally, compete, play
from client.bots.review import review
from tests.client.bots.partner import Wanderer, dice, recorded

ORDER = (
    ("conquer", {}, 1500),
    ("galaxy", {}, 300),
    ("grid", {"size": "3"}, 400),
    ("duel", {}, 40),
    ("digit", {"draw": "random"}, 40),
)


def maker(level):
    return lambda chance, options: Computer(level, chance, options)


class FirstClaim:
    """Claims the lowest territory; wins or loses by its seat alone."""

    def __init__(self, chance, options):
        pass

    def choose(self, view, choices):
        return {"kind": "claim", "territory": choices[0].values["territory"][0]}


class Cheat(FirstClaim):
    """Claims what is claimed already."""

    def choose(self, view, choices):
        return {"kind": "claim", "territory": 1}


def test_seats_alternate():
    seen = []

    class Watcher(FirstClaim):
        def choose(self, view, choices):
            seen.append(view.viewer)
            return super().choose(view, choices)

    compete("conquer", {}, (Watcher, FirstClaim), 4, dice(1).below)
    firsts = [viewer for viewer, before in zip(seen, [None, *seen], strict=False) if viewer != before]
    assert firsts == [1, 2, 1, 2]


def test_progress_is_told_after_every_match():
    told = []
    tally = compete("conquer", {}, (Wanderer, Wanderer), 5, dice(1).below, told.append)
    assert [each.matches for each in told] == [1, 2, 3, 4, 5]
    assert told[-1] == tally


def test_who_plays_what_is_illegal_has_lost():
    match = play("conquer", {}, (FirstClaim, Cheat), dice(1).below)
    assert (match.outcome.winner, match.outcome.reason) == (1, FORFEIT)
    assert len(match.turns) == 1


def test_what_was_played_can_be_played_again():
    match = play("digit", {}, (Wanderer, Wanderer), dice(4).below)
    found = review(recorded("digit", {}, match.turns, match.chance, match.outcome))
    assert found.result == (1.0 if match.outcome.winner == 1 else -1.0)


def test_a_match_without_end_is_called_off():
    match = play("duel", {}, (maker("perfect"), maker("perfect")), dice(1).below)
    assert match.outcome.winner is None
    assert len(match.turns) == 2000


@pytest.mark.parametrize(
    ("tally", "low", "high"),
    [
        (Tally(won=81, lost=182), 0.2553, 0.3662),
        (Tally(won=15, lost=133), 0.0624, 0.1605),
        (Tally(won=0, lost=20), 0.0, 0.1611),
    ],
)
def test_intervals_are_those_of_the_literature(tally, low, high):
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3.
    found = tally.interval()
    assert isclose(found[0], low, abs_tol=1e-4)
    assert isclose(found[1], high, abs_tol=1e-4)


def test_a_draw_is_half_a_point():
    assert Tally(won=1, drawn=2, lost=1).score == 0.5


@pytest.mark.parametrize(("game_id", "options", "matches"), ORDER)
def test_each_level_beats_the_one_below(game_id, options, matches):
    for better, worse in zip(LEVELS[1:], LEVELS, strict=False):
        tally = compete(game_id, options, (maker(better), maker(worse)), matches, dice(5).below)
        assert tally.won > tally.lost
