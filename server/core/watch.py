"""Those who watch: they come, are counted, come back and go."""

from collections.abc import Callable

from protocol.client_frame import Watch
from protocol.refusal import RefusalCode
from protocol.server_frame import Watched
from server.core import find, remember, tell, visible
from server.core.budget import UNKNOWN
from server.core.match import Match
from server.core.refuse import Refuse, require
from server.core.session import Session
from server.core.world import World


def watch(world: World, session: Session, request: Watch) -> None:
    """Become a spectator and see the match from its beginning."""
    match = find.guessed(world, request.match, session)
    if session.id in match.members():
        raise Refuse(RefusalCode.ALREADY_SEATED, "You are playing in that match.")
    if not match.terms.watchable:
        raise Refuse(RefusalCode.NOT_WATCHABLE, "That match was opened without spectators.")
    if session.id not in match.spectators:
        if len(session.watching) >= world.limits.watched_per_player:
            raise Refuse(RefusalCode.TOO_MANY_MATCHES, "You are watching as many matches as one can.")
        require(world.budget.watches.take(session.origin, world.now))
        if not count_in(world, match, session):
            raise Refuse(RefusalCode.TOO_MANY_SPECTATORS, "That match has as many spectators as it can have.")
    tell.show_whole(world, match, session.id, request.id)


def watch_again(world: World, session: Session, code: str, seen: int) -> None:
    """Let a spectator who comes back watch on, if the match and a place are still there."""
    match = world.touched = world.matches.get(code)
    if match is not None and (session.id in match.spectators or count_in(world, match, session)):
        tell.show_whole(world, match, session.id, None, seen)
    else:
        del session.watching[code]
        remember.keep(world, session)
        tell.send(world, session.id, visible.left(code))


def stop_watching(world: World, match: Match, session: Session) -> None:
    """Let a spectator go."""
    session.watching.pop(match.code, None)
    remember.keep(world, session)
    count_out(world, match, session)


def count_in(world: World, match: Match, session: Session) -> bool:
    """Count somebody among the spectators; False when there is no room.

    Those of one origin leave as many places as they take, so that they do not keep others from watching.
    """
    neighbours = sum(_origin(world, other) == session.origin for other in match.spectators)
    if neighbours >= world.limits.spectators_per_match - len(match.spectators):
        return False
    world.recounted[match.code] = None
    match.spectators[session.id] = None
    if match.code not in session.watching:
        session.watching[match.code] = None
        session.is_kept = True
        remember.keep(world, session)
    return True


def count_out(world: World, match: Match, session: Session) -> None:
    """Count somebody among the spectators no longer."""
    match.spectators.pop(session.id, None)
    world.recounted[match.code] = None


def tell_counts(world: World) -> None:
    """Tell everybody there how many watch, where somebody came or went; once, however many did."""
    for code in world.recounted:
        match = world.matches.get(code)
        if match is not None:
            tell.send_to_match(world, match, Watched(match=code, count=len(match.spectators)))
    world.recounted.clear()


def _origin(world: World, session_id: int) -> str:
    session = world.sessions.get(session_id)
    return UNKNOWN if session is None else session.origin


HANDLERS: dict[type, Callable[..., None]] = {Watch: watch}
