"""Coming to a match of somebody else's: by link, by address, by looking around, or back to one's seat."""

import asyncio
from dataclasses import dataclass

from client import lan, wording
from client.connection import Distrusted, Foreign, KnownServers, Target, Unreachable, dial
from client.failure import CouldNot, Misused
from client.line import Manner
from client.news import MatchesListed
from client.session import Session
from client.state import ClientState, reduced
from client.table import Person, WayBack, sit
from protocol.frame import Closed, Hello, Join, List, OpenMatch, Refused, Watch, Welcome
from protocol.limit import PROTOCOL_VERSION
from protocol.link import SCHEME, BadLink, parse_address, parse_code, parse_link
from protocol.text import defused

LISTING_S = 5.0
"""How long a server may take to list its matches."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to go: a server, and perhaps a match on it."""

    target: Target
    code: str | None = None


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
    matches = await listed(person.name, person.store, target)
    if not matches:
        raise CouldNot(
            f"No match waits at {target.address} just now. To join a private one, give its code as well;"
            f" to open one: conquest host --at {target.address}"
        )
    person.desk.say("Matches that wait for an opponent:")
    return await _pick(person, [(Place(target, one.match), wording.open_match_line(one)) for one in matches])


async def _choose_nearby(person: Person) -> Place:
    person.desk.say("Looking for matches on this network…")
    offers: list[tuple[Place, str]] = []
    closed: list[str] = []
    found = await lan.look_around(lan.interfaces())
    for target, matches in await asyncio.gather(*(visited(person, one) for one in found)):
        address = target.address
        offers.extend(
            (Place(target, match.match), wording.open_match_line(match, address)) for match in matches
        )
        if not matches:
            closed.append(f"{address} has no open match; a private one is joined with its code.")
    person.desk.say(*closed)
    if offers:
        return await _pick(person, offers)
    person.desk.say("No open match was found on this network.")
    return parse_words(await person.desk.ask("The link, or the address and the code, from your friend: "))


async def visited(person: Person, found: lan.Found) -> tuple[Target, tuple[OpenMatch, ...]]:
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


async def _pick(person: Person, offers: list[tuple[Place, str]]) -> Place:
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
