"""Grid Conquest on the wire. The one secret is a pick, from when it is made until both are in.

No event and no other player's view has a field that could hold a standing pick.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.games.view import GameView
from protocol.model import Many, Model, Owner, Pair, Seat

ID = "grid"
TITLE = "Grid Conquest"
LARGEST_SIZE = 6
HAND = (1, 2, 3, 4, 5)

Cell = Annotated[int, Field(ge=1, le=LARGEST_SIZE**2)]
Number = Annotated[int, Field(ge=HAND[0], le=HAND[-1])]


class Claim(Model):
    """Put a marker in an empty cell."""

    kind: Literal["claim"] = "claim"
    cell: Cell


class Challenge(Model):
    """Declare a challenge for an opponent's cell."""

    kind: Literal["challenge"] = "challenge"
    cell: Cell


class Pick(Model):
    """Choose the number for the standing challenge; final, and secret until both are in."""

    kind: Literal["pick"] = "pick"
    number: Number


Move = Annotated[Claim | Challenge | Pick, Field(discriminator="kind")]


class Standing(Model):
    """A declared challenge that waits for picks."""

    cell: Cell
    challenger: Seat
    picked: Many[Seat]
    """Who has chosen already. That is public; what they chose is not."""


class View(GameView):
    """The grid as one viewer may see it."""

    game: Literal["grid"] = "grid"
    size: Annotated[int, Field(ge=2, le=LARGEST_SIZE)]
    cells: Annotated[tuple[Owner, ...], Field(strict=False, min_length=4, max_length=LARGEST_SIZE**2)]
    """Who holds cell 1, 2, ..., row by row."""
    hands: Pair[Many[Number]]
    """The numbers each player has not spent; a standing pick is not spent yet."""
    challenge: Standing | None
    pick: Number | None
    """The viewer's own standing pick."""
    sudden_death: bool


class Claimed(Model):
    """An empty cell was claimed."""

    kind: Literal["grid.claimed"] = "grid.claimed"
    seat: Seat
    cell: Cell


class Challenged(Model):
    """A challenge was declared; both players now owe a number."""

    kind: Literal["grid.challenged"] = "grid.challenged"
    seat: Seat
    cell: Cell


class Picked(Model):
    """A player has chosen a number; which one is not told."""

    kind: Literal["grid.picked"] = "grid.picked"
    seat: Seat


class Revealed(Model):
    """Both numbers were turned over and are spent."""

    kind: Literal["grid.revealed"] = "grid.revealed"
    cell: Cell
    challenger: Seat
    numbers: Pair[Number]
    owner: Seat
    """Who holds the cell after the challenge."""


class SuddenDeath(Model):
    """Cells and unused sums are level: from now on the players must challenge."""

    kind: Literal["grid.sudden_death"] = "grid.sudden_death"
    cells: Pair[int]
    sums: Pair[int]


class Refilled(Model):
    """Both hands were empty in Sudden Death; both players have all their numbers again."""

    kind: Literal["grid.refilled"] = "grid.refilled"


class Won(Model):
    """The last cell is claimed, or Sudden Death is decided."""

    kind: Literal["grid.won"] = "grid.won"
    seat: Seat
    reason: Literal["most_cells", "unused_numbers", "sudden_death"]
    cells: Pair[int]
    """How many cells each player holds."""
    sums: Pair[int]
    """The sum of each player's unused numbers."""


Event = Annotated[
    Claimed | Challenged | Picked | Revealed | SuddenDeath | Refilled | Won, Field(discriminator="kind")
]
