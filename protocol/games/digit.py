"""Digit Conquest on the wire. Nothing is hidden: the next card is not chosen before it is drawn."""

from typing import Annotated, Literal

from pydantic import Field

from protocol.games.view import GameView
from protocol.model import Model, Pair, Seat

ID = "digit"
TITLE = "Digit Conquest"
GOAL = 50
DIGITS = 9
COPIES = 4

Digit = Annotated[int, Field(ge=1, le=DIGITS)]
Score = Annotated[int, Field(ge=0, le=GOAL)]


class Draw(Model):
    """Choose a digit from the deck (only with the option draw=choose)."""

    kind: Literal["draw"] = "draw"
    digit: Digit


class Add(Model):
    """Add the drawn digit to the player's own score."""

    kind: Literal["add"] = "add"


class Subtract(Model):
    """Subtract the drawn digit from the opponent's score."""

    kind: Literal["subtract"] = "subtract"


Move = Annotated[Draw | Add | Subtract, Field(discriminator="kind")]


class View(GameView):
    """Scores, the drawn card and what is left in the deck, as everybody sees them."""

    game: Literal["digit"] = "digit"
    scores: Pair[Score]
    drawn: Digit | None
    """The card of the player to act; None when it is still to be chosen, and at the end."""
    deck: Annotated[
        tuple[Annotated[int, Field(ge=0, le=COPIES)], ...],
        Field(strict=False, min_length=DIGITS, max_length=DIGITS),
    ]
    """How many 1s, 2s, ... 9s are left in the deck."""


class Drew(Model):
    """A card was drawn for the player whose turn begins, or chosen by that player."""

    kind: Literal["digit.drew"] = "digit.drew"
    seat: Seat
    digit: Digit


class Added(Model):
    """The card went to the player's own score."""

    kind: Literal["digit.added"] = "digit.added"
    seat: Seat
    digit: Digit
    scores: Pair[Score]


class Subtracted(Model):
    """The card was taken from the opponent's score."""

    kind: Literal["digit.subtracted"] = "digit.subtracted"
    seat: Seat
    digit: Digit
    scores: Pair[Score]


class Discarded(Model):
    """The card fitted neither score; the turn passed by itself."""

    kind: Literal["digit.discarded"] = "digit.discarded"
    seat: Seat
    digit: Digit


class Reshuffled(Model):
    """The deck had run out and was made anew from the cards that lay open."""

    kind: Literal["digit.reshuffled"] = "digit.reshuffled"


class Won(Model):
    """Exactly 50."""

    kind: Literal["digit.won"] = "digit.won"
    seat: Seat
    scores: Pair[Score]


Event = Annotated[Drew | Added | Subtracted | Discarded | Reshuffled | Won, Field(discriminator="kind")]
