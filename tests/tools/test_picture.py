"""The pictures in docs/ show the code as it is."""

import pytest

from tools.picture.__main__ import PICTURES
from tools.picture.drawing import ROOT
from tools.picture.house import PLACES, rooms
from tools.picture.path import PATH, traced, walked


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_would_be_drawn_now(name):
    assert (ROOT / name).read_text(encoding="utf-8") == PICTURES[name](), "draw it anew: make pictures"


def test_every_room_has_its_place_in_the_house():
    assert PLACES.keys() == rooms().keys()


def test_a_real_move_takes_the_path_of_the_picture():
    expected = [(step.file, step.function, not step.carrier) for step in PATH]
    assert walked(traced()) == expected
