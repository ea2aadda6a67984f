"""What time alone brings about: clocks run out, and matches that waited too long are put away.

What could pile up in the server's memory is taken away in time: here, in `remember` and in `presence`.
"""

from collections.abc import Iterator

from protocol.outcome import ABANDONED, Outcome
from server.core import lifecycle
from server.core.match import Match
from server.core.world import World


def late(world: World) -> list[Match]:
    """List the matches whose clock has run out."""
    return [match for match in world.clocked.values() if match.is_late(world.now)]


def end_late(world: World, match: Match) -> None:
    """End a match as its clock says, if that has run out."""
    world.touched = match
    verdict = match.verdict(world.now)
    if verdict is not None:
        lifecycle.end(world, match, verdict)


def outdated(world: World) -> Iterator[Match]:
    """List the matches that have waited too long: to be looked at, for an opponent, for absent players."""
    # A frozen match is left as it is: a restart brings it back as it was before the fault.
    yield from _outdated_open(world, [match for match in world.matches.values() if not match.is_frozen])
    yield from _outdated_finished(world)


def put_away(world: World, match: Match) -> None:
    """End a running match without a winner; put any other away."""
    world.touched = match
    if match.is_running():
        lifecycle.end(world, match, Outcome(winner=None, reason=ABANDONED))
    else:
        lifecycle.retire(world, match)


def _outdated_finished(world: World) -> Iterator[Match]:
    """List finished matches that are old, or too many: of one player, of one origin, or of all."""
    finished = world.budget.finished
    for session_id in world.crowded:
        yield from _surplus(world, session_id)
    world.crowded.clear()
    while finished.count(finished.largest()) > finished.most_each or len(finished) > finished.most:
        yield world.matches[next(finished.of(finished.largest()))]
    while (code := finished.oldest()) and _is_old(world, world.matches[code]):
        yield world.matches[code]


def _is_old(world: World, match: Match) -> bool:
    return match.ended_at is not None and world.now - match.ended_at >= world.limits.finished_kept_s


def _surplus(world: World, session_id: int) -> list[Match]:
    """List the finished matches of a player that are too many, the first to end first."""
    session = world.sessions.get(session_id)
    seated = [] if session is None else [world.matches[code] for code in session.seated]
    finished = [match for match in seated if match.code in world.budget.finished]
    finished.sort(key=lambda match: match.ended_at or 0.0)
    return finished[: -world.limits.matches_per_player]


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


def forget_tries(world: World) -> None:
    """Forget counts of what was tried long ago."""
    world.budget.settle(world.now)
    world.chats.forget(world.now)
