"""From a command line to what is wanted, as a value; what cannot be wanted is refused with a sentence."""

from argparse import Namespace

from client.flow.wanted import (
    ALONE,
    Display,
    GoBack,
    GoOn,
    Host,
    HostAt,
    JoinAt,
    LookBack,
    PlayHere,
    PlayTwo,
    ShowAgain,
    Terms,
    Wanted,
    WatchAt,
)
from client.local.listening import Listening
from client.net.place import Place, parse_place, parse_words
from client.net.relay import RelayAddress, parse_relay
from protocol.limit import DEFAULT_PORT
from protocol.link import BadLink, parse_address, parse_code
from protocol.process.usage import Misused

MOST_WORDS = 3
"""An address, and a code in two halves."""


def read(given: Namespace) -> Wanted | None:
    """Read what a command line asks for; raise `Misused`. None when it does not lead to a match."""
    match given.command:
        case "play" if given.two:
            return PlayTwo(given.game, terms=_terms(given), listening=_listening(given, ALONE))
        case "play":
            return PlayHere(given.game, given.bot, _terms(given), _listening(given, ALONE), given.no_delay)
        case "host":
            return _hosting(given)
        case "join" if given.resume is not None:
            return GoBack(_code(given.resume), Display(is_ascii=given.ascii))
        case "join":
            return JoinAt(*parse_words(f"{given.where} {given.code}")) if given.where else JoinAt()
        case "watch":
            return WatchAt(*parse_words(f"{given.where} {given.code}")) if given.where else WatchAt()
        case "bot" if given.join is None:
            display = Display(is_ascii=given.ascii, relay=relay_of(given))
            return Host(given.game, _terms(given), _listening(given), display)
        case "bot":
            return JoinAt(_joined_by_bot(given.join))
        case "matches":
            return GoOn()
        case "history":
            return LookBack(given.game or "", given.opponent)
        case "replay" | "review":
            return _record(given.file, given.command == "review")
    return None


def _record(file: str, is_review: bool) -> ShowAgain:
    # The rules are needed for nothing else that is wanted.
    from client.local.replay import opened
    from client.local.saved import found

    return ShowAgain(opened(found(file))[0], is_review)


def _hosting(given: Namespace) -> Host | HostAt | GoBack:
    display = Display(_public(given.public), given.qr, given.ascii, relay_of(given))
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
    return Terms(dict(given.option), given.first, given.private, given.clock, given.hints, given.watchable)


def _listening(given: Namespace, usual: Listening = Listening()) -> Listening:  # noqa: B008 (it is frozen)
    port = usual.port if given.port is None else given.port
    ssh = getattr(given, "ssh", None)
    for flag, number in (("--port", port), ("--ssh", ssh)):
        if number is not None and not 0 <= number <= 65535:
            raise Misused(f"{flag} must be from 0 to 65535.")
    return Listening(given.bind or usual.bind, port, given.db, False if given.no_tls else None, ssh)


def relay_of(given: Namespace) -> RelayAddress | None:
    """Read which relay is meant; raise `Misused`."""
    return None if given.relay is None else parse_relay(given.relay)


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
