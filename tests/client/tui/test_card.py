"""A clock looks different in its last fifth and in its last seconds, and not by colour alone."""

from dataclasses import replace

import pytest

from client.core.state import ClientState, reduced
from client.tui.card import state_words, time_left, urgency
from tests.client.frames import CODE, seated, shown


def timed(left_ms, clock_s=60):
    state, _ = reduced(ClientState(), seated(re=1))
    state, _ = reduced(state, shown())
    return replace(state.matches[CODE], clock_s=clock_s, left_ms=left_ms)


@pytest.mark.parametrize(
    ("left_ms", "words", "look"),
    [
        (60_000, "1:00 left", ""),
        (12_001, "0:12 left", ""),
        (12_000, "0:12 left!", "bold $warning"),
        (10_001, "0:10 left!", "bold $warning"),
        (10_000, "0:10 left!!", "bold reverse $error"),
        (0, "0:00 left!!", "bold reverse $error"),
    ],
)
def test_a_clock_that_runs_out_looks_different(left_ms, words, look):
    match = timed(left_ms)
    left_s = time_left(match, 1, passed_s=0.0)
    assert state_words(match, 1, left_s) == ["Player 1", words]
    assert urgency(match.clock_s, left_s) == look


def test_time_that_has_passed_counts():
    assert time_left(timed(30_000), 1, passed_s=5.0) == 25.0


def test_only_who_owes_a_move_has_a_clock_that_runs():
    assert time_left(timed(30_000), 2, passed_s=0.0) is None
    assert time_left(timed(None, clock_s=None), 1, passed_s=0.0) is None
