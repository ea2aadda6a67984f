"""What can be agreed before a match and how anything else is refused, and values that cannot change."""

from dataclasses import FrozenInstanceError, replace

import pytest

from server.games import GAMES
from server.games.game import Illegal, immutable


@pytest.mark.parametrize(
    ("game", "options"),
    [("galaxy", {}), ("conquer", {}), ("grid", {"size": "3"}), ("digit", {"draw": "random"}), ("duel", {})],
)
def test_without_a_choice_a_game_is_played_as_in_its_book(game, options):
    assert GAMES[game].agree({}) == options


@pytest.mark.parametrize("game", GAMES)
def test_every_allowed_value_can_be_agreed(game):
    for name, option in GAMES[game].options.items():
        assert option.default in option.allowed
        assert option.about
        for value in option.allowed:
            assert GAMES[game].agree({name: value})[name] == value


@pytest.mark.parametrize("size", ["1", "7", "03", " 3", "", "three", "-3", "3.0", "٣"])
def test_R5_another_size_is_refused_with_the_sizes_there_are(size):
    with pytest.raises(Illegal) as refusal:
        GAMES["grid"].agree({"size": size})
    assert str(refusal.value) == f"The option size cannot be {size!r}; it can be 2, 3, 4, 5, 6."


def test_C1_another_way_of_drawing_is_refused_with_the_ways_there_are():
    with pytest.raises(Illegal) as refusal:
        GAMES["digit"].agree({"draw": "peek"})
    assert str(refusal.value) == "The option draw cannot be 'peek'; it can be random, choose."


@pytest.mark.parametrize(
    ("game", "sentence"),
    [
        ("galaxy", "Galaxy Conquest has no option 'speed'; it has none."),
        ("grid", "Grid Conquest has no option 'speed'; it has size (2|3|4|5|6)."),
        ("digit", "Digit Conquest has no option 'speed'; it has draw (random|choose)."),
    ],
)
def test_an_unknown_option_is_refused_with_those_there_are(game, sentence):
    with pytest.raises(Illegal) as refusal:
        GAMES[game].agree({"speed": "fast"})
    assert str(refusal.value) == sentence


@immutable
class Point:
    x: int
    y: int = 7


def test_an_immutable_value_is_made_by_place_or_name_and_compares_by_value():
    assert Point(1) == Point(x=1, y=7) == replace(Point(2), x=1)
    assert hash(Point(1)) == hash(Point(1, 7))
    assert repr(Point(1)) == "Point(x=1, y=7)"


def test_an_immutable_value_cannot_be_changed_or_added_to():
    point = Point(1)
    for name in ("x", "z"):
        with pytest.raises((FrozenInstanceError, TypeError)):
            setattr(point, name, 2)
    with pytest.raises(FrozenInstanceError):
        del point.y
    assert point == Point(1)
    assert not hasattr(point, "__dict__")


def test_an_immutable_value_needs_its_fields_and_takes_no_others():
    for bad in ({}, {"x": 1, "z": 2}):
        with pytest.raises(TypeError):
            Point(**bad)
