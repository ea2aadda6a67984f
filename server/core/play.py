"""Requests of players who sit at a match: play, chat, resign, call off, rematch, claim, export."""

from collections.abc import Callable

from protocol.frame import (
    CallOff,
    Chat,
    Chatted,
    Claim,
    Export,
    Offer,
    Offered,
    Play,
    Rematch,
    Resign,
)
from protocol.games import parse_played
from protocol.model import Seat, other
from protocol.outcome import ABANDONED, CALLED_OFF, RESIGNED, Outcome
from protocol.refusal import RefusalCode
from protocol.text import Unclean, clean_chat
from server.core import visible
from server.core.match import Match
from server.core.rate import Window
from server.core.session import Session
from server.core.world import Fetch, Refuse, World
from server.games.rules import Illegal

OVER_TEXT = "The match is over."
NO_RECORD_TEXT = "There is no finished match of yours with that code."


def play(world: World, session: Session, request: Play) -> None:
    """Make a move, once, and show everybody what became of it."""
    match, seat = world.find_seat(request.match, session)
    move_id, turn = request.id, request.turn
    if move_id == match.last_ids[seat - 1] and not _is_asked(match, seat, turn):
        world.show_one(match, session.id, re=move_id)
        return
    if match.outcome is not None:
        raise Refuse(RefusalCode.MATCH_OVER, OVER_TEXT)
    if match.deadline is not None and (verdict := match.verdict(world.now)) is not None:
        world.end(match, verdict)
        raise Refuse(RefusalCode.MATCH_OVER, "The time for this turn had run out.")
    if turn != match.turn:
        raise Refuse(RefusalCode.STALE_TURN, "The match has moved on since you were asked.")
    game = match.terms.game
    move = parse_played(game.id, request.move)
    if move is None:
        raise Refuse(RefusalCode.BAD_MOVE, f"That is not a move of {game.title}.")
    try:
        entry, events = match.play(
            seat, move, move_id, world.now, world.randbelow, world.limits.moves_per_match
        )
    except Illegal as no:
        code = RefusalCode.ILLEGAL_MOVE if _is_asked(match, seat, match.turn) else RefusalCode.NOT_YOUR_TURN
        raise Refuse(code, str(no)) from None
    world.effects.writes.append(entry)
    world.counts["moves"] += 1
    world.show(match, events, move_id, seat)
    if match.outcome is not None:
        world.tell_ended(match)


def _is_asked(match: Match, seat: Seat, turn: int) -> bool:
    """Tell whether a seat owes a move to this turn."""
    return turn == match.turn and seat in match.owed_by


def _require_running(match: Match) -> None:
    if match.outcome is not None:
        raise Refuse(RefusalCode.MATCH_OVER, OVER_TEXT)


def chat(world: World, session: Session, request: Chat) -> None:
    """Pass a line on to both players."""
    match, seat = world.find_seat(request.match, session)
    try:
        text = clean_chat(request.text, world.limits.chat_len)
    except Unclean as no:
        raise Refuse(RefusalCode.BAD_TEXT, str(no)) from None
    limits = world.limits
    window = world.chats.setdefault(session.id, Window(limits.chat_burst, limits.chat_window_s))
    if window.is_full(world.now):
        raise Refuse(RefusalCode.TOO_MUCH_CHAT, "That was a lot at once; wait a few seconds.")
    window.add(world.now)
    world.send(session.id, Chatted(re=request.id, match=match.code, seat=seat, text=text))
    if other(seat) not in match.left:
        opponent = match.members()[other(seat) - 1]
        world.send(opponent, Chatted(re=None, match=match.code, seat=seat, text=text))


def resign(world: World, session: Session, request: Resign) -> None:
    """Give the match to the opponent."""
    match, seat = world.find_seat(request.match, session)
    _require_running(match)
    world.end(match, Outcome(winner=other(seat), reason=RESIGNED), request.id, session.id)


def claim(world: World, session: Session, request: Claim) -> None:
    """Win over an opponent who has been gone too long."""
    match, seat = world.find_seat(request.match, session)
    _require_running(match)
    wait = match.claimable_in(other(seat), world.now, world.limits.grace_s)
    if wait is None:
        raise Refuse(RefusalCode.NOT_ABSENT, "Your opponent is there.")
    if wait > 0:
        raise Refuse(
            RefusalCode.NOT_ABSENT, f"Your opponent may still come back; wait {int(wait) + 1} s more."
        )
    world.end(match, Outcome(winner=seat, reason=ABANDONED), request.id, session.id)


