"""Which matches are open or live, and where one is: asked of a server, of all around, of all that are known.

Nothing is joined here, and no connection stays open. `name` is who asks, as servers want to know.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from client.core import wording
from client.core.failure import CouldNot
from client.core.state import open_matches
from client.net import lan
from client.net.connection import Distrusted, Foreign, Glance, KnownServers, Target, Unreachable, Wire, dial
from client.net.place import Place
from client.net.store import Store
from client.net.visit import visiting, whereabouts
from protocol.client_frame import Hello, List
from protocol.limit import PROTOCOL_VERSION
from protocol.link import BadLink, parse_address
from protocol.process.supervision import alongside
from protocol.refusal import RefusalCode
from protocol.server_frame import Closed, Listed, OpenMatch, Refused, Welcome
from protocol.text import defused

T = TypeVar("T")

LISTING_S = 5.0
"""How long a server may take to list its matches."""
VISIT_S = 2 * LISTING_S
"""How long it may take with all its addresses."""
LOOK_AGAIN_S = 3.0
"""How long to rest between two looks at what is open."""
KNOWN_MOST = 32
"""How many of the servers that are known are asked for a match."""
LOOKING = "Looking for matches on this network…"
NOTHING_LIVE = "No match that can be watched was found on this network or on the servers known from before."


@dataclass(frozen=True, slots=True)
class Sought:
    """What servers are asked for: what waits for an opponent, what can be watched, or one match."""

    code: str | None = None
    is_live: bool = False


WAITING, LIVE = Sought(), Sought(is_live=True)


@dataclass(frozen=True, slots=True)
class Found:
    """A match that was found, and where."""

    place: Place
    match: OpenMatch
    is_there: bool = False
    """Whether it was looked for at its server alone, which need not be named then."""

    @property
    def line(self) -> str:
        """The match in a line."""
        return wording.open_match_line(self.match, "" if self.is_there else self.place.target.address)


@dataclass(frozen=True, slots=True)
class Survey:
    """What is open, at one server or on this network, and what is to be said about it."""

    offers: tuple[Found, ...] = ()
    remarks: tuple[str, ...] = ()


async def surveys(
    name: str, store: Store, target: Target | None, sought: Sought = WAITING
) -> AsyncIterator[Survey]:
    """Tell again and again what there is, at a server or around here, until nobody listens any more."""
    if target is None:
        async with lan.Lookout(lan.interfaces()) as lookout:
            while True:
                around = await _survey_all(name, store, lookout.servers(), sought)
                yield around if around.offers else Survey((), (*around.remarks, LOOKING))
                await lookout.change(LOOK_AGAIN_S)
    while True:
        try:
            yield await survey_server(name, store, target, sought)
        except CouldNot as problem:
            yield Survey((), (str(problem),))
        await asyncio.sleep(LOOK_AGAIN_S)


async def survey_server(name: str, known: KnownServers, target: Target, sought: Sought = WAITING) -> Survey:
    """Ask a server what there is; raise `CouldNot`."""
    matches = await list_matches(name, known, target, sought)
    if matches:
        return Survey(tuple(Found(Place(target, one.match), one, is_there=True) for one in matches))
    where = whereabouts(visiting(), target.address)
    if sought.is_live:
        return Survey((), (f"No match can be watched {where} just now.",))
    nothing = f"No match waits {where} just now. To join a private one, give its code as well"
    hosting = "" if visiting() else f"; to open one: conquest host --at {target.address}"
    return Survey((), (f"{nothing}{hosting or '.'}",))


async def survey_around(name: str, store: Store, sought: Sought = WAITING) -> Survey:
    """Look around on this network once, and ask all servers there what there is."""
    return await _survey_all(name, store, await lan.look_around(lan.interfaces()), sought)


async def _survey_all(name: str, store: Store, found: Iterable[lan.Found], sought: Sought) -> Survey:
    """Ask servers that announced themselves, and for what can be watched all that are known from before.

    One that does not answer has nothing.
    """
    known = known_targets(store) if sought.is_live else []
    servers = [*(_targets(store, one) for one in found), *([target] for target in known)]
    visits = await asyncio.gather(*(_visit(name, store, targets, sought) for targets in servers))
    # A server on this network may be known from before.
    offers = {
        match.match: Found(Place(_first_met(target), match.match), match)
        for target, matches in reversed(visits)
        for match in reversed(matches)
    }
    closed = (
        f"{target.address} has no open match; a private one is joined with its code."
        for target, matches in visits
        if not (matches or sought.is_live)
    )
    return Survey(tuple(reversed(offers.values())), tuple(closed))


def _targets(known: KnownServers, found: lan.Found) -> list[Target]:
    """List the addresses of a server that was found."""
    return [
        Target(host, found.port, known.fingerprint(host, found.port) or found.fingerprint)
        for host in found.hosts
    ]


async def _visit(
    name: str, known: KnownServers, targets: Sequence[Target], sought: Sought
) -> tuple[Target, tuple[OpenMatch, ...]]:
    """Ask a server what there is, by the first of its addresses that answers."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(VISIT_S):
            for target in targets:
                with contextlib.suppress(CouldNot):
                    return target, await list_matches(name, known, target, sought)
    return targets[0], ()


