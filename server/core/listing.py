"""The list of matches that wait for an opponent, or that can be watched: packed once for all who ask.

A page is made anew when somebody asks and a match or a player has come or gone since, or a second has passed.
"""

from collections import Counter

from protocol.client_frame import List
from protocol.codec import begin_frame, framed, pack, pack_plain
from protocol.server_frame import Listed, OpenMatch
from server.core import find, tell
from server.core.match import Match
from server.core.refuse import require
from server.core.session import Session
from server.core.world import World

LISTED = 64
LISTED_EACH = 8
"""So many places are sure for each origin when there are more matches than places."""
FRESH_S = 1.0
_MATCHES, _RE = map(pack_plain, ("matches", "re"))


def list_matches(world: World, session: Session, request: List) -> None:
    """Answer with the matches that wait for an opponent, or can be watched, or with the one asked for."""
    if request.match is None:
        require(world.budget.lists.take(session.origin, world.now))
        page = _page(world, request.live)
    else:
        page = _packed(world, [find.guessed(world, request.match, session)])
    tell.send_packed(world, (session.id,), framed(page + _RE + pack_plain(request.id)))


def _page(world: World, is_live: bool) -> bytes:
    made_at, page = world.pages.get(is_live, (0.0, b""))
    if not page or world.now - made_at >= FRESH_S:
        page = _packed(world, _live(world) if is_live else _waiting(world))
        world.pages[is_live] = world.now, page
    return page


def _packed(world: World, found: list[Match]) -> bytes:
    """Pack all of a page but the id of the request that it answers."""
    shown = [pack(_listed(match, world.now)) for match in reversed(_chosen(world, found))]
    return begin_frame(Listed, _MATCHES, shown, {"type": "listed", "total": len(found)})


def _chosen(world: World, found: list[Match]) -> list[Match]:
    """Choose the newest; when not all have a place, then those of one origin are not all there is to see."""
    if len(found) <= LISTED:
        return found
    counts: Counter[str] = Counter()
    sure: list[str] = []
    others: list[str] = []
    for match in reversed(found):
        origin = world.budget.matches.origin(match.code)
        counts[origin] += 1
        (sure if counts[origin] <= LISTED_EACH else others).append(match.code)
    codes = {*[*sure, *others][:LISTED]}
    return [match for match in found if match.code in codes]


def _waiting(world: World) -> list[Match]:
    return [
        match
        for match in map(world.matches.__getitem__, world.budget.waiting)
        if not match.terms.private and world.is_present(match.creator)
    ]


def _live(world: World) -> list[Match]:
    """List the matches that go on for all to see, as long as one of the players is there."""
    return [
        match
        for match in map(world.matches.__getitem__, world.budget.matches)
        if match.is_running()
        and match.terms.watchable
        and not (match.terms.private or match.is_frozen)
        and any(world.is_present(session) for session in match.members())
    ]


def _listed(match: Match, now: float) -> OpenMatch:
    return OpenMatch(
        match=match.code,
        game=match.terms.game.id,
        options=match.terms.options,
        creator=match.names[0],
        first=match.terms.first,
        clock_s=match.terms.clock_s,
        hints=match.terms.hints,
        age_s=max(0, int(now - match.created_at)),
        names=None if match.seats is None else match.names,
        to_act=tuple(sorted(match.owed_by)) if match.is_running() else (),
    )
