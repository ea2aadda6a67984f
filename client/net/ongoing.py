"""Whose turn it is in every match that was left: each server that is known from one is asked.

Nothing is joined here. A server of our own that does not run is not started to be asked.
"""

import asyncio
from collections.abc import AsyncIterator

from client.core.failure import CouldNot
from client.core.ongoing import HOSTED, NO_ANSWER, OPEN_ELSEWHERE, YOUR_TURN, Ongoing, standing
from client.net.connection import Target
from client.net.store import SavedSession, Store
from client.net.survey import KNOWN_MOST, Sought, list_matches

ASK_AGAIN_S = 10.0
"""How long to rest between two looks."""


async def ongoing(store: Store) -> list[Ongoing]:
    """List the matches in which one has a seat, those first in which it is one's turn."""
    saved = [saved for _, saved in store.sessions()][:KNOWN_MOST]
    found = await asyncio.gather(*(_asked(store, one) for one in saved))
    return sorted(found, key=lambda one: not one.standing.startswith(YOUR_TURN))


async def ongoing_again(store: Store) -> AsyncIterator[list[Ongoing]]:
    """List them again and again, until nobody listens any more."""
    while True:
        yield await ongoing(store)
        await asyncio.sleep(ASK_AGAIN_S)


async def _asked(store: Store, saved: SavedSession) -> Ongoing:
    if saved.hosting is not None and not saved.is_in_use:
        return Ongoing(saved.match, saved.game, "this machine", HOSTED)
    target = Target(saved.host, saved.port, saved.fingerprint, saved.is_plain, saved.relay)
    try:
        matches = await list_matches(saved.name, store, target, Sought(saved.match))
    except CouldNot:
        return Ongoing(saved.match, saved.game, saved.address, NO_ANSWER)
    said, opponent = standing(next(iter(matches), None), saved.seat, saved.name)
    said += OPEN_ELSEWHERE if saved.is_in_use else ""
    return Ongoing(saved.match, saved.game, saved.address, said, opponent)
