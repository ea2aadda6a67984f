"""Requests on which two players must agree: to call a match off, and to play again."""

from collections.abc import Callable

from protocol.client_frame import CallOff, Rematch
from protocol.field import Offer
from protocol.model import Seat, other
from protocol.outcome import CALLED_OFF, Outcome
from protocol.refusal import RefusalCode
from protocol.server_frame import Offered
from server.core import find, lifecycle, remember, tell
from server.core.match import Match
from server.core.refuse import NO_ROOM_TEXT, Refuse, require_running
from server.core.session import Session
from server.core.world import World


def call_off(world: World, session: Session, request: CallOff) -> None:
    """Offer or agree to end the match without a winner, or take that back."""
    match, seat = find.seat(world, request.match, session)
    require_running(match)
    if _answer_offer(world, match, session, seat, "calloff", request):
        lifecycle.end(world, match, Outcome(winner=None, reason=CALLED_OFF), request.id, session.id)


def rematch(world: World, session: Session, request: Rematch) -> None:
    """Offer or agree to play again with seats swapped, or take that back."""
    match, seat = find.seat(world, request.match, session)
    if match.outcome is None:
        raise Refuse(RefusalCode.NOT_OVER, "The match is not over yet.")
    if match.successor is not None and match.successor in world.matches:
        successor = world.matches[match.successor]
        tell.show_terms(world, successor, session.id, request.id)
        tell.show_one(world, successor, session.id)
        return
    if match.left:
        raise Refuse(RefusalCode.NO_OFFER, "Your opponent has left; there is nobody to play again with.")
    if request.agree:
        _require_room_for_rematch(world, match)
    if _answer_offer(world, match, session, seat, "rematch", request):
        _begin_rematch(world, match, session, request.id)


def _require_room_for_rematch(world: World, match: Match) -> None:
    players = [player for member in match.members() if (player := world.sessions.get(member))]
    if not all(world.has_seat_left(player) for player in players):
        raise Refuse(
            RefusalCode.TOO_MANY_MATCHES,
            "One of you has as many open matches as there can be; finish one first.",
        )
    budget = world.budget
    if not budget.matches.leaves_room(budget.finished.origin(match.code)):
        raise Refuse(RefusalCode.TOO_MANY_MATCHES, NO_ROOM_TEXT)


def _answer_offer(
    world: World, match: Match, session: Session, seat: Seat, offer: Offer, request: CallOff | Rematch
) -> bool:
    """Take a yes or no about an offer; return whether both have said yes now."""
    offered_by = match.offers.get(offer)
    if request.agree and offered_by == other(seat):
        del match.offers[offer]
        return True
    if request.agree:
        match.offers[offer] = seat
    elif offered_by is None:
        raise Refuse(RefusalCode.NO_OFFER, "There is no such offer to take back or decline.")
    else:
        del match.offers[offer]
    by = seat if request.agree or offered_by is None else offered_by
    frame = Offered(re=None, match=match.code, offer=offer, seat=by, standing=request.agree)
    tell.send(world, session.id, frame.model_copy(update={"re": request.id}))
    tell.send(world, match.members()[other(seat) - 1], frame)
    return False


def _begin_rematch(world: World, match: Match, session: Session, re: int) -> None:
    second, first = match.members()
    names = match.names
    again = lifecycle.new_match(world, match.terms.with_creator_first(), first, names[1], 0)
    world.effects.writes.append(again.create((match.score[1], match.score[0]), match.code))
    lifecycle.enter(world, again, world.budget.finished.origin(match.code))
    events = lifecycle.begin(world, again, second, names[0])
    match.successor = again.code
    for member in (first, second):
        player = world.sessions.get(member)
        if player is not None:
            lifecycle.seat(world, again, player)
    _take_spectators_along(world, match, again)
    lifecycle.show_begun(world, again, events, {session.id: re})


def _take_spectators_along(world: World, match: Match, again: Match) -> None:
    again.spectators, match.spectators = match.spectators, {}
    for spectator in again.spectators:
        session = world.sessions.get(spectator)
        if session is not None:
            del session.watching[match.code]
            session.watching[again.code] = None
            remember.keep(world, session)


HANDLERS: dict[type, Callable[..., None]] = {CallOff: call_off, Rematch: rematch}
