"""The pictures in docs/ show the code as it is."""

from tools.picture.house import PLACES, rooms
from tools.picture.path import PATH, traced, walked


def test_every_room_has_its_place_in_the_house():
    assert PLACES.keys() == rooms().keys()


def test_a_real_move_takes_the_path_of_the_picture():
    expected = [(step.file, step.function, not step.carrier) for step in PATH]
    assert walked(traced()) == expected
