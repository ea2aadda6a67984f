"""Everything the server knows: its memory, and nothing but that.

The functions that work on it stand beside it: `find` looks matches up, `tell` speaks to players, `presence`,
`lifecycle` and `remember` change what there is. It has no clock, no socket and no disk: the time is handed in
with each step, and what should be sent or written is collected in `effects`.
"""

from collections import Counter
from collections.abc import Callable

from protocol.limit import Limits
from server.core.budget import Budget, Spent
from server.core.effect import Effects
from server.core.match import Match
from server.core.pause import Pauses
from server.core.rate import Bucket
from server.core.session import Session, Sessions


class Connection:
    """A peer, before and after it has said who it is."""

    __slots__ = (
        "address",
        "bucket",
        "heard_at",
        "id",
        "is_awaiting_record",
        "opened_at",
        "origin",
        "session",
    )

    def __init__(self, number: int, address: str, origin: str, now: float, limits: Limits) -> None:
        self.id = number
        self.address = address
        self.origin = origin
        """For whom it is counted: many addresses may be one neighbour's."""
        self.opened_at = now
        self.heard_at = now
        self.session: Session | None = None
        self.is_awaiting_record = False
        self.bucket = Bucket(limits.frames_per_s, limits.frames_burst, now)


class World:
    """The server's memory."""

    def __init__(self, limits: Limits, randbelow: Callable[[int], int], now: float, banner: str) -> None:
        self.limits = limits
        self.banner = banner
        """What the server calls itself."""
        self.randbelow = randbelow
        self.now = now
        self.effects = Effects()
        """What the step at hand wants done."""
        self.touched: Match | None = None
        """The match that the step at hand works on; it is frozen when the step fails."""
        self.connections: dict[int, Connection] = {}
        self.sessions = Sessions(randbelow)
        self.matches: dict[str, Match] = {}
        self.pages: dict[bool, tuple[float, bytes]] = {}
        """The lists of open and of live matches, and when they were made; none while one has changed."""
        self.recounted: dict[str, None] = {}
        """Matches whose spectators have come or gone since that was told."""
        self.crowded: dict[int, None] = {}
        """Sessions of which a match has just ended, and which may have too many that are over."""
        self.clocked: dict[str, Match] = {}
        """Running matches with a clock."""
        self.pauses = Pauses()
        """When no clock ran."""
        self.budget = Budget(limits)
        self.chats: Spent[int] = Spent(limits.chat_burst, limits.chat_window_s)
        """Lines of chat, by sessions."""
        self.counts: Counter[str] = Counter()
        self.is_saving = True
        self.is_ending = False
        """Whether the server is about to stop."""

    def is_present(self, session_id: int) -> bool:
        """Tell whether a player is connected."""
        return self.sessions.connection_of(session_id) is not None

    def has_seat_left(self, session: Session) -> bool:
        """Tell whether a player may have one more match."""
        unfinished = sum(1 for code in session.seated if self.matches[code].outcome is None)
        return unfinished < self.limits.matches_per_player
