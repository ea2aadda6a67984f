"""The seat: what a player has at one match after another, whichever face shows it."""

from collections.abc import Callable
from dataclasses import dataclass

from client.core.games.renderer import Lines
from protocol.link import Link


@dataclass(frozen=True, slots=True)
class Arrival:
    """How somebody comes to a match, and what leaving it means."""

    request: int | None = None
    """The request that must succeed for there to be a match at all."""
    code: str | None = None
    """The match to go back to, when there is no request."""
    way_back: str = "Your seat is kept. The way back: conquest join --resume"
    """What to say on leaving a match that is not over; empty where there is no seat to come back to."""
    quit_question: str | None = None
    """What to ask before leaving a match that is not over, if leaving does harm."""
    unfinished: str = ""
    """What has failed when the input ends during the match; empty where the match can be gone back to."""
    on_open: Callable[[str], Lines] = lambda code: ()
    """Called with the code of a match that waits for its second player; says what to show meanwhile."""
    link: Callable[[str], Link] | None = None
    """Makes the link to a match of our own, for faces that show it in their own way."""
