"""What a restart brings back: sessions, matches as their entries tell, and the time where it was left."""

from collections.abc import Iterable, Sequence

from server.core import lifecycle, remember
from server.core.budget import UNKNOWN
from server.core.entry import Entry, Fact
from server.core.match import Damaged, Match, rebuild
from server.core.world import World


def restore(
    world: World, facts: Iterable[Fact], histories: Iterable[Sequence[Entry]]
) -> tuple[int, list[str]]:
    """Bring back what the journal holds; return how many matches, and what is damaged.

    The time of the next step must not be before `world.now`, which may have been moved on.
    """
    damage: list[str] = []
    alive_at = _restore_facts(world, facts, damage)
    matches = _rebuild_all(histories, damage)
    _set_time(world, alive_at, matches)
    for match in sorted(matches, key=lambda match: match.ended_at or 0.0):
        _restore_match(world, match)
    for match in matches:
        if match.previous in world.matches:
            world.matches[match.previous].successor = match.code
    for session in world.sessions:
        remember.set_away(world, session)
    return len(world.matches), damage


def _restore_facts(world: World, facts: Iterable[Fact], damage: list[str]) -> float:
    """Bring back sessions and pauses; return when the server was last alive."""
    alive_at = 0.0
    for fact in facts:
        try:
            world.sessions.restore(fact)
            alive_at = world.pauses.restore(fact) or alive_at
        except (LookupError, TypeError, ValueError) as error:
            damage.append(f"{fact.key} does not fit ({type(error).__name__})")
    return alive_at


def _rebuild_all(histories: Iterable[Sequence[Entry]], damage: list[str]) -> list[Match]:
    matches = []
    for history in histories:
        try:
            matches.append(rebuild(history))
        except Damaged as error:
            damage.append(f"match {history[0].stream}: {error}")
    return matches


def _set_time(world: World, alive_at: float, matches: list[Match]) -> None:
    """Take up the time where it was left: with a clock that was set back, players would gain by it."""
    began = [match.turn_began_at for match in matches if match.deadline is not None]
    if began:
        world.now = max(world.now, alive_at, *began)
    # Only the time for which the server was up counts; what passed since the last tick is forgiven.
    world.pauses.add(alive_at, world.now)
    for session in world.sessions:
        session.gone_at = world.now


def _restore_match(world: World, match: Match) -> None:
    creator = world.sessions.get(match.creator)
    lifecycle.enter(world, match, UNKNOWN if creator is None else creator.origin)
    for member in match.members():
        session = world.sessions.get(member)
        if session is not None:
            session.seated[match.code] = None
    if match.seats is not None:
        match.absent_since = [world.now, world.now]
    if match.deadline is not None:
        match.postpone(world.pauses.since(match.turn_began_at), world.now)
        world.clocked[match.code] = match
