"""What arrives becomes a move, an outcome or a view only when it is exactly one."""

import pytest
from pydantic import TypeAdapter, ValidationError

from protocol.games import TITLES, Event, View, parse_move
from protocol.games.duel import Attack as Strike
from protocol.games.duel import Attacked as Struck
from protocol.games.duel import Healed
from protocol.games.galaxy import Attacked
from protocol.games.galaxy import View as GalaxyView
from protocol.model import Owner, Seat, other
from protocol.outcome import Outcome
from tests.server.games.playthrough import widest_moves

MOVES = [(game, raw) for game in TITLES for raw in widest_moves(game)]
WITH_FIELD = [(game, raw) for game, raw in MOVES if len(raw) > 1]


def test_the_numbers_of_moves_go_as_far_as_the_boards():
    highest = {name: value for _, raw in WITH_FIELD for name, value in raw.items() if name != "kind"}
    boards = {"planet": 7, "ship": 7, "territory": 7, "cell": 36, "number": 5, "digit": 9}
    assert {name: highest[name] for name in boards} == boards


@pytest.mark.parametrize(("game", "raw"), MOVES)
def test_a_move_travels_as_it_is_written(game, raw):
    move = parse_move(game, raw)
    assert move is not None
    assert move.model_dump() == raw
    assert parse_move(game, move) == move


@pytest.mark.parametrize(("game", "raw"), MOVES)
def test_a_move_with_an_extra_field_is_refused(game, raw):
    assert parse_move(game, {**raw, "seat": 1}) is None


@pytest.mark.parametrize(("game", "raw"), MOVES)
def test_a_move_without_its_kind_or_with_another_one_is_refused(game, raw):
    without = {name: value for name, value in raw.items() if name != "kind"}
    assert parse_move(game, without) is None
    for kind in ("", "Attack", "ATTACK ", "resign", b"attack", 1, True, None, ["attack"], {"kind": "attack"}):
        assert parse_move(game, {**raw, "kind": kind}) is None


@pytest.mark.parametrize(("game", "raw"), MOVES)
def test_a_move_of_one_game_is_none_in_a_game_that_does_not_know_it(game, raw):
    shapes = {(known, tuple(example)) for known, example in MOVES if example["kind"] == raw["kind"]}
    for elsewhere in TITLES:
        is_known = (elsewhere, tuple(raw)) in shapes
        assert (parse_move(elsewhere, raw) is not None) == is_known


@pytest.mark.parametrize(("game", "raw"), WITH_FIELD)
def test_only_a_whole_number_in_range_is_a_number(game, raw):
    for name in raw.keys() - {"kind"}:
        for value in (
            True,
            False,
            "3",
            3.0,
            float("nan"),
            None,
            [3],
            b"3",
            0,
            -1,
            raw[name] + 1,
            10**400,
        ):
            assert parse_move(game, {**raw, name: value}) is None
        assert parse_move(game, {**raw, name: 1}) is not None
        assert parse_move(game, {key: raw[key] for key in raw if key != name}) is None


@pytest.mark.parametrize(
    "raw", [None, 1, "attack", b"attack", [], ["attack"], {}, {1: 2}, {b"kind": "attack"}]
)
@pytest.mark.parametrize("game", TITLES)
def test_what_is_no_map_of_a_move_is_refused(game, raw):
    assert parse_move(game, raw) is None


def test_a_move_model_of_another_game_is_refused():
    assert parse_move("galaxy", Strike()) is None


@pytest.mark.parametrize("wrong", [True, False, 1.0, "1", b"1", None, 3, -1, [1]])
def test_a_seat_is_exactly_one_or_two(wrong):
    for adapter in (TypeAdapter(Seat), TypeAdapter(Owner)):
        with pytest.raises(ValidationError):
            adapter.validate_python(wrong)
    with pytest.raises(ValidationError):
        Attacked(seat=wrong, planet=1, ship=1, conquered=True)


def test_nobody_is_an_owner_but_not_a_seat():
    assert TypeAdapter(Owner).validate_python(0) == 0
    with pytest.raises(ValidationError):
        TypeAdapter(Seat).validate_python(0)


def test_the_other_seat_is_the_opponents():
    assert (other(1), other(2)) == (2, 1)


def test_the_numbers_of_an_event_are_whole_numbers_too():
    with pytest.raises(ValidationError):
        Healed(seat=1, gained=True, hp=(10, 10))
    with pytest.raises(ValidationError):
        Struck(seat=1, met="none", damage=False, hp=(10, 10))
    with pytest.raises(ValidationError):
        Struck(seat=1, met="none", damage=3, hp=(10, 10))


def test_nothing_that_travels_can_be_changed():
    outcome = Outcome(winner=1, reason="four_planets")
    with pytest.raises(ValidationError):
        outcome.winner = 2


@pytest.mark.parametrize(
    "reason", ["", "Four", "four planets", "four_planets\n", "a" * 33, 4, None, b"four_planets"]
)
def test_the_reason_of_an_outcome_is_one_plain_word(reason):
    with pytest.raises(ValidationError):
        Outcome(winner=None, reason=reason)


def test_a_view_names_its_game_and_only_that_games_fields():
    view = GalaxyView(viewer=0, to_act=(1,), planets=(0,) * 7, ships=((1,), (2,)))
    adapter = TypeAdapter(View)
    assert adapter.validate_python(view.model_dump()) == view
    for changed in (
        {"game": "conquer"},
        {"game": "chess"},
        {"picks": (1, 2)},
        {"planets": (0,) * 6},
        {"planets": (True,) * 7},
        {"viewer": 3},
        {"viewer": True},
        {"ships": ((8,), ())},
        {"ships": ((1,),)},
    ):
        with pytest.raises(ValidationError):
            adapter.validate_python({**view.model_dump(), **changed})


def test_no_two_games_share_a_kind_of_event():
    kinds = [
        choice["properties"]["kind"]["const"] for choice in TypeAdapter(Event).json_schema()["$defs"].values()
    ]
    assert len(kinds) == len(set(kinds))
    assert {kind.split(".")[0] for kind in kinds} == set(TITLES)
