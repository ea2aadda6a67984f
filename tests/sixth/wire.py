"""Nim on the wire."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.games.view import GameView
from protocol.model import Model, Seat

ID = "nim"
TITLE = "Nim"
MOST_STICKS = 12
MOST_TAKEN = 3


class Take(Model):
    """Take some sticks off the heap."""

    kind: Literal["take"] = "take"
    sticks: Annotated[int, Field(ge=1, le=MOST_TAKEN)]


Move = Take


class View(GameView):
    """The heap, as everybody sees it."""

    game: Literal["nim"] = "nim"
    left: Annotated[int, Field(ge=0, le=MOST_STICKS)]


class Took(Model):
    """Sticks were taken."""

    kind: Literal["nim.took"] = "nim.took"
    seat: Seat
    sticks: Annotated[int, Field(ge=1, le=MOST_TAKEN)]


class Won(Model):
    """The last stick was taken."""

    kind: Literal["nim.won"] = "nim.won"
    seat: Seat


Event = Annotated[Took | Won, Field(discriminator="kind")]
