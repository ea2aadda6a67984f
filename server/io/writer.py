"""What every real journal shares: one thread, all that waits in one commit, tried again until it is kept.

What was played long ago is read by another thread, on a connection of its own, so that no move waits for it.
It knows no database; a journal says how a batch is committed and a history read, and how these fail.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, ClassVar, NamedTuple

import msgpack

from protocol.process.supervision import OnFault, start_thread
from server.core.entry import RETIRED, Entry, Fact, Write, has_seat
from server.io.journal import always, first_line

RETRY_S = 0.25
TIMES_KEPT = 1000


Line = tuple[int, int, str, str | None, bytes]
"""An entry as it is kept: stream, place, kind, the code where a match begins, and the body."""
Record = tuple[str, bytes]
"""A fact as it is kept."""


class _Wish(NamedTuple):
    """A history that is to be read once a ticket is durable."""

    ticket: int
    code: str
    on_read: Callable[[list[Entry]], None]
    session: int | None
    is_wanted: Callable[[], bool]


class Writer(ABC):
    """What is the same in every real journal; a journal adds how it reads and writes."""

    failures: ClassVar[type[Exception]]
    """What a commit or a read raises when it can be tried again; anything else is a fault."""
    beat_s: ClassVar[float | None] = None
    """How long the thread may rest before `_beat` is due; None: for ever."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.commit_times: deque[float] = deque(maxlen=TIMES_KEPT)
        """How long the last commits took, in seconds."""
        self.commits = 0
        self._on_durable: Callable[[int], None] = _nothing
        self._on_stalled: Callable[[str], None] = _nothing
        self._wake = threading.Condition()
        self._pending: list[Write] = []
        self._ticket = 0
        self._durable = 0
        self._wishes: deque[_Wish] = deque()
        self._ready = threading.Condition()
        """Woken when there is something to read that is durable."""
        self._is_closing = False
        self._threads: list[threading.Thread] = []

    @abstractmethod
    def facts(self) -> Iterator[Fact]:
        """Read every fact that stands."""

    @abstractmethod
    def live(self) -> Iterator[list[Entry]]:
        """Read the history of every match that was not put away, oldest first."""

    @abstractmethod
    def history(self, code: str, most: int | None = None) -> list[Entry]:
        """Read the history of the newest match with a code, or its beginning; empty when there is none.

        This is done on a connection that is used for nothing else.
        """

    @abstractmethod
    def lines(self) -> Iterator[Line]:
        """Read every entry as it is kept, in the order of writing."""

    @abstractmethod
    def records(self) -> Iterator[Record]:
        """Read every fact as it is kept, in the order of their keys."""

    @abstractmethod
    def size(self) -> int:
        """Count the entries and facts."""

    @abstractmethod
    def filling(self, lines: Iterable[Line], records: Iterable[Record]) -> AbstractContextManager[None]:
        """Fill an empty journal; all of it is kept when the block ends, none if by an exception."""

    @abstractmethod
    def _commit(self, batch: list[Write]) -> None:
        """Write a batch in one transaction, which is durable when this returns."""

    @abstractmethod
    def _let_go(self) -> None:
        """Let go of what the journal holds; its threads have ended."""

    @abstractmethod
    def _give_up_reading(self) -> None:
        """Let a read that is under way fail, if it could take long: somebody waits for the server to stop."""

    @abstractmethod
    def _beat(self) -> None:
        """Show that this server is alive, if the journal has to be told."""

    def start(
        self, on_durable: Callable[[int], None], on_stalled: Callable[[str], None], on_fault: OnFault
    ) -> None:
        """Begin to write and to read, each in a thread of its own."""
        self._on_durable = on_durable
        self._on_stalled = on_stalled
        self._threads = [
            start_thread(self._write_for_ever, "journal", on_fault),
            start_thread(self._read_for_ever, "records", on_fault),
        ]

    def append(self, writes: list[Write]) -> int:
        """Take writes, to be kept all or none, and return their ticket."""
        with self._wake:
            self._ticket += 1
            self._pending += writes
            self._wake.notify()
            return self._ticket

    def read(
        self,
        code: str,
        on_read: Callable[[list[Entry]], None],
        session: int | None = None,
        is_wanted: Callable[[], bool] = always,
    ) -> None:
        """Have the history of the newest match with a code read, behind all that was appended."""
        with self._ready:
            self._wishes.append(_Wish(self._ticket, code, on_read, session, is_wanted))
            self._ready.notify()

    def close(self) -> None:
        """Write what is pending, if that is possible now, and let go of the journal."""
        with self._wake:
            self._is_closing = True
            self._wake.notify()
        with self._ready:
            self._ready.notify()
        self._give_up_reading()
        for thread in self._threads:
            thread.join()
        self._let_go()

    def _write_for_ever(self) -> None:
        while True:
            with self._wake:
                has_rested = False
                while not (self._pending or self._is_closing or has_rested):
                    has_rested = not self._wake.wait(self.beat_s)
                if self._is_closing and not self._pending:
                    return
                batch, self._pending = self._pending, []
                ticket = self._ticket
            if batch:
                if not self._commit_in_the_end(batch):
                    return
                self._durable = ticket
                self._on_durable(ticket)
                if self._wishes:
                    with self._ready:
                        self._ready.notify()
            self._beat()

    def _read_for_ever(self) -> None:
        while True:
            with self._ready:
                while not (self._is_closing or (self._wishes and self._wishes[0].ticket <= self._durable)):
                    self._ready.wait()
                if self._is_closing:
                    return
                wish = self._wishes.popleft()
            if wish.is_wanted():
                wish.on_read(self._read_quietly(wish.code, wish.session))

    def _commit_in_the_end(self, batch: list[Write]) -> bool:
        """Commit a batch, trying again for as long as it takes; False when closing came first."""
        has_stalled = False
        while True:
            is_last_try = self._is_closing
            began = time.perf_counter()
            try:
                self._commit(batch)
            except self.failures as error:
                if is_last_try:
                    return False
                if not has_stalled:
                    has_stalled = True
                    self._on_stalled(first_line(error))
                with self._wake:
                    if not self._is_closing:
                        self._wake.wait(RETRY_S)
            else:
                self.commits += 1
                self.commit_times.append(time.perf_counter() - began)
                return True

    def _read_quietly(self, code: str, session: int | None) -> list[Entry]:
        try:
            if session is not None and not has_seat(session, self.history(code, 2)):
                return []
            return self.history(code)
        except self.failures:
            return []


pack: Callable[[dict[str, Any]], bytes] = msgpack.Packer().pack
"""Make the body of an entry or a fact ready to be kept. Only the journal's thread does that."""


def unpacked(body: bytes) -> dict[str, Any]:
    """Read a body; a damaged one is empty, so that what somebody needs from it is missing."""
    try:
        found = msgpack.unpackb(body)
    except (ValueError, TypeError, msgpack.UnpackException):
        return {}
    return found if isinstance(found, dict) else {}


def unbegun(batch: Iterable[Write]) -> set[int]:
    """Find the matches that are put away before they have begun: nothing of them is kept."""
    entries = (write for write in batch if isinstance(write, Entry))
    return {entry.stream for entry in entries if entry.kind == RETIRED and entry.place == 1}


def _nothing(_: object) -> None:
    """Be told of something before anybody listens."""
