"""What a player wants, as values: read from the command line, or made by the pages of the full screen.

A value may leave open which game or match it means; the face that the player looks at asks for that.
`carry_out` takes them when nothing is open any more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from client.core.record import Record
from client.local.listening import Listening
from client.net.connection import Target
from client.net.place import Place
from client.net.relay import RelayAddress
from protocol.field import First
from protocol.process.usage import Misused

CLOCK_S = range(5, 24 * 3600 + 1)
ALONE = Listening("127.0.0.1", 0)
"""How a server listens that is for this machine only."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed about a match before it begins; raises `Misused` for a clock that there cannot be."""

    options: Mapping[str, str] = field(default_factory=dict)
    first: First = "toss"
    private: bool = False
    clock_s: int | None = None
    hints: bool = False
    """Whether both players may ask what to play."""
    watchable: bool = True
    """Whether others may watch."""

    def __post_init__(self) -> None:
        if self.clock_s is not None and self.clock_s not in CLOCK_S:
            raise Misused(f"The clock must be from {CLOCK_S[0]} to {CLOCK_S[-1]} seconds.")


@dataclass(frozen=True, slots=True)
class Display:
    """How the link to a match is shown."""

    public: tuple[str, int] | None = None
    """The address and port under which the outside world reaches this machine, port 0 for the same one."""
    is_qr: bool = False
    is_ascii: bool = False
    relay: RelayAddress | None = None
    """The relay through which the outside world reaches this machine."""
    outside: Target | None = None
    """The server as everybody else reaches it, where this process has another way."""
    ssh: tuple[str, int] | None = None
    """Where whoever has only ssh is let in, if they are."""


@dataclass(frozen=True, slots=True)
class PlayHere:
    """Play against the computer, or a bot."""

    game: str
    bot: str = "normal"
    """The computer's level, or the file of a bot."""
    terms: Terms = field(default_factory=lambda: Terms(hints=True))
    listening: Listening = ALONE
    is_hasty: bool = False


@dataclass(frozen=True, slots=True)
class PlayTwo:
    """Play against somebody at the same keyboard."""

    game: str = ""
    """Empty where it is open."""
    other: str = ""
    """The other player's name; empty where it is open."""
    terms: Terms = field(default_factory=lambda: Terms(hints=True))
    listening: Listening = ALONE


@dataclass(frozen=True, slots=True)
class Host:
    """Start a server here and open a match on it."""

    game: str = ""
    """Empty where it is open."""
    terms: Terms = field(default_factory=Terms)
    listening: Listening = field(default_factory=Listening)
    display: Display = field(default_factory=Display)


@dataclass(frozen=True, slots=True)
class HostAt:
    """Open a match on a server that runs already."""

    target: Target
    game: str = ""
    """Empty where it is open."""
    terms: Terms = field(default_factory=Terms)
    display: Display = field(default_factory=Display)


@dataclass(frozen=True, slots=True)
class JoinAt:
    """Take a seat at a match; without a code it is open which one."""

    place: Place | None = None
    code: str | None = None
    """The code where nothing else is known."""


@dataclass(frozen=True, slots=True)
class WatchAt:
    """Watch a match; without a code it is open which one."""

    place: Place | None = None
    code: str | None = None
    """The code where nothing else is known."""


@dataclass(frozen=True, slots=True)
class GoBack:
    """Go back to the match that was left last, or to a certain one."""

    code: str | None = None
    display: Display = field(default_factory=Display)


@dataclass(frozen=True, slots=True)
class GoOn:
    """See the matches that go on, to go back to one of them."""


@dataclass(frozen=True, slots=True)
class LookBack:
    """Look back on the matches that were played here: all, those of a game, or those against somebody."""

    game: str = ""
    opponent: str = ""


@dataclass(frozen=True, slots=True)
class ShowAgain:
    """Step through a finished match, perhaps with what the computer makes of each move."""

    record: Record
    is_review: bool = False


Wanted = PlayHere | PlayTwo | Host | HostAt | JoinAt | WatchAt | GoBack | GoOn | LookBack | ShowAgain
