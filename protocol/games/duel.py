"""Command Line Conquer on the wire: three moves without fields, everything in the open."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.games.view import GameView
from protocol.model import Exact, Model, Pair, Seat

ID = "duel"
TITLE = "Command Line Conquer"
FULL_HP = 10
LOWEST_HP = -2
"""What a double blow leaves of a player who has just healed to 2."""

Hp = Annotated[int, Field(ge=LOWEST_HP, le=FULL_HP)]
Stance = Literal["none", "attacking", "defending", "healing", "guarded"]
"""What a player is doing: the last action taken. "guarded" is a Heal straight after a Defend."""


class Attack(Model):
    """Strike the opponent."""

    kind: Literal["attack"] = "attack"


class Defend(Model):
    """Block the opponent's next attack."""

    kind: Literal["defend"] = "defend"


class Heal(Model):
    """Regain one HP."""

    kind: Literal["heal"] = "heal"


Move = Annotated[Attack | Defend | Heal, Field(discriminator="kind")]


class View(GameView):
    """Both players' health and stances, as everybody sees them."""

    game: Literal["duel"] = "duel"
    hp: Pair[Hp]
    stances: Pair[Stance]


class Attacked(Model):
    """An attack, and what it took."""

    kind: Literal["duel.attacked"] = "duel.attacked"
    seat: Seat
    met: Stance
    """What the opponent was doing."""
    damage: Annotated[Literal[0, 2, 4], Exact]
    hp: Pair[Hp]


class Defended(Model):
    """A player prepares to block; no attack on that player's next turn."""

    kind: Literal["duel.defended"] = "duel.defended"
    seat: Seat
    hp: Pair[Hp]


class Healed(Model):
    """A player healed."""

    kind: Literal["duel.healed"] = "duel.healed"
    seat: Seat
    gained: Annotated[Literal[0, 1], Exact]
    hp: Pair[Hp]


class Won(Model):
    """The opponent is at 0 HP or below."""

    kind: Literal["duel.won"] = "duel.won"
    seat: Seat
    hp: Pair[Hp]


Event = Annotated[Attacked | Defended | Healed | Won, Field(discriminator="kind")]
