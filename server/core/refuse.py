"""The polite no to a request, and what several requests have to meet."""

from protocol.refusal import RefusalCode
from server.core.match import Match
from server.core.session import Session
from server.core.world import World

OVER_TEXT = "The match is over."
NO_ROOM_TEXT = "The server has no room for another match just now."


class Refuse(Exception):
    """A no to the request at hand, raised before the request has changed anything."""

    def __init__(self, code: RefusalCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def require_running(match: Match) -> None:
    """Refuse what cannot be done once a match is over."""
    if match.outcome is not None:
        raise Refuse(RefusalCode.MATCH_OVER, OVER_TEXT)


def require_seat_left(world: World, session: Session) -> None:
    """Refuse one more match to a player who has as many as there can be."""
    if not world.has_seat_left(session):
        raise Refuse(
            RefusalCode.TOO_MANY_MATCHES,
            f"You have {world.limits.matches_per_player} open matches, which is the most there can be; "
            "finish one first.",
        )


def require(has_left: bool) -> None:
    """Refuse what a player's address has asked for too often."""
    if not has_left:
        raise Refuse(RefusalCode.TOO_OFTEN, "Your address has asked for that too often; wait a little.")
