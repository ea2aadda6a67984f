"""Requests of players who sit at a match: play, chat, resign, claim."""

from collections.abc import Callable

from protocol.client_frame import Chat, Claim, Play, Resign
from protocol.games import parse_played
from protocol.model import Seat, other
from protocol.outcome import ABANDONED, RESIGNED, Outcome
from protocol.refusal import RefusalCode
from protocol.server_frame import Chatted
from protocol.text import Unclean, clean_chat
from server.core import find, lifecycle, tell
from server.core.match import Match
from server.core.refuse import OVER_TEXT, Refuse, require_running
from server.core.session import Session
from server.core.world import World
from server.games.game import Illegal


def play(world: World, session: Session, request: Play) -> None:
    """Make a move, once, and show everybody what became of it."""
    match, seat = find.seat(world, request.match, session)
    move_id, turn = request.id, request.turn
    if move_id == match.last_ids[seat - 1] and not _is_asked(match, seat, turn):
        tell.show_one(world, match, session.id, re=move_id)
        return
    if match.outcome is not None:
        raise Refuse(RefusalCode.MATCH_OVER, OVER_TEXT)
    if match.deadline is not None and (verdict := match.verdict(world.now)) is not None:
        # The clock has decided, and the next tick would say so; what is asked for changes nothing.
        lifecycle.end(world, match, verdict)
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
    tell.show(world, match, events, move_id, seat)
    if match.outcome is not None:
        lifecycle.close(world, match)


def _is_asked(match: Match, seat: Seat, turn: int) -> bool:
    """Tell whether a seat owes a move to this turn."""
    return turn == match.turn and seat in match.owed_by


def chat(world: World, session: Session, request: Chat) -> None:
    """Pass a line on to both players."""
    match, seat = find.seat(world, request.match, session)
    try:
        text = clean_chat(request.text, world.limits.chat_len)
    except Unclean as no:
        raise Refuse(RefusalCode.BAD_TEXT, str(no)) from None
    if not world.chats.take(session.id, world.now):
        raise Refuse(RefusalCode.TOO_MUCH_CHAT, "That was a lot at once; wait a few seconds.")
    tell.send(world, session.id, Chatted(re=request.id, match=match.code, seat=seat, text=text))
    if other(seat) not in match.left:
        opponent = match.members()[other(seat) - 1]
        tell.send(world, opponent, Chatted(re=None, match=match.code, seat=seat, text=text))


def resign(world: World, session: Session, request: Resign) -> None:
    """Give the match to the opponent."""
    match, seat = find.seat(world, request.match, session)
    require_running(match)
    lifecycle.end(world, match, Outcome(winner=other(seat), reason=RESIGNED), request.id, session.id)


def claim(world: World, session: Session, request: Claim) -> None:
    """Win over an opponent who has been gone too long."""
    match, seat = find.seat(world, request.match, session)
    require_running(match)
    wait = match.claimable_in(other(seat), world.now, world.limits.grace_s)
    if wait is None:
        raise Refuse(RefusalCode.NOT_ABSENT, "Your opponent is there.")
    if wait > 0:
        raise Refuse(
            RefusalCode.NOT_ABSENT, f"Your opponent may still come back; wait {int(wait) + 1} s more."
        )
    lifecycle.end(world, match, Outcome(winner=seat, reason=ABANDONED), request.id, session.id)


HANDLERS: dict[type, Callable[..., None]] = {Play: play, Chat: chat, Resign: resign, Claim: claim}
