"""A match in the server's memory, from its code to its last entry: opened, seated, begun, ended, put away."""

from protocol.link import make_code
from protocol.outcome import Outcome
from server.core import remember, tell, visible
from server.core.match import Match
from server.core.session import Session
from server.core.terms import Terms
from server.core.world import World
from server.games.game import Events


def new_match(world: World, terms: Terms, creator: int, name: str, create_id: int) -> Match:
    """Make a match with a join code that no other has."""
    while (code := make_code(world.randbelow)) in world.matches:
        pass
    match = Match(world.randbelow(2**62), code, terms, creator, name, create_id, world.now)
    world.touched = match
    return match


def enter(world: World, match: Match, origin: str) -> None:
    """Take a match into the server's memory, and count it for an origin."""
    world.matches[match.code] = match
    world.pages.clear()
    budget = world.budget
    (budget.matches if match.outcome is None else budget.finished).add(match.code, origin)
    if match.seats is None:
        budget.waiting.add(match.code, origin)


def make_room(world: World, origin: str) -> bool:
    """See that an origin can open one more match; False when it cannot.

    When there is little, whoever has opened most gives way, with the oldest match that nobody has joined.
    """
    budget = world.budget
    if budget.matches.leaves_room(origin):
        return True
    code = budget.waiting.first_to_go(origin)
    if code is None:
        return False
    retire(world, world.matches[code])
    return True


def seat(world: World, match: Match, session: Session) -> None:
    """Give a session a place in a match, and make it survive a restart."""
    session.seated[match.code] = None
    if not session.is_kept:
        session.is_kept = True
        remember.keep(world, session)


def begin(world: World, match: Match, guest: int, name: str) -> Events:
    """Seat both players and set up the game; a player who is away counts as absent from now on."""
    entry, events = match.begin(guest, name, world.now, world.randbelow)
    world.budget.waiting.discard(match.code)
    world.pages.clear()
    world.effects.writes.append(entry)
    if match.deadline is not None and not world.clocked:
        # When a clock ran last, the wall clock may have been ahead of now: a restart must not believe it.
        world.effects.writes.append(world.pauses.to_fact(world.now, world.now))
    for index, member in enumerate(match.members()):
        if not world.is_present(member):
            match.absent_since[index] = world.now
    return events


def show_begun(world: World, match: Match, events: Events, answers: dict[int, int]) -> None:
    """Show a match that has just begun to everybody there; `answers` are request ids by session."""
    for member in (*match.members(), *match.spectators):
        tell.show_terms(world, match, member, answers.get(member))
        tell.show_one(world, match, member, events)
        tell.show_absences(world, match, member)
    if match.deadline is not None:
        world.clocked[match.code] = match
    world.counts["matches_begun"] += 1
    world.effects.note("begun", game=match.terms.game.id, matches=len(world.matches))


def end(world: World, match: Match, outcome: Outcome, re: int | None = None, by: int | None = None) -> None:
    """End a match in a way that its rules do not know, and show it to everybody there."""
    world.effects.writes.append(match.end(outcome, world.now))
    tell.show(world, match)
    close(world, match, re, by)


def close(world: World, match: Match, re: int | None = None, by: int | None = None) -> None:
    """Stop the clock of a match that is over, and tell everybody there how it ended."""
    world.clocked.pop(match.code, None)
    world.budget.finished.add(match.code, world.budget.matches.origin(match.code))
    world.budget.matches.discard(match.code)
    world.pages.clear()
    world.crowded.update(dict.fromkeys(match.members()))
    tell.show_end(world, match, re, by)
    world.counts["matches_ended"] += 1
    reason = match.outcome.reason if match.outcome else None
    world.effects.note("ended", game=match.terms.game.id, reason=reason, moves=match.moves)


def forget(world: World, match: Match) -> None:
    """Let go of a match, and count it no longer."""
    del world.matches[match.code]
    world.pages.clear()
    world.clocked.pop(match.code, None)
    for held in (world.budget.matches, world.budget.waiting, world.budget.finished):
        held.discard(match.code)


def retire(world: World, match: Match) -> None:
    """Put a match away and forget it."""
    world.effects.writes.append(match.retire())
    forget(world, match)
    for spectator in match.spectators:
        session = world.sessions.get(spectator)
        if session is not None:
            session.watching.pop(match.code, None)
            tell.send(world, spectator, visible.left(match.code))
    for member in match.members():
        session = world.sessions.get(member)
        if session is not None and match.code in session.seated:
            del session.seated[match.code]
            remember.set_away(world, session)
            tell.send(world, member, visible.left(match.code))
