"""What a client has to tell its player, as small values.

Line mode turns news into sentences and the full screen into what it draws; an automatic player acts on it.
Remote text in it has been defused already.
"""

from dataclasses import dataclass

from client.core.record import Record
from protocol.field import Offer
from protocol.games import Event
from protocol.model import Seat
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode


@dataclass(frozen=True, slots=True)
class Welcomed:
    """The server took us in."""

    is_back: bool
    """Whether it knew us from an earlier connection."""
    matches: tuple[str, ...]
    """The matches in which we have a seat."""


@dataclass(frozen=True, slots=True)
class ConnectionLost:
    """The connection is gone and will be tried again."""

    retry_in_s: float
    waited_s: float
    """How long we have been trying, this wait not included."""
    why: CloseCode | None = None
    """Why the server ended it, if it said so."""


@dataclass(frozen=True, slots=True)
class SessionOver:
    """There is no connection and none will be tried: the text says why and what to do."""

    text: str
    code: CloseCode | RefusalCode | None = None


@dataclass(frozen=True, slots=True)
class CertificateRemembered:
    """A server was met for the first time; its certificate is known from now on."""

    address: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class NotEncrypted:
    """A server that we knew nothing about speaks without encryption."""

    address: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """A request was not carried out."""

    request: int
    code: RefusalCode
    text: str


@dataclass(frozen=True, slots=True)
class RequestLost:
    """The connection broke before a request was answered; asking twice could do it twice."""

    kind: str


@dataclass(frozen=True, slots=True)
class Notice:
    """News about the server itself, or about what this client could not do for itself."""

    text: str


@dataclass(frozen=True, slots=True)
class MatchNews:
    """What all news about one match has."""

    match: str


@dataclass(frozen=True, slots=True)
class MatchOpened(MatchNews):
    """A match waits for its second player."""


@dataclass(frozen=True, slots=True)
class MatchBegan(MatchNews):
    """Both players sit; a first position follows."""


@dataclass(frozen=True, slots=True)
class MatchResumed(MatchNews):
    """We are back in a match that has begun before; what was missed and the position follow."""


@dataclass(frozen=True, slots=True)
class EventsHappened(MatchNews):
    """Events that were not told before, in order."""

    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class PositionShown(MatchNews):
    """The match's view, turn and legal moves are now those in the state."""

    request: int | None
    """The request that this answers, if it was ours."""


@dataclass(frozen=True, slots=True)
class MatchEnded(MatchNews):
    """The match is over."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class PlayerLost(MatchNews):
    """A player is not connected."""

    seat: Seat
    claim_in_s: int | None
    was_there: bool = True
    """Whether they were there until now; else they were gone already when we came."""
    on_purpose: bool = False
    """Whether they have said goodbye."""


@dataclass(frozen=True, slots=True)
class PlayerBack(MatchNews):
    """A player's connection is back."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ClaimDue(MatchNews):
    """The opponent has stayed away for so long that the win can be claimed from now on."""


@dataclass(frozen=True, slots=True)
class TimeShort(MatchNews):
    """A move of ours is due, and its time gets short."""

    left_s: float


@dataclass(frozen=True, slots=True)
class OfferMade(MatchNews):
    """A player offers to call the match off, or to play again."""

    offer: Offer
    seat: Seat


@dataclass(frozen=True, slots=True)
class OfferGone(MatchNews):
    """An offer was withdrawn or declined."""

    offer: Offer
    seat: Seat


@dataclass(frozen=True, slots=True)
class ChatArrived(MatchNews):
    """Somebody said something, perhaps ourselves."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class SpectatorsChanged(MatchNews):
    """The number of spectators has changed."""

    count: int


@dataclass(frozen=True, slots=True)
class MatchLeft(MatchNews):
    """We are out of the match."""

    is_ours: bool
    """Whether we asked for it."""


@dataclass(frozen=True, slots=True)
class RecordArrived(MatchNews):
    """The whole record of a finished match."""

    record: Record


News = (
    Welcomed
    | ConnectionLost
    | SessionOver
    | CertificateRemembered
    | NotEncrypted
    | Refusal
    | RequestLost
    | Notice
    | MatchOpened
    | MatchBegan
    | MatchResumed
    | EventsHappened
    | PositionShown
    | MatchEnded
    | PlayerLost
    | PlayerBack
    | ClaimDue
    | TimeShort
    | OfferMade
    | OfferGone
    | ChatArrived
    | SpectatorsChanged
    | MatchLeft
    | RecordArrived
)
