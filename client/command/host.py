"""Hosting: a server in this process, a match on it, and everything a friend needs to find it."""

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from client.command.person import Person, WayBack, sit
from client.core.failure import CouldNot
from client.core.games.renderer import Lines
from client.core.qr import qr_lines
from client.core.seat import Arrival
from client.core.wording import WAITING, spaced_code
from client.local.embedded import Hosted, Listening, agreed_options, hosted
from client.net import lan
from client.net.connection import Target
from client.net.session import Session
from client.net.store import Hosting, SavedSession, SessionFile
from protocol.frame import Create, First
from protocol.limit import DEFAULT_PORT
from protocol.link import Link, address_text

GONE_WITH_SERVER = "The match ends here, with its server."
KEPT = "The match is kept, but your friend must wait. The way back: conquest host --resume"
ENCRYPTED = "What goes through it is encrypted."
NOT_ENCRYPTED = "What goes through it is not encrypted: others on the way could read along."
QUIT_QUESTION = "You are the host: nobody can play on while your server is gone. Leave?"


@dataclass(frozen=True, slots=True)
class Wish:
    """The match that somebody wants to open."""

    game: str
    options: Mapping[str, str]
    first: First = "toss"
    private: bool = False
    clock_s: int | None = None
    hints: bool = False
    """Whether both players may ask the server what to play."""

    def request(self, session: Session) -> int:
        """Ask the server to open it."""
        return session.send(
            Create,
            game=self.game,
            options=agreed_options(self.game, self.options),
            first=self.first,
            private=self.private,
            clock_s=self.clock_s,
            hints=self.hints,
        )


@dataclass(frozen=True, slots=True)
class Display:
    """How the link is shown."""

    public: tuple[str, int] | None = None
    """The address and port under which the outside world reaches this machine, port 0 for the same one."""
    is_qr: bool = False
    is_ascii: bool = False


async def host(person: Person, wish: Wish, listening: Listening, display: Display) -> None:
    """Host a match and sit down in it."""
    agreed_options(wish.game, wish.options)
    own_journal = None
    if listening.db is None:
        own_journal = person.store.new_journal()
        listening = replace(listening, db=str(own_journal) if own_journal else None)
    if display.public is not None and listening.tls is None:
        # A loopback server is plain because nobody else can listen; what leads to it may be open to all.
        listening = replace(listening, tls=True)
    file = person.store.new_session_file()
    try:
        async with hosted(listening) as server:
            _say_port(person, listening, server, display)
            _say_addresses(person, server, display)
            hosting = hosting_of(listening, server, wish.private)

            def begin(session: Session) -> Arrival:
                return _arrival(server, display, hosting, wish.request(session))

            await _sit(person, server, begin, WayBack(file, hosting=hosting), own_journal, wish.private)
    finally:
        if own_journal is not None and file.load() is None:
            remove_journal(own_journal)


async def _sit(
    person: Person,
    server: Hosted,
    begin: Callable[[Session], Arrival],
    way: WayBack,
    own_journal: Path | None,
    is_private: bool,
) -> None:
    """Sit down as the host, and say goodbye to everybody else on leaving."""

    def on_left() -> None:
        # A journal of our own is removed when there is no way back to a match in it.
        is_removed = own_journal is not None and way.file is not None and way.file.load() is None
        server.leave(way.hosting is not None and not is_removed)

    async with _announced(person, server, is_private):
        # There is no way back to a server that keeps nothing.
        await sit(person, server.own, begin, way if way.hosting else None, on_left)


def _say_port(person: Person, listening: Listening, server: Hosted, display: Display) -> None:
    """Say that the usual port had to give way; refuse that where others were told to come by it."""
    if listening.port is not None or server.port == DEFAULT_PORT:
        return
    if display.public is not None:
        raise CouldNot(
            f"Port {DEFAULT_PORT} is taken, and what --public names leads there."
            " Choose another one with --port, and let it be forwarded."
        )
    person.face.say(f"Port {DEFAULT_PORT} is taken, so this server uses port {server.port}.")


