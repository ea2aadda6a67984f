"""Only frames become bytes: a server's state, or anything else that holds secrets, is a TypeError instead."""

from dataclasses import dataclass
from random import Random
from typing import get_args

import pytest

from protocol import client_frame, server_frame
from protocol.choice import Choice
from protocol.client_frame import ClientFrame
from protocol.codec import encode
from protocol.games import grid
from protocol.model import Model, unchecked
from protocol.outcome import Outcome
from protocol.refusal import RefusalCode
from protocol.server_frame import Refused, ServerFrame, Shown, Told
from server.games import GAMES
from server.games.chance import Drawn

MATCH = "7K3M9QXZ"
REFUSED = Refused(re=1, code=RefusalCode.BAD_MOVE, text="No.")
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


@dataclass
class Innocent:
    """A dataclass that has a `__dict__`, unlike the states."""

    secret: int = 4


class Disguised(Refused):
    """A frame with more in it than the frame has."""

    secret: int = 4


class Unknown(Model):
    """A model that no frame speaks of."""

    secret: int = 4


def begun(game):
    return game.setup(game.agree({}), Drawn(Random(1).randrange))[0]


def shown(**fields):
    """Make a Shown around its validation, as a careless server might."""
    whole = {
        "re": None,
        "match": MATCH,
        "turn": 0,
        "legal": (),
        "first_event": 0,
        "events": (),
        "left_ms": None,
    }
    return unchecked(Shown)(**(whole | fields))


def assert_never_travels(thing):
    with pytest.raises(TypeError, match=r"^(only frames travel, not|a frame cannot hold) "):
        encode(thing)
    # What was packed before the mistake showed must not come out with the next frame.
    assert encode(REFUSED) == encode(Refused.model_validate(REFUSED.__dict__))


@every_game
def test_a_state_never_travels(game):
    assert_never_travels(begun(game))


@every_game
def test_a_state_never_travels_inside_of_a_frame(game):
    state = begun(game)
    assert_never_travels(shown(view=state))
    assert_never_travels(shown(view=game.view(state, 1), events=(state,)))
    assert_never_travels(shown(view=game.view(state, 1), legal=(state,)))
    assert_never_travels(Shown.model_construct(re=None, match=MATCH, turn=0, view=state))
    assert_never_travels(Told.model_construct(match=MATCH, first_event=0, events=[{"deep": [state]}]))
    assert_never_travels(Refused.model_construct(re=1, code=RefusalCode.BAD_MOVE, text=state))


@every_game
def test_a_view_travels_only_inside_of_a_frame(game):
    view = game.view(begun(game), 1)
    assert_never_travels(view)
    assert encode(shown(view=view))


def _short(thing):
    """Name a thing the same way in every process: by its class, not by where it lies in memory."""
    return type(thing).__name__


@pytest.mark.parametrize(
    "thing",
    [
        None,
        1,
        "text",
        b"bytes",
        [],
        {},
        {"type": "ping", "id": 1},
        object(),
        Innocent(),
        Outcome(winner=1, reason="no_hp"),
        Choice(kind="heal", values={}),
        grid.Pick(number=4),
        grid.Picked(seat=1),
        server_frame.OpenMatch(
            match=MATCH,
            game="grid",
            options={},
            creator="Bob",
            first="toss",
            clock_s=None,
            hints=False,
            age_s=0,
        ),
        Unknown(),
        Disguised(re=1, code=RefusalCode.BAD_MOVE, text="No."),
        Refused,
    ],
    ids=_short,
)
def test_what_is_no_frame_never_travels(thing):
    assert_never_travels(thing)


@pytest.mark.parametrize(
    "part",
    [
        Innocent(),
        Unknown(),
        Disguised(re=1, code=RefusalCode.BAD_MOVE, text="No."),
        grid.Pick(number=4),
        object(),
        {4},
    ],
    ids=_short,
)
def test_a_frame_holds_only_what_its_fields_speak_of(part):
    assert_never_travels(shown(view=part))
    assert_never_travels(shown(view=None, events=(grid.Picked(seat=1), part)))


def test_every_frame_of_the_modules_can_travel():
    known = {*get_args(ClientFrame), *get_args(ServerFrame)}
    declared = {
        kind
        for kind in (vars(client_frame) | vars(server_frame)).values()
        if isinstance(kind, type) and "type" in getattr(kind, "model_fields", ())
    }
    assert known == declared
