"""Attacks by those who have said hello, one function each: they join those of `attack.py`.

They take what a server has for everybody: room for matches, the disk, records, lists, places to watch from.
"""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable

from protocol.client_frame import Create, Export, Join, Leave, List, Ping, Resign, Watch
from protocol.limit import Limits
from protocol.link import make_code
from protocol.server_frame import Exported, Listed, Seated
from tests.e2e.attack import Target, attack, paced
from tests.e2e.client import Lost, met

EACH = 8
"""Connections of one address in the attacks that need several."""


@attack
async def waiting_matches(target: Target, address: str) -> None:
    """Open matches for nobody, one connection after the other."""
    await _again(lambda: _open_all(target, address, begin=False))


@attack
async def running_matches(target: Target, address: str) -> None:
    """Open matches, and let somebody else from the same address join each."""
    await _again(lambda: _open_all(target, address, begin=True))


async def _open_all(target: Target, address: str, begin: bool) -> None:
    host = await met(target, "Mallory", address)
    guest = await met(target, "Mallet", address) if begin else None
    for _ in range(Limits().matches_per_player):
        seated = await host.ask(Create, game="duel")
        if guest is not None and isinstance(seated, Seated):
            await guest.ask(Join, match=seated.match)
    host.cut()
    if guest is not None:
        guest.cut()


@attack
async def created_and_left(target: Target, address: str) -> None:
    """Open a match and leave it, as often as frames may be sent."""
    await asyncio.gather(*(_again(lambda: _create_and_leave(target, address)) for _ in range(EACH)))


async def _create_and_leave(target: Target, address: str) -> None:
    player = await met(target, "Mallory", address)
    async for _ in paced(Limits().frames_per_s / 2):
        seated = await player.ask(Create, game="duel")
        if isinstance(seated, Seated):
            await player.ask(Leave, match=seated.match)


@attack
async def records(target: Target, address: str) -> None:
    """Ask for records without an end: for one's own, and for those of codes that are only guessed."""
    await asyncio.gather(*(_again(lambda: _ask_for_records(target, address)) for _ in range(EACH)))


async def _ask_for_records(target: Target, address: str) -> None:
    player, guest = await met(target, "Mallory", address), await met(target, "Mallet", address)
    own = await player.ask(Create, game="duel")
    if isinstance(own, Seated):
        await guest.ask(Join, match=own.match)
        await player.ask(Resign, match=own.match)
    async for _ in paced(Limits().frames_per_s / 2):
        for code in (getattr(own, "match", "00000000"), make_code(secrets.randbelow)):
            answer = await player.ask(Export, match=code)
            while isinstance(answer, Exported) and answer.more:
                answer = await player.receive()
        guest.send(guest.request(Ping))


@attack
async def lists(target: Target, address: str) -> None:
    """Ask for the list thirty times at once, on every connection that one may have."""
    count = Limits().connections_per_address - 1
    await asyncio.gather(*(_again(lambda: _ask_for_lists(target, address)) for _ in range(count)))


async def _ask_for_lists(target: Target, address: str) -> None:
    player = await met(target, "Mallory", address)
    async for _ in paced(Limits().frames_per_s / 30):
        requests = [player.request(List) for _ in range(30)]
        for request in requests:
            player.send(request)
        await player.answer(requests[-1])


@attack
async def watchers(target: Target, address: str) -> None:
    """Watch whatever can be watched, and come and go as fast as the server answers."""
    await asyncio.gather(*(_again(lambda: _come_and_go(target, address)) for _ in range(EACH)))


async def _come_and_go(target: Target, address: str) -> None:
    player = await met(target, "Mallory", address)
    listed = await player.ask(List, live=True)
    if isinstance(listed, Listed):
        for match in listed.matches[: Limits().watched_per_player]:
            await player.ask(Watch, match=match.match)
    for _ in range(20):
        player.cut()
        await player.connect()
        await player.ask(Ping)
        await asyncio.sleep(0)


async def _again(attempt: Callable[[], Awaitable[object]]) -> None:
    """Do the same for ever, whatever the server says to it."""
    while True:
        with contextlib.suppress(Lost, OSError, AssertionError, TimeoutError, KeyError):
            await attempt()
        await asyncio.sleep(0.05)
