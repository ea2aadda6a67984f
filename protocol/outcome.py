"""How a match ended. The end of a match is a value, or None while it goes on."""

from typing import Annotated

from pydantic import Field

from protocol.model import Model, Seat


class Outcome(Model):
    """The end of a match."""

    winner: Seat | None
    """Who won; None when nobody did: called off, capped, deserted, or out of time on both sides."""
    reason: Annotated[str, Field(max_length=32, pattern="^[a-z_]+$")]
    """Why: a word of the game's own ("four_planets"), or one that any match can have (`RESIGNED`, ...)."""


# A3: the ends that any match may have, whatever its game.
RESIGNED = "resigned"
CLOCK = "clock"
ABANDONED = "abandoned"
CALLED_OFF = "called_off"
MOVE_CAP = "move_cap"