def hosting_of(listening: Listening, server: Hosted, private: bool) -> Hosting | None:
    """Say how to start a server again; None when it keeps nothing that one could go back to."""
    if listening.db is None or not listening.keeps:
        return None
    return Hosting(listening.bind, server.port, listening.db, listening.tls, private)


async def resume(
    person: Person, file: SessionFile, saved: SavedSession, hosting: Hosting, display: Display
) -> None:
    """Start the server of a hosted match again, and go back to one's seat in it."""
    if not is_kept(hosting):
        file.forget()
        raise CouldNot("The hosted match to go back to was not kept.")
    own_journal = Path(hosting.db) if Path(hosting.db).parent == person.store.root else None
    async with hosted(Listening(hosting.bind, hosting.port, hosting.db, hosting.tls)) as server:
        _say_addresses(person, server, display)
        arrival = _arrival(server, display, hosting, code=saved.match)
        way = WayBack(file, saved.token, hosting)
        await _sit(person, server, lambda session: arrival, way, own_journal, hosting.private)
    if own_journal is not None and file.load() is None:
        remove_journal(own_journal)


def is_kept(hosting: Hosting) -> bool:
    """Tell whether the journal of a hosted match is still there."""
    return Path(hosting.db).exists()


def remove_journal(path: Path) -> None:
    """Remove a journal that nobody needs any more, with what belongs to it."""
    for suffix in ("", "-wal", "-shm", ".lock"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + suffix).unlink(missing_ok=True)


def _say_addresses(person: Person, server: Hosted, display: Display) -> None:
    person.face.say(*(f"Listening on {address_text(host, server.port)}" for host in server.addresses))
    if display.public is not None:
        where, port = display.public
        outside = address_text(where, port or server.port)
        here = address_text(server.addresses[0], server.port)
        person.face.say(f"The link works if {outside} leads to {here}, by port forwarding or a tunnel.")
        person.face.say(ENCRYPTED if server.fingerprint else NOT_ENCRYPTED)


async def host_elsewhere(person: Person, wish: Wish, target: Target, display: Display) -> None:
    """Open a match on a server that runs already, and sit down in it."""
    agreed_options(wish.game, wish.options)

    def begin(session: Session) -> Arrival:
        return arrival_elsewhere(session, display, request=wish.request(session))

    await sit(person, target, begin, WayBack(person.store.new_session_file()))


def arrival_elsewhere(
    session: Session, display: Display, request: int | None = None, code: str | None = None
) -> Arrival:
    """Say how one comes to a match of one's own on somebody else's server."""

    def link(code: str) -> Link:
        return link_to(session.target, display, code)

    return Arrival(request, code, on_open=lambda code: link_lines(link(code), display), link=link)


def _arrival(
    server: Hosted,
    display: Display,
    hosting: Hosting | None,
    request: int | None = None,
    code: str | None = None,
) -> Arrival:
    outside = Target(server.addresses[0], server.port, server.fingerprint)
    return Arrival(
        request,
        code,
        way_back=GONE_WITH_SERVER if hosting is None else KEPT,
        quit_question=QUIT_QUESTION,
        on_open=lambda code: link_lines(link_to(outside, display, code), display),
        link=partial(link_to, outside, display),
    )


def link_to(server: Target, display: Display, code: str) -> Link:
    """Make the link that a friend needs."""
    where, port = display.public or (server.host, 0)
    return Link(where, port or server.port, code, server.fingerprint)


def link_lines(link: Link, display: Display) -> Lines:
    """Say how a friend comes to a match that waits."""
    picture = qr_lines(str(link), display.is_ascii) if display.is_qr else ()
    code = spaced_code(link.code or "")
    return (f"Link: {link}", *picture, f"Code: {code}", f"{WAITING} /quit gives up.")


def _announced(
    person: Person, server: Hosted, is_private: bool
) -> contextlib.AbstractAsyncContextManager[None]:
    named = lan.interfaces()
    addresses = lan.announceable(server.addresses, named)
    if is_private or not addresses:
        return contextlib.nullcontext()
    return lan.announced(addresses, server.port, server.fingerprint, person.face.say, named)
