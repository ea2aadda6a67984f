"""Choices stand for exactly the moves they spell out, and survive the wire."""

import msgpack
import pytest
from pydantic import ValidationError

from protocol.choice import Choice, admits, spelled_out
from protocol.games import parse_move
from protocol.games.galaxy import Attack
from protocol.games.grid import Challenge, Claim, Pick

ATTACKS = Choice(kind="attack", values={"planet": (4, 7), "ship": (5,)})
CLAIMS = Choice(kind="claim", values={"cell": (1, 9)})
CHALLENGES = Choice(kind="challenge", values={"cell": (2,)})


def test_a_choice_spells_out_every_combination_of_its_values():
    assert list(spelled_out([ATTACKS])) == [
        {"kind": "attack", "planet": 4, "ship": 5},
        {"kind": "attack", "planet": 7, "ship": 5},
    ]


def test_choices_are_spelled_out_one_after_the_other():
    assert list(spelled_out([CLAIMS, CHALLENGES])) == [
        {"kind": "claim", "cell": 1},
        {"kind": "claim", "cell": 9},
        {"kind": "challenge", "cell": 2},
    ]


def test_a_choice_without_fields_stands_for_one_move():
    assert list(spelled_out([Choice(kind="heal", values={})])) == [{"kind": "heal"}]


def test_a_choice_with_a_field_that_can_be_nothing_stands_for_no_move():
    assert list(spelled_out([Choice(kind="claim", values={"cell": ()})])) == []


def test_no_choices_stand_for_no_moves():
    assert list(spelled_out([])) == []
    assert not admits([], Claim(cell=1))


@pytest.mark.parametrize("planet", range(1, 8))
@pytest.mark.parametrize("ship", range(1, 8))
def test_a_move_is_admitted_exactly_when_it_is_spelled_out(planet, ship):
    move = Attack(planet=planet, ship=ship)
    assert admits([ATTACKS], move) == (move.model_dump() in spelled_out([ATTACKS]))


def test_kinds_with_the_same_field_are_told_apart():
    choices = [CLAIMS, CHALLENGES]
    assert admits(choices, Claim(cell=9))
    assert not admits(choices, Challenge(cell=9))
    assert admits(choices, Challenge(cell=2))
    assert not admits(choices, Claim(cell=2))
    assert not admits(choices, Pick(number=2))


def test_a_choice_that_names_other_fields_than_the_move_has_does_not_admit_it():
    assert not admits([Choice(kind="claim", values={"territory": (1,)})], Claim(cell=1))
    assert not admits([Choice(kind="claim", values={})], Claim(cell=1))


def test_a_choice_survives_the_wire():
    arrived = msgpack.unpackb(msgpack.packb(ATTACKS.model_dump()))
    assert Choice.model_validate(arrived) == ATTACKS


@pytest.mark.parametrize(
    "values",
    [{"cell": (True,)}, {"cell": ("1",)}, {"cell": (1.0,)}, {"cell": 1}, {1: (1,)}, [("cell", (1,))], None],
)
def test_a_choice_of_anything_but_whole_numbers_is_refused(values):
    with pytest.raises(ValidationError):
        Choice.model_validate({"kind": "claim", "values": values})


def test_a_choice_with_an_unknown_field_or_an_overlong_kind_is_refused():
    with pytest.raises(ValidationError):
        Choice.model_validate({"kind": "claim", "values": {}, "more": 1})
    with pytest.raises(ValidationError):
        Choice(kind="k" * 17, values={})


def test_what_is_spelled_out_can_be_parsed_again():
    for raw in spelled_out([ATTACKS]):
        move = parse_move("galaxy", raw)
        assert move is not None
        assert move.model_dump() == raw
