"""`conquest host`: a server in this process, a match on it, and everything a friend needs to find it."""

import contextlib
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from client.core.failure import CouldNot
from client.core.seat import Arrival, Requests
from client.flow.link import arrival_elsewhere, link_lines, link_to, ssh_line
from client.flow.person import Person, WayBack, sit
from client.flow.wanted import Display, Host, HostAt, Terms
from client.local.hosting import Hosted, hosted_beside
from client.local.listening import Listening
from client.local.option import agreed_options
from client.net import lan
from client.net.connection import Target
from client.net.relay import parse_relay
from client.net.relayed import relayed
from client.net.session import Session
from client.net.store import Hosting, SavedSession, SessionFile
from protocol.client_frame import Create
from protocol.limit import DEFAULT_PORT
from protocol.link import address_text

if TYPE_CHECKING:
    from client.ssh.service import Service

GONE_WITH_SERVER = "The match ends here, with its server."
KEPT = "The match is kept, but your friend must wait. The way back: conquest host --resume"
ENCRYPTED = "What goes through it is encrypted."
NOT_ENCRYPTED = "What goes through it is not encrypted: others on the way could read along."
QUIT_QUESTION = "You are the host: nobody can play on while your server is gone. Leave?"


async def host(person: Person, wanted: Host) -> None:
    """Host a match and sit down in it."""
    agreed_options(wanted.game, wanted.terms.options)
    listening, display, is_private = wanted.listening, wanted.display, wanted.terms.private
    own_journal = None
    if listening.db is None:
        own_journal = person.store.new_journal()
        listening = replace(listening, db=str(own_journal) if own_journal else None)
    if (display.public or display.relay) and listening.tls is None:
        # A loopback server is plain because nobody else can listen; what leads to it may be open to all.
        listening = replace(listening, tls=True)
    file = person.store.new_session_file()
    try:
        async with _serving(person, listening, display, is_patient=False) as (server, display):
            hosting = hosting_of(listening, server, is_private, display)

            def begin(session: Session) -> Arrival:
                return _arrival(server, display, hosting, open_match(session, wanted.game, wanted.terms))

            await _sit(person, server, begin, WayBack(file, hosting=hosting), own_journal, is_private)
    finally:
        if own_journal is not None and file.load() is None:
            remove_journal(own_journal)


@contextlib.asynccontextmanager
async def _serving(
    person: Person, listening: Listening, display: Display, is_patient: bool
) -> AsyncIterator[tuple[Hosted, Display]]:
    """Run the server, with the relay and the way in by ssh that are wanted; say how one comes there."""
    async with (
        _by_ssh(person, listening, display) as (server, service),
        _relayed(person, server, display, is_patient),
    ):
        _say_port(person, listening, server, display)
        _say_addresses(person, server, display)
        if service is not None:
            person.face.say(*service.lines)
            display = replace(display, ssh=(service.host, service.port))
        yield server, display


def _by_ssh(
    person: Person, listening: Listening, display: Display
) -> contextlib.AbstractAsyncContextManager[tuple[Hosted, "Service | None"]]:
    if listening.ssh is None:
        return hosted_beside(listening, lambda server: contextlib.nullcontext())
    from client.ssh.service import Wanted, letting_in

    wanted = Wanted(listening.ssh, person.store.root, listening.bind, display.public)
    return hosted_beside(listening, lambda server: letting_in(server, wanted))


def open_match(session: Requests, game: str, terms: Terms) -> int:
    """Ask the server to open a match; return the request's id."""
    return session.send(
        Create,
        game=game,
        options=agreed_options(game, terms.options),
        first=terms.first,
        private=terms.private,
        clock_s=terms.clock_s,
        hints=terms.hints,
        watchable=terms.watchable,
    )


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


def hosting_of(listening: Listening, server: Hosted, private: bool, display: Display) -> Hosting | None:
    """Say how to start a server again; None when it keeps nothing that one could go back to."""
    if listening.db is None or not listening.keeps:
        return None
    relay = display.relay.whole if display.relay else ""
    ssh = display.ssh[1] if display.ssh else None
    return Hosting(listening.bind, server.port, listening.db, listening.tls, private, relay, ssh)


async def host_again(
    person: Person, file: SessionFile, saved: SavedSession, hosting: Hosting, display: Display
) -> None:
    """Start the server of a hosted match again, and go back to one's seat in it."""
    if not is_kept(hosting):
        file.forget()
        raise CouldNot("The hosted match to go back to was not kept.")
    own_journal = Path(hosting.db) if Path(hosting.db).parent == person.store.root else None
    if display.relay is None and hosting.relay:
        display = replace(display, relay=parse_relay(hosting.relay))
    listening = Listening(hosting.bind, hosting.port, hosting.db, hosting.tls, hosting.ssh)
    async with _serving(person, listening, display, is_patient=True) as (server, display):
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
    if display.relay is not None:
        person.face.say(f"Friends outside come through the relay {display.relay}. {ENCRYPTED}")
    if display.public is not None:
        where, port = display.public
        outside = address_text(where, port or server.port)
        here = address_text(server.addresses[0], server.port)
        person.face.say(f"The link works if {outside} leads to {here}, by port forwarding or a tunnel.")
        person.face.say(ENCRYPTED if server.fingerprint else NOT_ENCRYPTED)


def _relayed(
    person: Person, server: Hosted, display: Display, is_patient: bool
) -> contextlib.AbstractAsyncContextManager[None]:
    """Have the relay that was named, if any, lead here."""
    if display.relay is None:
        return contextlib.nullcontext()
    if server.led is None:
        raise CouldNot("A relay leads only to a server that encrypts.")
    return relayed(server.led, display.relay, person.face.say, is_patient)


async def host_elsewhere(person: Person, wanted: HostAt) -> None:
    """Open a match on a server that runs already, and sit down in it."""
    agreed_options(wanted.game, wanted.terms.options)

    def begin(session: Session) -> Arrival:
        request = open_match(session, wanted.game, wanted.terms)
        return arrival_elsewhere(session, wanted.display, request)

    await sit(person, wanted.target, begin, WayBack(person.store.new_session_file()))


def _arrival(
    server: Hosted,
    display: Display,
    hosting: Hosting | None,
    request: int | None = None,
    code: str | None = None,
) -> Arrival:
    relay = display.relay
    outside = Target(server.addresses[0], server.port, server.fingerprint)
    if relay is not None:
        outside = Target(relay.host, relay.port, server.fingerprint, relay=server.port)
    return Arrival(
        request,
        code,
        way_back=GONE_WITH_SERVER if hosting is None else KEPT,
        quit_question=QUIT_QUESTION,
        on_open=lambda code: link_lines(link_to(outside, display, code), display),
        link=partial(link_to, outside, display),
        by_ssh=partial(ssh_line, display),
    )


def _announced(
    person: Person, server: Hosted, is_private: bool
) -> contextlib.AbstractAsyncContextManager[None]:
    named = lan.interfaces()
    addresses = lan.announceable(server.addresses, named)
    if is_private or not addresses:
        return contextlib.nullcontext()
    return lan.announced(addresses, server.port, server.fingerprint, person.face.say, named)
