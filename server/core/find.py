"""Matches looked up for a request: each function returns what was asked for, or refuses and tells no more."""

from protocol.model import Seat
from protocol.refusal import RefusalCode
from server.core.match import Match
from server.core.refuse import Refuse
from server.core.session import Session
from server.core.world import World

NO_SUCH_MATCH_TEXT = "You are in no such match."


def match(world: World, code: str) -> Match:
    """Find a match by its code, for somebody who may know of it."""
    found = world.matches.get(code)
    if found is None:
        raise Refuse(RefusalCode.NO_SUCH_MATCH, NO_SUCH_MATCH_TEXT)
    world.touched = found
    if found.is_frozen:
        raise Refuse(
            RefusalCode.MATCH_FROZEN,
            "A fault of the server stopped this match; the server's log has the details.",
        )
    return found


def own(world: World, code: str, session: Session) -> Match:
    """Find a match that a session plays or watches.

    For anybody else there is no such match: a different answer would tell which codes exist, and codes
    could be guessed past the limit on guesses.
    """
    found = world.matches.get(code)
    if found is not None and session.id not in found.members() and session.id not in found.spectators:
        raise Refuse(RefusalCode.NO_SUCH_MATCH, NO_SUCH_MATCH_TEXT)
    return match(world, code)


def seat(world: World, code: str, session: Session) -> tuple[Match, Seat]:
    """Find a match that has begun, and the seat of a session in it."""
    found = world.matches.get(code)
    taken = None if found is None else found.seat_of(session.id)
    if found is not None and taken is not None and not found.is_frozen:
        world.touched = found
        return found, taken
    found = own(world, code, session)
    if session.id in found.members():
        raise Refuse(RefusalCode.NOT_BEGUN, "The match has not begun; nobody has joined yet.")
    raise Refuse(RefusalCode.NOT_SEATED, "You watch that match; you have no seat in it.")


def guessed(world: World, code: str, session: Session) -> Match:
    """Find a match by a code that may be a guess; too many wrong ones end all guessing for a while."""
    require_guess_left(world, session)
    if code not in world.matches:
        world.budget.guesses.spend(session.origin, world.now)
        raise Refuse(
            RefusalCode.NO_SUCH_MATCH, "There is no match with that code; check it with your friend."
        )
    return match(world, code)


def require_guess_left(world: World, session: Session) -> None:
    """Refuse any code, right or wrong, from an address that has tried too many wrong ones."""
    if world.budget.guesses.is_over(session.origin, world.now):
        raise Refuse(
            RefusalCode.TOO_MANY_GUESSES, "Too many wrong codes came from your address; wait a minute."
        )
