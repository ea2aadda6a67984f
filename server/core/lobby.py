"""Requests that bring players together: list, create, join, watch, leave."""

from collections.abc import Callable

from protocol.frame import Create, Join, Leave, List, Listed, OpenMatch, Watch
from protocol.games import TITLES
from protocol.refusal import RefusalCode
from server.core import visible
from server.core.match import Match
from server.core.rate import Window
from server.core.session import Session
from server.core.terms import Terms
from server.core.world import Refuse, World
from server.games.rules import Illegal

LISTED = 64


def list_open(world: World, session: Session, request: List) -> None:
    """Answer with the matches that wait for an opponent whose creator is there."""
    waiting = [
        match
        for match in world.matches.values()
        if match.seats is None
        and not (match.terms.private or match.is_frozen)
        and world.is_present(match.creator)
    ]
    shown = tuple(_open_match(match, world.now) for match in reversed(waiting[-LISTED:]))
    world.send(session.id, Listed(re=request.id, matches=shown, total=len(waiting)))


def _open_match(match: Match, now: float) -> OpenMatch:
    return OpenMatch(
        match=match.code,
        game=match.terms.game.id,
        options=match.terms.options,
        creator=match.names[0],
        first=match.terms.first,
        clock_s=match.terms.clock_s,
        hints=match.terms.hints,
        age_s=max(0, int(now - match.created_at)),
    )


def create(world: World, session: Session, request: Create) -> None:
    """Open a match and seat its creator."""
    for code in session.seated:
        match = world.matches[code]
        if match.creator == session.id and match.create_id == request.id and match.previous is None:
            world.send(session.id, visible.seated(match, session.id, world.is_present, request.id))
            return
    _require_seat_left(world, session)
    if not world.has_match_left():
        raise Refuse(RefusalCode.TOO_MANY_MATCHES, "The server has no room for another match just now.")
    try:
        terms = Terms.from_request(request)
    except KeyError:
        games = ", ".join(TITLES)
        raise Refuse(RefusalCode.NO_SUCH_GAME, f"There is no such game; the games are {games}.") from None
    except Illegal as no:
        raise Refuse(RefusalCode.BAD_OPTION, str(no)) from None
    match = world.new_match(terms, session.id, session.name, request.id)
    world.effects.writes.append(match.create())
    world.add(match, session)
    world.note("created", game=terms.game.id, private=terms.private)
    world.send(session.id, visible.seated(match, session.id, world.is_present, request.id))


def _require_seat_left(world: World, session: Session) -> None:
    if not world.has_seat_left(session):
        raise Refuse(
            RefusalCode.TOO_MANY_MATCHES,
            f"You have {world.limits.matches_per_player} open matches, which is the most there can be; "
            "finish one first.",
        )


def join(world: World, session: Session, request: Join) -> None:
    """Sit down opposite the creator, which begins the match."""
    match = _found_by_code(world, session, request.match)
    if match.seat_of(session.id) is not None:
        # The answer to an earlier Join was lost; the seat is theirs already.
        rejoin(world, session, match, request.id)
        return
    if session.id == match.creator:
        raise Refuse(RefusalCode.ALREADY_SEATED, "This is your own match; somebody else must join it.")
    if match.seats is not None:
        raise Refuse(RefusalCode.MATCH_FULL, "Both seats of that match are taken; you can watch it instead.")
    _require_seat_left(world, session)
    if session.id in match.spectators:
        _stop_watching(world, match, session)
    entry, events = match.begin(session.id, session.name, world.now, world.randbelow)
    world.effects.writes.append(entry)
    world.add(match, session)
    for seat, member in enumerate(match.members()):
        if not world.is_present(member):
            match.absent_since[seat] = world.now
    world.show_begun(match, events, {session.id: request.id})


def rejoin(world: World, session: Session, match: Match, re: int | None, seen: int = 0) -> None:
    """Show a match whole, as to somebody who comes back to it."""
    world.send(session.id, visible.seated(match, session.id, world.is_present, re))
    if match.seats is None or match.is_frozen:
        return
    for piece in visible.told(match, seen):
        world.send_data((session.id,), piece)
    world.show_one(match, session.id)
    for absence in visible.absences(match, world.now, world.limits.grace_s):
        world.send(session.id, absence)
    for offer in visible.offers(match):
        world.send(session.id, offer)
    if match.outcome is not None:
        world.send(session.id, visible.ended(match))


