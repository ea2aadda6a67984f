"""What has to be on disk for a player to come back to a seat, even after the client itself was killed."""

import os

from client.core.state import ClientState, MatchState
from client.net.connection import Target
from client.net.store import Hosting, SavedSession


def seat_to_keep(
    state: ClientState, target: Target, hosting: Hosting | None, before: SavedSession | None
) -> SavedSession | None:
    """Say how to come back to the seat taken last; `before` is what was written down last, if anything.

    None where there is nothing to come back to.
    """
    # A killed client that has just come back knows no more than what was written down.
    kept = [(before.match, before.game, before.seat)] if before else []
    found = (match for match in state.matches.values() if _is_kept(match))
    seats = kept + [(match.code, match.game, match.seat) for match in found]
    if state.token is None or not seats:
        return None
    code, game, seat = seats[-1]
    return SavedSession(
        host=target.host,
        port=target.port,
        fingerprint=target.fingerprint,
        is_plain=target.is_plain,
        token=state.token,
        name=state.name,
        match=code,
        game=game,
        hosting=hosting,
        came_by=before.came_by if before else code,
        seat=seat,
        pid=os.getpid(),
        relay=target.relay,
    )


def _is_kept(match: MatchState) -> bool:
    return bool(match.seat) or not match.begun
