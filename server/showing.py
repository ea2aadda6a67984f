"""What may be seen of a match: the one place where frames are made from a match's truth.

A viewer's `Shown` is built from the game's own `view` and legal moves for that viewer, and from events,
which are public by their nature.
"""

from collections.abc import Callable, Iterator
from math import ceil

import msgpack

from protocol.choice import Choice
from protocol.frame import Ended, Left, Offered, Seated, Shown, Sighted, Told
from protocol.model import SEATS, Seat, unchecked
from server.games.rules import Events
from server.match import Match

_make_shown = unchecked(Shown)
_make_told = unchecked(Told)

HISTORY_CHUNK = 128
"""Events in one frame; with the longest events that stays far below the limit of a frame."""


def shown(match: Match, viewer: Seat | None, now: float, events: Events = (), re: int | None = None) -> Shown:
    """Show a match as it is now to a seat or a spectator, with the events that have just happened."""
    game = match.terms.game
    legal: tuple[Choice, ...] = ()
    if viewer is not None and match.outcome is None:
        legal = game.legal_moves(match.state, viewer)
    return _make_shown(
        re=re,
        match=match.code,
        turn=match.turn,
        view=game.view(match.state, viewer),  # type: ignore[arg-type]
        legal=legal,
        first_event=len(match.events) - len(events),
        events=events,  # type: ignore[arg-type]
        left_ms=None if match.deadline is None else max(0, int((match.deadline - now) * 1000)),
    )


def told(match: Match, seen: int) -> Iterator[Told]:
    """Tell the events after the first `seen`, in pieces that fit into frames."""
    for start in range(min(seen, len(match.events)), len(match.events), HISTORY_CHUNK):
        packed = match.events[start : start + HISTORY_CHUNK]
        # As one list, and not validated again: a stranger can ask for two thousand events at a time.
        events = msgpack.unpackb(b"\xdc" + len(packed).to_bytes(2, "big") + b"".join(packed))
        yield _make_told(match=match.code, first_event=start, events=events)


def seated(match: Match, session: int, is_present: Callable[[int], bool], re: int | None = None) -> Seated:
    """Show the terms of a match and the people in it."""
    first, second = match.seats or (match.creator, 0)
    return Seated(
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


def sighted(match: Match, seat: Seat, now: float, grace_s: float) -> Sighted:
    """Tell whether a player is there."""
    wait = match.claimable_in(seat, now, grace_s)
    return Sighted(
        match=match.code,
        seat=seat,
        present=wait is None,
        claim_in_s=None if wait is None or match.outcome else ceil(wait),
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
    """Tell a player to be out of a match."""
    return Left(re=re, match=code)
