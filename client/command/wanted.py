"""What a player wants, as values: read from the command line here, made by the pages of the full screen.

A value may leave open which game or match it means; the face that the player looks at asks for that.
`carry_out` takes them when nothing is open any more.
"""

from argparse import Namespace
from collections.abc import Mapping
from dataclasses import dataclass, field

from client.local.listening import Listening
from client.net.connection import Target
from client.net.place import Place, parse_place
from protocol.frame import First
from protocol.limit import DEFAULT_PORT
from protocol.link import BadLink, parse_address, parse_code
from protocol.process.usage import Misused

CLOCK_S = range(5, 24 * 3600 + 1)
ALONE = Listening("127.0.0.1", 0)
"""How a server listens that is for this machine only."""
MOST_WORDS = 3
"""An address, and a code in two halves."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What is agreed about a match before it begins; raises `Misused` for a clock that there cannot be."""

    options: Mapping[str, str] = field(default_factory=dict)
    first: First = "toss"
    private: bool = False
    clock_s: int | None = None
    hints: bool = False
    """Whether both players may ask what to play."""

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


@dataclass(frozen=True, slots=True)
class Play:
    """Play against the computer, or a bot."""

    game: str
    bot: str = "normal"
    """The computer's level, or the file of a bot."""
    terms: Terms = field(default_factory=lambda: Terms(hints=True))
    listening: Listening = ALONE
    is_hasty: bool = False


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
class Join:
    """Take a seat at a match; without a place, or without a code in it, which match is open."""

    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Watch:
    """Watch a match."""

    place: Place


@dataclass(frozen=True, slots=True)
class GoBack:
    """Go back to the match that was left last, or to a certain one."""

    code: str | None = None
    display: Display = field(default_factory=Display)


Wanted = Play | Host | HostAt | Join | Watch | GoBack


def read(given: Namespace) -> Wanted | None:
    """Read what a command line asks for; raise `Misused`. None when it does not lead to a match."""
    match given.command:
        case "play":
            return Play(given.game, given.bot, _terms(given), _listening(given, ALONE), given.no_delay)
        case "host":
            return _hosting(given)
        case "join" if given.resume is not None:
            return GoBack(_code(given.resume), Display(is_ascii=given.ascii))
        case "join":
            return Join(parse_place(given.where, given.code) if given.where else None)
        case "watch":
            return Watch(parse_place(given.where, given.code))
        case "bot" if given.join is None:
            return Host(given.game, _terms(given), _listening(given), Display(is_ascii=given.ascii))
        case "bot":
            return Join(_joined_by_bot(given.join))
    return None


def _hosting(given: Namespace) -> Host | HostAt | GoBack:
    display = Display(_public(given.public), given.qr, given.ascii)
    if given.resume is not None:
        return GoBack(_code(given.resume), display)
    if given.at is not None:
        return HostAt(parse_place(given.at).target, given.game or "", _terms(given), display)
    return Host(given.game or "", _terms(given), _listening(given), display)


def _joined_by_bot(words: list[str]) -> Place:
    if len(words) > MOST_WORDS:
        raise Misused("--join takes a link, or an address and a code; give the bot before it.")
    where, *code = words
    return parse_place(where, " ".join(code))


def _terms(given: Namespace) -> Terms:
    return Terms(dict(given.option), given.first, given.private, given.clock, given.hints)


def _listening(given: Namespace, usual: Listening = Listening()) -> Listening:  # noqa: B008 (it is frozen)
    port = usual.port if given.port is None else given.port
    if port is not None and not 0 <= port <= 65535:
        raise Misused("--port must be from 0 to 65535.")
    return Listening(given.bind or usual.bind, port, given.db, False if given.no_tls else None)


def _public(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    try:
        address, port = parse_address(text)
    except BadLink as no:
        raise Misused(str(no)) from no
    # Without a port in it, the link names the port that the server listens on.
    return address, 0 if port == DEFAULT_PORT and not text.endswith(f":{DEFAULT_PORT}") else port


def _code(text: str) -> str | None:
    try:
        return parse_code(text) if text else None
    except BadLink as no:
        raise Misused(str(no)) from no