def call_off(world: World, session: Session, request: CallOff) -> None:
    """Offer or agree to end the match without a winner, or take that back."""
    match, seat = world.find_seat(request.match, session)
    _require_running(match)
    if _is_agreed(world, match, session, seat, "calloff", request):
        world.end(match, Outcome(winner=None, reason=CALLED_OFF), request.id, session.id)


def rematch(world: World, session: Session, request: Rematch) -> None:
    """Offer or agree to play again with seats swapped, or take that back."""
    match, seat = world.find_seat(request.match, session)
    if match.outcome is None:
        raise Refuse(RefusalCode.NOT_OVER, "The match is not over yet.")
    if match.successor is not None and match.successor in world.matches:
        successor = world.matches[match.successor]
        world.send(session.id, visible.seated(successor, session.id, world.is_present, request.id))
        world.show_one(successor, session.id)
        return
    if match.left:
        raise Refuse(RefusalCode.NO_OFFER, "Your opponent has left; there is nobody to play again with.")
    if request.agree:
        _require_room_for_rematch(world, match)
    if _is_agreed(world, match, session, seat, "rematch", request):
        _begin_rematch(world, match, session, request.id)


def _require_room_for_rematch(world: World, match: Match) -> None:
    players = [player for member in match.members() if (player := world.sessions.get(member))]
    if not all(world.has_seat_left(player) for player in players):
        raise Refuse(
            RefusalCode.TOO_MANY_MATCHES,
            "One of you has as many open matches as there can be; finish one first.",
        )
    if not world.has_match_left():
        raise Refuse(RefusalCode.TOO_MANY_MATCHES, "The server has no room for another match just now.")


def _is_agreed(
    world: World, match: Match, session: Session, seat: Seat, offer: Offer, request: CallOff | Rematch
) -> bool:
    """Take a yes or no about an offer; True when both have said yes."""
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
    world.send(session.id, frame.model_copy(update={"re": request.id}))
    world.send(match.members()[other(seat) - 1], frame)
    return False


def _begin_rematch(world: World, match: Match, session: Session, re: int) -> None:
    second, first = match.members()
    names = match.names
    terms = match.terms.with_creator_first()
    again = world.new_match(terms, first, names[1], 0)
    world.effects.writes.append(again.create((match.score[1], match.score[0]), match.code))
    entry, events = again.begin(second, names[0], world.now, world.randbelow)
    world.effects.writes.append(entry)
    match.successor = again.code
    for member in (first, second):
        player = world.sessions.get(member)
        if player is not None:
            world.add(again, player)
        if not world.is_present(member):
            again.absent_since[(1 if member == first else 2) - 1] = world.now
    again.spectators, match.spectators = match.spectators, {}
    for spectator in again.spectators:
        watching = world.sessions.get(spectator)
        if watching is not None:
            del watching.watching[match.code]
            watching.watching[again.code] = None
            world.keep(watching)
    world.show_begun(again, events, {session.id: re})


def export(world: World, session: Session, request: Export) -> None:
    """Have the record of a finished match read and handed out, one at a time.

    For a match put away, whether it is theirs to see is checked when it is there.
    """
    match = world.matches.get(request.match)
    if match is not None:
        if session.id not in match.members() and match.code not in session.watching:
            raise Refuse(RefusalCode.NO_SUCH_MATCH, NO_RECORD_TEXT)
        if match.outcome is None:
            raise Refuse(RefusalCode.NOT_OVER, "The match is not over yet; its record is sealed until then.")
    if session.connection is None:
        return
    connection = world.connections[session.connection]
    if connection.is_awaiting_record:
        text = "The record that you asked for before is still being read."
        raise Refuse(RefusalCode.ONE_AT_A_TIME, text)
    connection.is_awaiting_record = True
    world.effects.fetches += (Fetch(session.connection, request.id, request.match),)


HANDLERS: dict[type, Callable[..., None]] = {
    Play: play,
    Chat: chat,
    Resign: resign,
    Claim: claim,
    CallOff: call_off,
    Rematch: rematch,
    Export: export,
}
