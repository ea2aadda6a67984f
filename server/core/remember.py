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
    if session.is_kept:
        world.effects.writes.append(session.to_fact()._replace(body=None))


def forget_idle(world: World) -> None:
    """Forget players who have been away for a long time."""
    for session in list(world.sessions):
        if _is_idle(session) and world.now - session.gone_at >= world.limits.session_idle_s:
            forget(world, session)


def make_room(world: World) -> bool:
    """Forget one player who is away and plays nothing, so that another can come; False if there is none."""
    for is_kept in (False, True):
        for session in world.sessions:
            if session.is_kept == is_kept and _is_idle(session):
                forget(world, session)
                return True
    return False


def _is_idle(session: Session) -> bool:
    return session.connection is None and not session.seated
