"""Requests that bring players together: list, create, join, leave."""

from collections.abc import Callable

from protocol.client_frame import Create, Join, Leave, List
from protocol.games import TITLES
from protocol.refusal import RefusalCode
from server.core import find, lifecycle, listing, tell, visible, watch
from server.core.match import Match
from server.core.refuse import NO_ROOM_TEXT, Refuse, require, require_seat_left
from server.core.session import Session
from server.core.terms import Terms
from server.core.world import World
from server.games.game import Illegal


def create(world: World, session: Session, request: Create) -> None:
    """Open a match and seat its creator."""
    for code in session.seated:
        match = world.matches[code]
        if match.creator == session.id and match.create_id == request.id and match.previous is None:
            tell.show_terms(world, match, session.id, request.id)
            return
    require_seat_left(world, session)
    try:
        terms = Terms.from_request(request)
    except KeyError:
        games = ", ".join(TITLES)
        raise Refuse(RefusalCode.NO_SUCH_GAME, f"There is no such game; the games are {games}.") from None
    except Illegal as no:
        raise Refuse(RefusalCode.BAD_OPTION, str(no)) from None
    _require_room(world, session.origin)
    match = lifecycle.new_match(world, terms, session.id, session.name, request.id)
    world.effects.writes.append(match.create())
    lifecycle.enter(world, match, session.origin)
    lifecycle.seat(world, match, session)
    world.effects.note("created", game=terms.game.id, private=terms.private)
    tell.show_terms(world, match, session.id, request.id)


def _require_room(world: World, origin: str) -> None:
    budget = world.budget
    if budget.matches.count(origin) >= budget.matches.most_each:
        text = "Your address has as many open matches as one can have; finish one first."
        raise Refuse(RefusalCode.TOO_MANY_MATCHES, text)
    require(budget.creates.take(origin, world.now))
    if not lifecycle.make_room(world, origin):
        raise Refuse(RefusalCode.TOO_MANY_MATCHES, NO_ROOM_TEXT)


def join(world: World, session: Session, request: Join) -> None:
    """Take the seat opposite the creator's, which begins the match."""
    match = find.guessed(world, request.match, session)
    if match.seat_of(session.id) is not None:
        # The answer to an earlier Join was lost; the seat is theirs already.
        tell.show_whole(world, match, session.id, request.id)
        return
    if session.id == match.creator:
        raise Refuse(RefusalCode.ALREADY_SEATED, "This is your own match; somebody else must join it.")
    if match.seats is not None:
        raise Refuse(RefusalCode.MATCH_FULL, "Both seats of that match are taken; you can watch it instead.")
    require_seat_left(world, session)
    if session.id in match.spectators:
        watch.stop_watching(world, match, session)
    events = lifecycle.begin(world, match, session.id, session.name)
    lifecycle.seat(world, match, session)
    lifecycle.show_begun(world, match, events, {session.id: request.id})


def leave(world: World, session: Session, request: Leave) -> None:
    """Stop watching, take an unjoined match back, or put a finished one away."""
    match = find.own(world, request.match, session)
    if session.id in match.spectators:
        watch.stop_watching(world, match, session)
        tell.send(world, session.id, visible.left(match.code, request.id))
        return
    if match.code not in session.seated:
        raise Refuse(RefusalCode.NOT_SEATED, "You have left that match already.")
    if match.is_running():
        raise Refuse(RefusalCode.NOT_OVER, "The match is not over: resign it, or agree to call it off.")
    _leave_seat(world, match, session)
    tell.send(world, session.id, visible.left(match.code, request.id))


def _leave_seat(world: World, match: Match, session: Session) -> None:
    del session.seated[match.code]
    seat = match.seat_of(session.id)
    if seat is not None:
        match.left.add(seat)
        match.absent_since[seat - 1] = world.now
        match.offers.clear()
        tell.show_presence(world, match, seat)
    if seat is None or len(match.left) == len(match.members()):
        lifecycle.retire(world, match)


HANDLERS: dict[type, Callable[..., None]] = {
    List: listing.list_matches,
    Create: create,
    Join: join,
    Leave: leave,
}
