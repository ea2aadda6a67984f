"""Coming to a match of somebody else's: by link, by address, by looking around, or back to one's seat."""

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass

from client import lan, wording
from client.connection import Distrusted, Foreign, KnownServers, Target, Unreachable, dial
from client.failure import CouldNot
from client.line import Manner
from client.news import MatchesListed
from client.session import Session
from client.state import ClientState, reduced
from client.table import Person, WayBack, sit
from protocol.frame import Closed, Hello, Join, List, OpenMatch, Refused, Watch, Welcome
from protocol.limit import PROTOCOL_VERSION
from protocol.link import SCHEME, BadLink, Link, parse_address, parse_code, parse_link
from protocol.text import defused
from protocol.usage import Misused

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


async def join(person: Person, place: Place | None) -> None:
    """Join a match, finding out first which one where that was not said."""
    found = await _chosen(person, place)

    def begin(session: Session) -> Manner:
        return Manner(request=session.send(Join, match=found.code))

    await sit(person, found.target, begin, WayBack(person.store.new_session_file()))


async def watch(person: Person, place: Place) -> None:
    """Watch a match."""
    if place.code is None:
        raise Misused("To watch a match, give its whole link, or an address and a code.")

    def begin(session: Session) -> Manner:
        return Manner(request=session.send(Watch, match=place.code))

    await sit(person, place.target, begin)


async def resume(person: Person, code: str) -> None:
    """Go back to the seat that was left last, or to that at a certain match."""
    wanted = _parsed_code(code) if code else None
    ways = person.store.sessions(is_hosted=False)
    fitting = [way for way in ways if wanted in (None, way[1].match)]
    if not fitting:
        raise CouldNot("There is no match to go back to." if wanted is None else _not_known(wanted))
    file, saved = fitting[0]
    target = Target(saved.host, saved.port, saved.fingerprint, saved.is_plain)
    person.desk.say(f"Going back to match {wording.spaced_code(saved.match)} at {saved.address}.")
    await sit(person, target, lambda session: Manner(code=saved.match), WayBack(file, saved.token))


def _not_known(code: str) -> str:
    return f"No way back to match {wording.spaced_code(code)} is known here."


def _parsed_code(text: str) -> str:
    try:
        return parse_code(text)
    except BadLink as no:
        raise Misused(str(no)) from no


async def _chosen(person: Person, place: Place | None) -> Place:
    """Let the player choose among the open matches, unless a match was named."""
    while place is None or place.code is None:
        if place is None:
            place = await _choose_nearby(person)
        else:
            place = await _choose_there(person, place.target)
    return place


async def _choose_there(person: Person, target: Target) -> Place:
    there = await _surveyed(person, target)
    if not there.offers:
        raise CouldNot(" ".join(there.remarks))
    person.desk.say("Matches that wait for an opponent:")
    return await _pick(person, there.offers)


async def _choose_nearby(person: Person) -> Place:
    person.desk.say(LOOKING)
    around = await _visits(person, await lan.look_around(lan.interfaces()))
    person.desk.say(*around.remarks)
    if around.offers:
        return await _pick(person, around.offers)
    person.desk.say("No open match was found on this network.")
    return parse_words(await person.desk.ask(f"{wording.FROM_FRIEND}: "))


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


async def _pick(person: Person, offers: Sequence[tuple[Place, str]]) -> Place:
    return offers[await person.desk.choose([line for _, line in offers]) - 1][0]


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