def told_since(world: World, session: Session, seen: dict[str, int]) -> dict[str, int]:
    """Tell, for each match of somebody who comes back, from which event on it is told.

    Who remembers little is told the latest of each match, the newest match first, as far as half an outbox
    holds it: more would end the connection as a slow reader's, and at the next return again.
    """
    room, since = world.limits.outbox // 2, {}
    for code in reversed([*session.seated, *session.watching]):
        events = world.matches[code].events if code in world.matches else []
        start = len(events)
        while start > seen.get(code, 0) and len(events[start - 1]) <= room:
            start -= 1
            room -= len(events[start])
        since[code] = start
    return since


def watch(world: World, session: Session, request: Watch) -> None:
    """Become a spectator and see the match from its beginning."""
    match = _found_by_code(world, session, request.match)
    if session.id in match.members():
        raise Refuse(RefusalCode.ALREADY_SEATED, "You are playing in that match.")
    if session.id not in match.spectators:
        if len(session.watching) >= world.limits.watched_per_player:
            raise Refuse(RefusalCode.TOO_MANY_MATCHES, "You are watching as many matches as one can.")
        if not world.count_in(match, session):
            raise Refuse(RefusalCode.TOO_MANY_SPECTATORS, "That match has as many spectators as it can have.")
    rejoin(world, session, match, request.id)


def watch_again(world: World, session: Session, code: str, seen: int) -> None:
    """Let a spectator who comes back watch on, if the match and a place are still there."""
    match = world.touched = world.matches.get(code)
    if match is not None and (session.id in match.spectators or world.count_in(match, session)):
        rejoin(world, session, match, None, seen)
    else:
        del session.watching[code]
        world.keep(session)
        world.send(session.id, visible.left(code))


def _found_by_code(world: World, session: Session, code: str) -> Match:
    """Find a match by a code that may be a guess; too many wrong ones end all guessing for a while."""
    origin = world.connections[session.connection].origin if session.connection is not None else ""
    window = world.guesses.get(origin)
    if window is not None and window.is_full(world.now):
        raise Refuse(
            RefusalCode.TOO_MANY_GUESSES, "Too many wrong codes came from your address; wait a minute."
        )
    if code not in world.matches:
        if window is None:
            window = world.guesses[origin] = Window(world.limits.guesses, world.limits.guess_window_s)
        window.add(world.now)
        raise Refuse(
            RefusalCode.NO_SUCH_MATCH, "There is no match with that code; check it with your friend."
        )
    return world.find(code)


def leave(world: World, session: Session, request: Leave) -> None:
    """Stop watching, take an unjoined match back, or put a finished one away."""
    match = world.find_own(request.match, session)
    if session.id in match.spectators:
        _stop_watching(world, match, session)
        world.send(session.id, visible.left(match.code, request.id))
        return
    if match.code not in session.seated:
        raise Refuse(RefusalCode.NOT_SEATED, "You have left that match already.")
    if match.is_running():
        raise Refuse(RefusalCode.NOT_OVER, "The match is not over: resign it, or agree to call it off.")
    _put_away(world, match, session)
    world.send(session.id, visible.left(match.code, request.id))


def _stop_watching(world: World, match: Match, session: Session) -> None:
    session.watching.pop(match.code, None)
    world.keep(session)
    world.count_out(match, session)


def _put_away(world: World, match: Match, session: Session) -> None:
    del session.seated[match.code]
    seat = match.seat_of(session.id)
    if seat is not None:
        match.left.add(seat)
        match.absent_since[seat - 1] = world.now
        match.offers.clear()
        world.tell_presence(match, seat)
    if seat is None or len(match.left) == len(match.members()):
        world.retire(match)


HANDLERS: dict[type, Callable[..., None]] = {
    List: list_open,
    Create: create,
    Join: join,
    Watch: watch,
    Leave: leave,
}
