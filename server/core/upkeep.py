"""What time alone brings about: silent connections close, matches that waited too long go, idle players go.

Everything that could pile up in the server's memory is taken away here. Clocks are not kept here: they are
the matches' own.
"""

from collections import Counter
from typing import TypeVar

from protocol.refusal import CloseCode
from server.core.match import Match
from server.core.rate import Window
from server.core.session import Session
from server.core.world import World

K = TypeVar("K")


def close_silent(world: World) -> None:
    """Close the connections that have not said hello in time, or have said nothing for too long."""
    limits = world.limits
    for connection in list(world.connections.values()):
        if connection.session is None and world.now - connection.opened_at >= limits.hello_timeout_s:
            world.close(connection, CloseCode.HELLO_LATE, "No hello came in time.")
        elif world.now - connection.heard_at >= limits.dead_s:
            world.close(connection, CloseCode.SILENT, "Nothing was heard from you for too long.")


def outdated(world: World) -> list[Match]:
    """List the matches that have waited too long: to be looked at, for an opponent, for absent players."""
    # A frozen match is left as it is: a restart brings it back as it was before the fault.
    matches = [match for match in world.matches.values() if not match.is_frozen]
    return [*_outdated_finished(world, matches), *_outdated_open(world, matches)]


def _outdated_finished(world: World, matches: list[Match]) -> list[Match]:
    """List finished matches that are old, or too many; the newest of each player, and of all, are kept."""
    limits = world.limits
    finished = [(match.ended_at, match) for match in matches if match.ended_at is not None]
    finished.sort(key=lambda each: each[0], reverse=True)
    found: list[Match] = []
    kept: Counter[int] = Counter()
    for place, (ended_at, match) in enumerate(finished):
        is_old = world.now - ended_at >= limits.finished_kept_s or place >= limits.matches
        if is_old or any(kept[member] >= limits.matches_per_player for member in match.members()):
            found.append(match)
        else:
            kept.update(match.members())
    return found


def _outdated_open(world: World, matches: list[Match]) -> list[Match]:
    kept_s = world.limits.open_kept_s
    return [
        match for match in matches if match.ended_at is None and world.now - _left_at(world, match) >= kept_s
    ]


def _left_at(world: World, match: Match) -> float:
    """Tell when the last of a match's players went away; now, while one is there."""
    sessions = [session for member in match.members() if (session := world.sessions.get(member))]
    if any(session.connection is not None for session in sessions):
        return world.now
    return max((session.gone_at for session in sessions), default=match.created_at)


def forget_idle(world: World) -> None:
    """Forget players who have been away for a long time, and counts of what was tried long ago."""
    for session in list(world.sessions):
        if _is_idle(session) and world.now - session.gone_at >= world.limits.session_idle_s:
            world.drop_session(session)
    _forget_empty(world.guesses, world.now)
    _forget_empty(world.chats, world.now)


def make_room(world: World) -> bool:
    """Forget one player who is away and plays nothing, so that another can come; False if there is none."""
    for is_kept in (False, True):
        for session in world.sessions:
            if session.is_kept == is_kept and _is_idle(session):
                world.drop_session(session)
                return True
    return False


def _is_idle(session: Session) -> bool:
    return session.connection is None and not session.seated


def _forget_empty(windows: dict[K, Window], now: float) -> None:
    for key in [key for key, window in windows.items() if window.is_empty(now)]:
        del windows[key]
