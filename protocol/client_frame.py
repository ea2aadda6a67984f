"""The frames that clients send: imperatives.

Every one but Hello carries an `id` of the client's choosing, and is answered by a frame whose `re` is that
id: with its effect, or with `Refused`.
"""

from typing import Annotated, Literal

from pydantic import Field

from protocol.field import ClockSeconds, Code, Count, First, Id, Options, Short, Text
from protocol.model import Model


class Hello(Model):
    """Say who is connecting; always the first frame. With a token: come back as the same player."""

    type: Literal["hello"] = "hello"
    version: int
    capabilities: Annotated[tuple[Short, ...], Field(strict=False, max_length=16)] = ()
    name: Annotated[str, Field(max_length=64)]
    token: Annotated[str, Field(max_length=64)] | None = None
    seen: Annotated[dict[Code, Count], Field(max_length=16)] = Field(default_factory=dict)
    """For each match that the client knows: how many of its events it has received."""


class Request(Model):
    """What all later client frames have."""

    id: Id


class MatchRequest(Request):
    """A request about one match."""

    match: Code


class Ping(Request):
    """Show that the client is alive."""

    type: Literal["ping"] = "ping"


class List(Request):
    """Ask which matches wait for an opponent, or which can be watched, or after one match by its code."""

    type: Literal["list"] = "list"
    match: Code | None = None
    """Only this one: it may be private, and it may have begun."""
    live: bool = False
    """Those that go on and that others may watch, instead of those that wait."""


class Create(Request):
    """Open a match and sit down in it. Repeating a Create with the same id opens no second one."""

    type: Literal["create"] = "create"
    game: Short
    options: Options = Field(default_factory=dict)
    first: First = "toss"
    private: bool = False
    """A private match is not listed; it is joined by its code."""
    clock_s: ClockSeconds | None = None
    """Seconds for each move; None for no clock."""
    hints: bool = False
    """Whether the players may have their clients work out hints; both see that they may."""
    watchable: bool = True
    """Whether others may watch."""


class Join(MatchRequest):
    """Sit down opposite the creator; the match begins."""

    type: Literal["join"] = "join"


class Watch(MatchRequest):
    """Become a spectator."""

    type: Literal["watch"] = "watch"


class Leave(MatchRequest):
    """Stop watching, take back an open match that nobody has joined, or put a finished one away."""

    type: Literal["leave"] = "leave"


class Play(MatchRequest):
    """Make a move. Repeating it with the same id gets the same answer and is applied once."""

    type: Literal["play"] = "play"
    turn: Count
    """The turn that the move answers, as last shown."""
    move: Annotated[dict[Short, int | Short], Field(max_length=8)]


class Chat(MatchRequest):
    """Say something to the opponent."""

    type: Literal["chat"] = "chat"
    text: Text


class Resign(MatchRequest):
    """Give up."""

    type: Literal["resign"] = "resign"


class CallOff(MatchRequest):
    """Offer, or agree, to end the match without a winner; or withdraw or decline it."""

    type: Literal["calloff"] = "calloff"
    agree: bool = True


class Rematch(MatchRequest):
    """Offer, or agree, to play again with seats swapped; or withdraw or decline it."""

    type: Literal["rematch"] = "rematch"
    agree: bool = True


class Claim(MatchRequest):
    """Claim the win over an opponent who has been gone longer than the grace time."""

    type: Literal["claim"] = "claim"


class Export(MatchRequest):
    """Ask for the record of a finished match."""

    type: Literal["export"] = "export"


class Depart(Request):
    """Say goodbye: this connection ends on purpose. Seats are kept, and the opponents are told."""

    type: Literal["depart"] = "depart"


ClientFrame = (
    Hello
    | Ping
    | List
    | Create
    | Join
    | Watch
    | Leave
    | Play
    | Chat
    | Resign
    | CallOff
    | Rematch
    | Claim
    | Export
    | Depart
)
