"""What may be seen of a match: the one place where frames are made from a match's truth.

A viewer's `Shown` is built from the game's own `view` and legal moves for that viewer, and from events, which
are public by their nature. It is the frame of every move, so what all viewers share is packed once: it does
not pass `encode`, but is put together of what `pack` and `pack_plain` let through.
"""

from collections.abc import Callable, Iterator
from math import ceil
from typing import Any

from protocol.codec import begin_frame, framed, pack, pack_plain
from protocol.games.view import GameView
from protocol.model import SEATS, Seat, unchecked
from protocol.server_frame import Ended, Left, Offered, Seated, Shown, Sighted, Told
from server.core.match import Match

_make_seated = unchecked(Seated)
_EVENTS, _VIEW, _LEGAL, _RE = map(pack_plain, ("events", "view", "legal", "re"))
_VIEWER = {None: pack_plain(0), 1: pack_plain(1), 2: pack_plain(2)}
_NOTHING_LEGAL, _ANSWERS_NOTHING = _LEGAL + pack_plain(()), _RE + pack_plain(None)

HISTORY_CHUNK = 128
"""Events in one frame; with the longest events that stays far below the limit of a frame."""


def scene(match: Match, now: float, news: int = 0) -> bytes:
    """Pack what all viewers see alike, with the last `news` events; `shown` adds what is a viewer's own."""
    game, first = match.terms.game, len(match.events) - news
    fields: dict[str, Any] = {
        "type": "shown",
        "match": match.code,
        "turn": match.turn,
        "left_ms": None if match.deadline is None else max(0, int((match.deadline - now) * 1000)),
        "first_event": first,
    }
    if game.is_open:
        view = fields["view"] = _view(match, None).__dict__
        # Whose eyes these are comes last and is left to `shown`.
        view["viewer"] = view.pop("viewer")
    return begin_frame(Shown, _EVENTS, match.events[first:], fields, game.is_open)


def shown(match: Match, viewer: Seat | None, scene: bytes, re: int | None = None) -> bytes:
    """Show a match as it is now to a seat or a spectator; the frame is ready to be sent."""
    game = match.terms.game
    view = _VIEWER[viewer] if game.is_open else _VIEW + pack(_view(match, viewer))
    is_asked = viewer in match.owed_by and match.outcome is None
    legal = game.legal_moves(match.state, viewer) if is_asked else ()  # type: ignore[arg-type]
    choices = _LEGAL + pack_plain([choice.__dict__ for choice in legal]) if legal else _NOTHING_LEGAL
    answers = _ANSWERS_NOTHING if re is None else _RE + pack_plain(re)
    return framed(scene + view + choices + answers)


def _view(match: Match, viewer: Seat | None) -> GameView:
    view = match.terms.game.view(match.state, viewer)
    if match.outcome is not None:
        # A3: the rules do not know every end, but nobody owes a move any more.
        view.__dict__["to_act"] = ()
    return view


def told(match: Match, seen: int) -> Iterator[bytes]:
    """Tell the events after the first `seen`, in pieces that fit into frames, which are ready to be sent."""
    for start in range(min(seen, len(match.events)), len(match.events), HISTORY_CHUNK):
        fields = {"type": "told", "match": match.code, "first_event": start}
        yield framed(begin_frame(Told, _EVENTS, match.events[start : start + HISTORY_CHUNK], fields))


def seated(match: Match, session: int, is_present: Callable[[int], bool], re: int | None = None) -> Seated:
    """Show the terms of a match and the people in it."""
    first, second = match.seats or (match.creator, 0)
    return _make_seated(
        re=re,
        match=match.code,
        game=match.terms.game.id,
        options=match.terms.options,
        seat=match.seat_of(session) or 0,
        names=match.names,
        present=(is_present(first), is_present(second)),
        begun=match.seats is not None,
        first=match.terms.first,
        private=match.terms.private,
        clock_s=match.terms.clock_s,
        hints=match.terms.hints,
        score=match.score,
        spectators=len(match.spectators),
        previous=match.previous,
    )


def ended(match: Match, re: int | None = None) -> Ended:
    """Tell how a match ended."""
    if match.outcome is None:
        raise ValueError("the match goes on")
    return Ended(re=re, match=match.code, outcome=match.outcome, score=match.score)


def sighted(match: Match, seat: Seat, now: float, grace_s: float, on_purpose: bool = False) -> Sighted:
    """Tell whether a player is there."""
    wait = match.claimable_in(seat, now, grace_s)
    return Sighted(
        match=match.code,
        seat=seat,
        present=wait is None,
        claim_in_s=None if wait is None or match.outcome else ceil(wait),
        on_purpose=on_purpose,
    )


def offers(match: Match) -> Iterator[Offered]:
    """Tell which offers stand."""
    for offer, seat in match.offers.items():
        yield Offered(re=None, match=match.code, offer=offer, seat=seat, standing=True)


def absences(match: Match, now: float, grace_s: float) -> Iterator[Sighted]:
    """Tell which players are away."""
    for seat in SEATS:
        if match.absent_since[seat - 1] is not None:
            yield sighted(match, seat, now, grace_s)


def left(code: str, re: int | None = None) -> Left:
    """Tell a player that they are out of a match."""
    return Left(re=re, match=code)