def _first_met(target: Target) -> Target:
    """Forget the certificate that a server was found with: nobody but itself vouches for it.

    It is met when the player goes there, and the player is told so.
    """
    return replace(target, fingerprint=None)


async def list_matches(
    name: str, known: KnownServers, target: Target, sought: Sought = WAITING
) -> tuple[OpenMatch, ...]:
    """Ask a server for matches; raise `CouldNot`."""
    try:
        async with asyncio.timeout(LISTING_S):
            return await _ask(name, known, target, sought)
    except TimeoutError as problem:
        raise CouldNot(f"{target.address} does not answer.") from problem
    except (Unreachable, Distrusted, Foreign) as problem:
        raise CouldNot(str(problem)) from problem


async def _ask(name: str, known: KnownServers, target: Target, sought: Sought) -> tuple[OpenMatch, ...]:
    wire, _ = await dial(Glance(known), target, lambda item: None)
    try:
        wire.send(Hello(version=PROTOCOL_VERSION, name=name))
        await _answer(wire, Welcome)
        wire.send(List(id=1, match=sought.code, live=sought.is_live))
        listed = await _answer(wire, Listed)
        return () if listed is None else open_matches(listed)
    finally:
        await wire.close()


async def _answer(wire: Wire, kind: type[T]) -> T | None:
    """Wait for what was asked for, and take nothing else; None where there is no such match."""
    while True:
        match await wire.receive():
            case Refused(code=RefusalCode.NO_SUCH_MATCH):
                return None
            case Closed(text=text) | Refused(text=text):
                raise CouldNot(defused(text))
            case frame if isinstance(frame, kind):
                return frame


async def find_match(name: str, store: Store, code: str) -> Place:
    """Find the server that a match is on, by its code alone; raise `CouldNot`, saying where it is not."""
    search = _Search(name, store, code)
    async with alongside(search.run(), "search") as searching:
        either: list[asyncio.Future[Any]] = [searching, search.found]
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    if not search.found.done():
        raise CouldNot(search.nowhere())
    return search.found.result()


class _Search:
    """Servers asked for one match, all at the same time; the first that has it ends the search."""

    def __init__(self, name: str, store: Store, code: str) -> None:
        self.found: asyncio.Future[Place] = asyncio.get_running_loop().create_future()
        self._name, self._store, self._code, self._sought = name, store, code, Sought(code)
        self._known = known_targets(store)
        self._on_network = 0
        self._silent: list[str] = []

    async def run(self) -> None:
        """Ask everybody."""
        await asyncio.gather(self._ask_network(), *(self._ask_known(target) for target in self._known))

    async def _ask_network(self) -> None:
        around = await lan.look_around(lan.interfaces())
        self._on_network = len(around)
        servers = (_targets(self._store, one) for one in around)
        visits = (_visit(self._name, self._store, targets, self._sought) for targets in servers)
        for target, matches in await asyncio.gather(*visits):
            self._answered(target, matches)

    async def _ask_known(self, target: Target) -> None:
        try:
            self._answered(target, await list_matches(self._name, self._store, target, self._sought))
        except CouldNot:
            self._silent.append(target.address)

    def _answered(self, target: Target, matches: tuple[OpenMatch, ...]) -> None:
        if matches and not self.found.done():
            self.found.set_result(Place(_first_met(target), self._code))

    def nowhere(self) -> str:
        """Say where the match was looked for in vain."""
        known = [target.address for target in self._known]
        asked = f"among the servers known from before ({', '.join(known)})" if known else ""
        where = " or ".join(filter(None, (f"on this network ({self._on_network} servers)", asked)))
        silent = f" There was no answer from {', '.join(self._silent)}." if self._silent else ""
        return (
            f"Match {wording.spaced_code(self._code)} was not found {where}.{silent}"
            " Ask your friend for the whole link, or for the address as well."
        )


def known_targets(store: Store) -> list[Target]:
    """List the servers that are known from before, as many as are asked at once."""
    return [target for address in store.servers()[:KNOWN_MOST] if (target := _target(address))]


def _target(address: str) -> Target | None:
    try:
        return Target(*parse_address(address))
    except BadLink:
        return None
