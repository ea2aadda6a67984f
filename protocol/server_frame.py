"""The frames that servers send: they say what has happened.

Nothing here has room for another player's secret.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.choice import Choice
from protocol.field import ClockSeconds, Code, Count, First, Id, Offer, Options, Short, Text
from protocol.games import Event, View
from protocol.limit import ARRAY_LEN
from protocol.model import Many, Model, Owner, Pair, Seat
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode


class Welcome(Model):
    """The answer to Hello. What the client's matches look like now follows at once."""

    type: Literal["welcome"] = "welcome"
    version: int
    capabilities: Many[Short]
    server: Short
    """The server's software and version."""
    name: Short
    """The player's name, as everybody will see it."""
    token: Short
    """The way back for the next connection; the one that was used is void from the client's next frame on."""
    heartbeat_s: int
    dead_s: int
    matches: Many[Code]
    """The matches in which the player has a seat."""


class Refused(Model):
    """A polite no; what was asked for was not done."""

    type: Literal["refused"] = "refused"
    re: Count
    """The id of the request; 0 for Hello."""
    code: Annotated[RefusalCode, Field(strict=False)]
    text: Text


class Closed(Model):
    """The last frame of a connection."""

    type: Literal["closed"] = "closed"
    code: Annotated[CloseCode, Field(strict=False)]
    text: Text
    kept: bool = True
    """Whether the player's matches are still there after it; False when they end with their server."""


class Noticed(Model):
    """News about the server itself: it cannot save, it can again, it is about to stop."""

    type: Literal["noticed"] = "noticed"
    code: Literal["cannot_save", "saving_again", "stopping"]
    text: Text


class Ponged(Model):
    """The answer to Ping."""

    type: Literal["ponged"] = "ponged"
    re: Id


class OpenMatch(Model):
    """A match that waits for an opponent, or one that has begun: to be watched, or asked for by its code."""

    match: Code
    game: Short
    options: Options
    creator: Short
    first: First
    clock_s: ClockSeconds | None
    hints: bool
    age_s: Count
    names: Pair[Short] | None = None
    """Player 1's and Player 2's, once it has begun."""
    to_act: Many[Seat] = ()
    """The seats that owe a move."""


class Listed(Model):
    """The matches that are not private, newest first: open or live ones; or the one that was asked for."""

    type: Literal["listed"] = "listed"
    re: Id
    matches: Annotated[tuple[OpenMatch, ...], Field(strict=False, max_length=64)]
    total: Count
    """How many there are; only so many fit."""


class Seated(Model):
    """A match and the receiver's place in it: after Create, Join, Watch, an agreed rematch, and on return."""

    type: Literal["seated"] = "seated"
    re: Id | None
    match: Code
    game: Short
    options: Options
    seat: Owner
    """The receiver's seat; 0 for a spectator, and for a creator until the match begins."""
    names: Pair[Short]
    """Player 1's and Player 2's name; before the match begins the creator's and an empty one."""
    present: Pair[bool]
    """Who is connected."""
    begun: bool
    first: First
    private: bool
    clock_s: ClockSeconds | None
    hints: bool
    score: Pair[Count]
    """Wins so far between these two in this series, Player 1's first."""
    spectators: Count
    previous: Code | None
    """The match that this one is a rematch of."""


class Shown(Model):
    """A match as the receiver may see it now, and what has happened since the last frame about it."""

    type: Literal["shown"] = "shown"
    re: Id | None
    match: Code
    turn: Count
    """What a move must echo."""
    view: View
    legal: Many[Choice]
    """What the receiver may play now."""
    first_event: Count
    """The number of the first event below; events are numbered from 0 in each match."""
    events: Annotated[tuple[Event, ...], Field(strict=False, max_length=ARRAY_LEN)]
    left_ms: Count | None
    """What is left on the clock of those who owe a move; None without a clock."""


class Told(Model):
    """Earlier events, for a viewer who missed them. More of them, or a Shown, follow."""

    type: Literal["told"] = "told"
    match: Code
    first_event: Count
    events: Annotated[tuple[Event, ...], Field(strict=False, max_length=ARRAY_LEN)]


class Ended(Model):
    """A match is over."""

    type: Literal["ended"] = "ended"
    re: Id | None
    match: Code
    outcome: Outcome
    score: Pair[Count]
    """Wins in this series, this match included."""


class Sighted(Model):
    """A player's connection was lost, or is back."""

    type: Literal["sighted"] = "sighted"
    match: Code
    seat: Seat
    present: bool
    claim_in_s: Count | None
    """For an absent player: in how many seconds the opponent may claim the win."""
    on_purpose: bool = False
    """Whether the player has just said goodbye."""


class Offered(Model):
    """An offer was made, or no longer stands."""

    type: Literal["offered"] = "offered"
    re: Id | None
    match: Code
    offer: Offer
    seat: Seat
    standing: bool


class Chatted(Model):
    """Somebody said something."""

    type: Literal["chatted"] = "chatted"
    re: Id | None
    match: Code
    seat: Seat
    text: Text


class Watched(Model):
    """The number of spectators has changed."""

    type: Literal["watched"] = "watched"
    match: Code
    count: Count


class Left(Model):
    """The receiver is out of the match: by a Leave, or because it was put away (`re` is None then)."""

    type: Literal["left"] = "left"
    re: Id | None
    match: Code


class Turned(Model):
    """One line of a finished match's record."""

    seat: Seat
    move: dict[Short, int | Short]
    chance: Many[Count]
    """What chance answered while the move was carried out."""
    at: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    """When, in seconds since 1970."""


class Exported(Model):
    """A piece of a finished match's record; the last piece has `more` false."""

    type: Literal["exported"] = "exported"
    re: Id
    match: Code
    game: Short
    options: Options
    names: Pair[Short]
    chance: Many[Count]
    """What chance answered when the game was set up."""
    outcome: Outcome
    first: Count
    """The number of the first move below."""
    moves: Annotated[tuple[Turned, ...], Field(strict=False, max_length=ARRAY_LEN)]
    more: bool


ServerFrame = (
    Welcome
    | Refused
    | Closed
    | Noticed
    | Ponged
    | Listed
    | Seated
    | Shown
    | Told
    | Ended
    | Sighted
    | Offered
    | Chatted
    | Watched
    | Left
    | Exported
)
