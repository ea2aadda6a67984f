"""Players beyond one connection: who is written down, and who is forgotten."""

from server.core.session import Session
from server.core.world import World


def keep(world: World, session: Session) -> None:
    """Write down how a player is remembered now, if a restart is to bring that player back."""
    if session.is_kept:
        world.effects.writes.append(session.to_fact())


def forget(world: World, session: Session) -> None:
    """Forget an absent player who has no seat any more."""
    world.sessions.drop(session)
    set_away(world, session, False)
    if session.is_kept:
        world.effects.writes.append(session.to_fact()._replace(body=None))


def forget_idle(world: World) -> None:
    """Forget players who have been away for a long time."""
    for away in world.budget.away:
        while (session := world.sessions.get(away.oldest() or 0)) and _is_forgotten(world, session):
            forget(world, session)


def _is_forgotten(world: World, session: Session) -> bool:
    return world.now - session.gone_at >= world.limits.session_idle_s


def make_room(world: World) -> bool:
    """Forget one player who is away and plays nothing, so that another can come; False if there is none.

    First one who never played, and of those the first of the origin that has left most of them.
    """
    for away in world.budget.away:
        for number in away.of(away.largest()):
            forget(world, world.sessions[number])
            return True
    return False


def set_away(world: World, session: Session, is_there: bool = True) -> None:
    """Take note of whether a player is away and plays nothing, after a change of either."""
    for is_kept, away in enumerate(world.budget.away):
        if is_there and is_kept == session.is_kept and session.connection is None and not session.seated:
            away.add(session.id, session.origin)
        else:
            away.discard(session.id)
