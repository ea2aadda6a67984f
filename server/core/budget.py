"""What each origin uses of everything that others could run out of, in one place.

An origin is whoever shares an address, or an IPv6 network: see `rate.origin_of`. What is held (a connection)
is counted until it is given back; what is spent (a guess) comes back with time. Whoever asks decides what a
no means. Everything here costs the same however many origins there are.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from typing import Generic, TypeVar

from protocol.limit import Limits
from server.core.rate import BY_RELAY

T = TypeVar("T", bound=Hashable)

WRITE_LEN = 200
"""How many bytes of the journal an entry or a fact takes, about."""
UNKNOWN = ""
"""The origin of what was made for players who are not known any more: together they are one."""


class Held(Generic[T]):
    """Things that origins hold: at most `most` in all, and `most_each` for one of them.

    Nobody takes more than what is left over for the others, so whoever has little always finds room.
    """

    __slots__ = ("_by_count", "_items", "_origins", "_top", "most", "most_each")

    def __init__(self, most: int, most_each: int) -> None:
        self.most = most
        self.most_each = most_each
        self._origins: dict[T, str] = {}
        self._items: dict[str, dict[T, None]] = {}
        """What each origin holds, oldest first."""
        self._by_count: dict[int, dict[str, None]] = {}
        """The origins that hold so many."""
        self._top = 0
        """The most that one of them holds."""

    def __len__(self) -> int:
        return len(self._origins)

    def __iter__(self) -> Iterator[T]:
        """Go through all that is held, in the order in which it was taken."""
        return iter(self._origins)

    def __contains__(self, item: T) -> bool:
        return item in self._origins

    def origin(self, item: T) -> str:
        """Tell who holds something."""
        return self._origins.get(item, UNKNOWN)

    def count(self, origin: str) -> int:
        """Tell how much one origin holds."""
        return len(self._items.get(origin, ()))

    def of(self, origin: str) -> Iterator[T]:
        """List what one origin holds, oldest first."""
        return iter(self._items.get(origin, ()))

    def oldest(self) -> T | None:
        """Tell what is held longest of all."""
        return next(iter(self._origins), None)

    def is_full(self) -> bool:
        """Tell whether nobody can have any more."""
        return len(self._origins) >= self.most

    def leaves_room(self, origin: str) -> bool:
        """Tell whether an origin holds less than what is left over for others."""
        return self.count(origin) < self.most - len(self._origins)

    def has_room(self, origin: str) -> bool:
        """Tell whether an origin may hold one more."""
        return self.count(origin) < self.most_each and self.leaves_room(origin)

    def add(self, item: T, origin: str) -> None:
        """Count something, whether there is room for it or not."""
        self.discard(item)
        self._origins[item] = origin
        items = self._items.setdefault(origin, {})
        self._move(origin, len(items), len(items) + 1)
        items[item] = None

    def discard(self, item: T) -> None:
        """Count something no longer."""
        origin = self._origins.pop(item, None)
        if origin is None:
            return
        items = self._items[origin]
        self._move(origin, len(items), len(items) - 1)
        del items[item]
        if not items:
            del self._items[origin]

    def largest(self) -> str:
        """Tell who holds most, of several who has done so longest."""
        return next(iter(self._by_count.get(self._top, (UNKNOWN,))))

    def first_to_go(self, origin: str) -> T | None:
        """Tell what gives way to one more for this origin: the oldest thing of the largest user.

        None when nobody holds more than this origin would then.
        """
        return next(self.of(self.largest())) if self._top > self.count(origin) + 1 else None

    def fits(self, origin: str) -> bool:
        """Tell whether an origin may hold one more without anything giving way."""
        return not self.is_full() and self.count(origin) < self.most_each

    def gives_way(self, origin: str, is_old: Callable[[T], bool]) -> T | None:
        """Tell what has to end before this origin can hold one more.

        It is the oldest thing of the largest user, or of the origin itself if that has as much; if all have
        one, it is what has become old. None when there is nothing like that.
        """
        mine = self.count(origin)
        if mine < self.most_each and (others := self.first_to_go(origin)) is not None:
            return others
        oldest = next(self.of(origin) if mine else iter(self._origins), None)
        return oldest if mine or (oldest is not None and is_old(oldest)) else None

    def _move(self, origin: str, before: int, after: int) -> None:
        """Keep the origins sorted by how much they hold, which changes by one at a time."""
        if before:
            del self._by_count[before][origin]
        if after:
            self._by_count.setdefault(after, {})[origin] = None
        if before and not self._by_count[before]:
            del self._by_count[before]
            self._top = after if self._top == before else self._top
        self._top = max(self._top, after)


class Spent(Generic[T]):
    """What origins or players spend: `most` at once, and it comes back bit by bit within `span_s` seconds."""

    __slots__ = ("_per_s", "_used", "most")

    def __init__(self, most: float, span_s: float) -> None:
        self.most = most
        self._per_s = most / span_s
        self._used: dict[T, tuple[float, float]] = {}
        """How much each of them has used, and when that was so; whoever has spent last comes last."""

    def __len__(self) -> int:
        return len(self._used)

    def used(self, who: T, now: float) -> float:
        """Tell how much of it has not come back yet."""
        used, at = self._used.get(who, (0.0, now))
        return max(0.0, used - (now - at) * self._per_s)

    def is_over(self, who: T, now: float) -> bool:
        """Tell whether nothing is left."""
        return self.used(who, now) > self.most - 1.0

    def spend(self, who: T, now: float, amount: float = 1.0) -> None:
        """Use some of it; what is used beyond the limit is owed."""
        used = self.used(who, now) + amount
        self._used.pop(who, None)
        self._used[who] = used, now

    def take(self, who: T, now: float) -> bool:
        """Use one; False when nothing is left."""
        if self.is_over(who, now):
            return False
        self.spend(who, now)
        return True

    def forget(self, now: float) -> None:
        """Forget whoever has it all back."""
        while self._used and not self.used(who := next(iter(self._used)), now):
            del self._used[who]


class Budget:
    """Everything that is counted by origin."""

    def __init__(self, limits: Limits) -> None:
        each = limits.connections_per_address
        self.connections: Held[int] = Held(limits.connections, each)
        """Those who have said hello, by the numbers of their connections."""
        self.unwelcomed: Held[int] = Held(limits.connections_unwelcomed, each)
        """Those who have not said hello yet."""
        self.by_relay: Held[int] = Held(limits.connections_by_relay, each)
        """Those of all who have said hello whom relays have led here: who they are is what relays say."""
        self.unwelcomed_by_relay: Held[int] = Held(limits.connections_unwelcomed // 2, each)
        self.away: tuple[Held[int], Held[int]] = (Held(limits.sessions, each), Held(limits.sessions, each))
        """Players who are away and have no seat: those who never played or watched, and the others."""
        matches, each = limits.matches, limits.matches_per_address
        self.matches: Held[str] = Held(matches, each)
        """Matches that are not over, by their codes; each is its creator's, and so is a rematch."""
        self.waiting: Held[str] = Held(matches, each)
        """Those of them that nobody has joined."""
        self.finished: Held[str] = Held(matches, each)
        """Those that are over and are still kept to be looked at, the first to end first."""
        span_s = limits.budget_s
        self.creates: Spent[str] = Spent(limits.creates_per_address, span_s)
        self.lists: Spent[str] = Spent(limits.lists_per_address, span_s)
        self.watches: Spent[str] = Spent(limits.watches_per_address, span_s)
        self.exports: Spent[str] = Spent(limits.exports_per_address, span_s)
        self.journal: Spent[str] = Spent(limits.journal_per_address, span_s)
        """Bytes, about."""
        self.guesses: Spent[str] = Spent(limits.guesses, limits.guess_window_s)
        """Wrong codes."""
        self.written: defaultdict[str, int] = defaultdict(int)
        """How much each origin had written down since the last tick: counted there, since moves are many."""
        self.overdrawn: dict[str, None] = {}
        """The origins that had too much written down."""

    def unwelcomed_of(self, origin: str) -> tuple[Held[int], ...]:
        """Name all that a connection without a hello is counted in."""
        is_led = origin.startswith(BY_RELAY)
        return (self.unwelcomed_by_relay, self.unwelcomed) if is_led else (self.unwelcomed,)

    def has_share(self, origin: str) -> bool:
        """Tell whether whoever comes by a relay takes nothing that is for others."""
        return not (origin.startswith(BY_RELAY) and self.by_relay.is_full())

    def welcome(self, number: int, origin: str) -> None:
        """Take note that a connection has said hello."""
        self.let_go(number)
        self.connections.add(number, origin)
        if origin.startswith(BY_RELAY):
            self.by_relay.add(number, origin)

    def let_go(self, number: int) -> None:
        """Count a connection no longer."""
        for held in (self.connections, self.unwelcomed, self.by_relay, self.unwelcomed_by_relay):
            held.discard(number)

    def settle(self, now: float) -> None:
        """Count what was written down, and forget what was spent long ago."""
        for origin, count in self.written.items():
            self.journal.spend(origin, now, count * WRITE_LEN)
        self.overdrawn = {
            origin: None for origin in (*self.written, *self.overdrawn) if self.journal.is_over(origin, now)
        }
        self.written.clear()
        for spent in (self.guesses, self.creates, self.lists, self.watches, self.exports, self.journal):
            spent.forget(now)
