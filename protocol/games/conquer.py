"""Conquer on the wire: one kind of move, everything in the open."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.games.view import GameView
from protocol.model import Many, Model, Owner, Seat

ID = "conquer"
TITLE = "Conquer"
TERRITORIES = 7

Number = Annotated[int, Field(ge=1, le=TERRITORIES)]


class Claim(Model):
    """Take an unclaimed territory."""

    kind: Literal["claim"] = "claim"
    territory: Number


Move = Claim


class View(GameView):
    """The row of territories, as everybody sees it."""

    game: Literal["conquer"] = "conquer"
    territories: Annotated[
        tuple[Owner, ...], Field(strict=False, min_length=TERRITORIES, max_length=TERRITORIES)
    ]
    """Who holds territory 1, 2, ... 7."""


class Claimed(Model):
    """A territory was taken."""

    kind: Literal["conquer.claimed"] = "conquer.claimed"
    seat: Seat
    territory: Number


class Won(Model):
    """Three adjacent territories, or the better map when all are claimed."""

    kind: Literal["conquer.won"] = "conquer.won"
    seat: Seat
    reason: Literal["three_adjacent", "longest_chain", "most_territories"]
    chain: Many[Number]
    """The winner's whole longest chain."""


Event = Annotated[Claimed | Won, Field(discriminator="kind")]
