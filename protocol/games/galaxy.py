"""Galaxy Conquest on the wire: one kind of move, everything in the open."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.games.view import GameView
from protocol.model import Many, Model, Owner, Pair, Seat

ID = "galaxy"
TITLE = "Galaxy Conquest"
PLANETS = 7

Number = Annotated[int, Field(ge=1, le=PLANETS)]


class Attack(Model):
    """Send a ship against a planet."""

    kind: Literal["attack"] = "attack"
    planet: Number
    ship: Number


Move = Attack


class View(GameView):
    """The galaxy, as everybody sees it."""

    game: Literal["galaxy"] = "galaxy"
    planets: Annotated[tuple[Owner, ...], Field(strict=False, min_length=PLANETS, max_length=PLANETS)]
    """Who holds planet 1, 2, ... 7."""
    ships: Pair[Many[Number]]
    """The ships each player still has."""


class Attacked(Model):
    """A ship was spent on a planet."""

    kind: Literal["galaxy.attacked"] = "galaxy.attacked"
    seat: Seat
    planet: Number
    ship: Number
    conquered: bool


class Won(Model):
    """Four planets, or the most when all ships are spent."""

    kind: Literal["galaxy.won"] = "galaxy.won"
    seat: Seat
    reason: Literal["four_planets", "most_planets", "highest_planet"]
    planets: Pair[Many[Number]]
    """The planets each player holds at the end."""


Event = Annotated[Attacked | Won, Field(discriminator="kind")]
