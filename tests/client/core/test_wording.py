"""Sentences around a match: whether hints are on is told to everybody, before and in it."""

import pytest

from client.core.state import ClientState, reduced
from client.core.wording import header, open_match_line
from protocol.server_frame import OpenMatch
from tests.client.frames import CODE, seated


def told(seat: int, hints: bool) -> tuple[str, ...]:
    state, _ = reduced(ClientState(), seated(seat=seat, hints=hints))
    return header(state.matches[CODE])


@pytest.mark.parametrize("seat", [1, 2])
def test_both_players_see_that_hints_are_on(seat: int) -> None:
    assert "Hints are on: /hint says what to play." in told(seat, hints=True)


def test_a_spectator_sees_it_too_but_is_not_invited() -> None:
    assert "Hints are on." in told(0, hints=True)


def test_a_match_without_hints_says_nothing_of_them() -> None:
    assert not any("int" in line for line in told(1, hints=False))


@pytest.mark.parametrize(
    ("hints", "line"), [(True, "Conquer against Ann, with hints"), (False, "Conquer against Ann")]
)
def test_the_list_of_open_matches_tells_which_have_hints(hints: bool, line: str) -> None:
    match = OpenMatch(
        match=CODE,
        game="conquer",
        options={},
        creator="Ann",
        first="toss",
        clock_s=None,
        hints=hints,
        age_s=1,
    )
    assert open_match_line(match) == line
