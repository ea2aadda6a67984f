"""Coming to a match of somebody else's: by link, by address, by looking around, or back to our seat."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from client.command import back
from client.command.host import Display
from client.command.person import Person, WayBack, sit
from client.core import wording
from client.core.failure import CouldNot
from client.core.news import MatchesListed
from client.core.seat import Arrival
from client.core.state import ClientState, reduced
from client.net import lan
from client.net.connection import Distrusted, Foreign, KnownServers, Target, Unreachable, dial
from client.net.session import Session
from client.net.store import SavedSession, Store, Way
from protocol.frame import Closed, Hello, Join, List, OpenMatch, Refused, Watch, Welcome
from protocol.limit import PROTOCOL_VERSION
from protocol.link import SCHEME, BadLink, Link, parse_address, parse_code, parse_link
from protocol.process.usage import Misused
from protocol.text import defused

if TYPE_CHECKING:
    from client.line.terminal import Terminal

LISTING_S = 5.0
"""How long a server may take to list its matches."""
LOOK_AGAIN_S = 3.0
"""How long to rest between two looks at what is open."""
LOOKING = "Looking for matches on this network…"


@dataclass(frozen=True, slots=True)
class Survey:
    """What is open, at one server or on this network, and what is to be said about it."""

    offers: tuple[tuple["Place", str], ...] = ()
    """Where to go, and what there is."""
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """Where to go: a server, and perhaps a match on it."""

    target: Target
    code: str | None = None

    @property
    def link(self) -> str:
        """The link that leads there."""
        return str(Link(self.target.host, self.target.port, self.code, self.target.fingerprint))


def parse_place(where: str, code: str | None = None) -> Place:
    """Read a link, or an address and a code; raise `Misused`."""
    try:
        if where.lower().startswith(SCHEME):
            link = parse_link(where)
            target = Target(link.host, link.port, link.fingerprint)
            return Place(target, parse_code(code) if code else link.code)
        host, port = parse_address(where)
        return Place(Target(host, port), parse_code(code) if code else None)
    except BadLink as no:
        raise Misused(str(no)) from no


def parse_words(text: str) -> Place:
    """Read a link, or an address and a code, from one line."""
    words = text.split(maxsplit=1)
    if not words:
        raise Misused("Nothing was given to go to.")
    return parse_place(*words)


async def choose_and_join(person: Person, terminal: "Terminal", place: Place | None) -> None:
    """Join a match, finding out first which one where that was not said."""
    left = person.store.way_back(time.time()) if place is None else None
    found = await _chosen(person, terminal, place, left)
    if found is not None:
        await join(person, found)
    elif left is not None:
        await back.go_back(person, left, Display())


async def join(person: Person, place: Place) -> None:
    """Take a free seat at a match, or the one again that is ours."""
    if (way := own_seat(person.store, place)) is not None:
        known = place.target if place.target.fingerprint else None
        await back.go_back(person, way, Display(), known)
        return

    def begin(session: Session) -> Arrival:
        return Arrival(request=session.send(Join, match=place.code))

    await sit(person, place.target, begin, WayBack(person.store.new_session_file()))


def own_seat(store: Store, place: Place) -> Way | None:
    """Find the seat at a match that was ours, and that no other process of ours sits on."""
    for way in store.sessions():
        saved = way[1]
        if not saved.is_in_use and saved.leads_to(place.code or "") and _is_there(saved, place.target):
            return way
    return None


def _is_there(saved: SavedSession, target: Target) -> bool:
    """Tell whether a seat is at a server, which may have several addresses but has one certificate."""
    if saved.hosting is not None:
        return False
    if saved.fingerprint and target.fingerprint:
        return saved.fingerprint == target.fingerprint
    return (saved.host, saved.port) == (target.host, target.port)


async def watch(person: Person, place: Place) -> None:
    """Watch a match."""
    if place.code is None:
        raise Misused("To watch a match, give its whole link, or an address and a code.")

    def begin(session: Session) -> Arrival:
        request = session.send(Watch, match=place.code)
        return Arrival(request, way_back="", on_open=lambda code: (wording.NOT_BEGUN_YET,))

    await sit(person, place.target, begin)


async def _chosen(
    person: Person, terminal: "Terminal", place: Place | None, left: Way | None
) -> Place | None:
    """Let the player choose among the open matches, unless a match was named; None for the one left."""
    if place is None:
        place = await _choose_nearby(person, terminal, left)
    if place is not None and place.code is None:
        place = await _choose_there(person, terminal, place.target)
    return place


async def _choose_there(person: Person, terminal: "Terminal", target: Target) -> Place:
    there = await _surveyed(person, target)
    if not there.offers:
        raise CouldNot(" ".join(there.remarks))
    terminal.say("Matches that wait for an opponent:")
    return there.offers[await terminal.choose([line for _, line in there.offers]) - 1][0]


async def _choose_nearby(person: Person, terminal: "Terminal", left: Way | None) -> Place | None:
    terminal.say(LOOKING)
    around = await _visits(person, await lan.look_around(lan.interfaces()))
    terminal.say(*around.remarks)
    zeroth = back.offer(left)
    if around.offers:
        number = await terminal.choose([line for _, line in around.offers], zeroth)
        return around.offers[number - 1][0] if number else None
    terminal.say("No open match was found on this network.")
    if zeroth is None:
        return parse_words(await terminal.ask(f"{wording.FROM_FRIEND}: "))
    terminal.say(f"0. {zeroth}")
    answer = await terminal.ask(f"{wording.FROM_FRIEND}; or 0: ")
    return parse_words(answer) if answer != "0" else None


async def surveys(person: Person, place: Place | None) -> AsyncIterator[Survey]:
    """Tell again and again what is open, at a server or on this network, until nobody listens any more."""
    if place is None:
        async with lan.Lookout(lan.interfaces()) as lookout:
            while True:
                around = await _visits(person, lookout.servers())
                yield around if around.offers else Survey((), (*around.remarks, LOOKING))
                await lookout.change(LOOK_AGAIN_S)
    while True:
        try:
            yield await _surveyed(person, place.target)
        except CouldNot as problem:
            yield Survey((), (str(problem),))
        await asyncio.sleep(LOOK_AGAIN_S)


async def _surveyed(person: Person, target: Target) -> Survey:
    matches = await listed(person.name, person.store, target)
    if matches:
        return Survey(tuple((Place(target, one.match), wording.open_match_line(one)) for one in matches))
    nothing = (
        f"No match waits at {target.address} just now. To join a private one, give its code as well;"
        f" to open one: conquest host --at {target.address}"
    )
    return Survey((), (nothing,))


async def _visits(person: Person, found: Iterable[lan.Found]) -> Survey:
    visits = await asyncio.gather(*(_visited(person, one) for one in found))
    offers = (
        (Place(target, match.match), wording.open_match_line(match, target.address))
        for target, matches in visits
        for match in matches
    )
    closed = (
        f"{target.address} has no open match; a private one is joined with its code."
        for target, matches in visits
        if not matches
    )
    return Survey(tuple(offers), tuple(closed))


async def _visited(person: Person, found: lan.Found) -> tuple[Target, tuple[OpenMatch, ...]]:
    """Ask a server that was found what is open there, by the first of its addresses that answers."""
    targets = [
        Target(host, found.port, person.store.fingerprint(host, found.port) or found.fingerprint)
        for host in found.hosts
    ]
    for target in targets:
        try:
            return target, await listed(person.name, person.store, target)
        except CouldNot:
            continue
    return targets[0], ()


async def listed(name: str, known: KnownServers, target: Target) -> tuple[OpenMatch, ...]:
    """Ask a server which matches wait for an opponent; raise `CouldNot`."""
    try:
        async with asyncio.timeout(LISTING_S):
            return await _list(name, known, target)
    except TimeoutError as problem:
        raise CouldNot(f"{target.address} does not answer.") from problem
    except (Unreachable, Distrusted, Foreign) as problem:
        raise CouldNot(str(problem)) from problem


async def _list(name: str, known: KnownServers, target: Target) -> tuple[OpenMatch, ...]:
    wire, _ = await dial(known, target, lambda item: None)
    state = ClientState()
    try:
        wire.send(Hello(version=PROTOCOL_VERSION, name=name))
        while True:
            frame = await wire.receive()
            if isinstance(frame, Closed | Refused):
                raise CouldNot(defused(frame.text))
            if isinstance(frame, Welcome):
                wire.send(List(id=1))
            state, heard = reduced(state, frame)
            for item in heard:
                if isinstance(item, MatchesListed):
                    return item.matches
    finally:
        await wire.close()
