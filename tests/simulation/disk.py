"""A disk that keeps what it has synced and nothing else, and that can be slow, full or broken.

It writes as the real journal does: one batch at a time, all that waits together, tried again until it works.
A crash keeps any beginning of what was appended and not yet durable, each append whole or not at all.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Protocol

import msgpack

from protocol.process.supervision import OnFault
from server.core.entry import CREATED, RETIRED, Entry, Fact, Write, has_seat
from server.io.journal import always
from tests.simulation.agenda import Agenda

RETRY_S = 0.25
Read = tuple[str, Callable[[list[Entry]], None], int | None, Callable[[], bool]]


class Watcher(Protocol):
    """Who is told what the disk does."""

    def appended(self, writes: list[Write]) -> None: ...

    def synced(self, writes: list[Write]) -> None: ...

    def lost(self, writes: list[Write]) -> None: ...


class Disk:
    """The journal of a simulated server; it outlives the server."""

    name = "the simulated disk"
    commits = 0
    commit_times: tuple[float, ...] = ()

    def __init__(self, agenda: Agenda, random: Random, watcher: Watcher) -> None:
        self.latency_s = 0.002
        self.is_broken = False
        self.operations = 0
        """How many commits and reads were tried."""
        self.failing: set[int] = set()
        """Which of them fail, counted from 1."""
        self.failures = 0
        self._agenda = agenda
        self._random = random
        self._watcher = watcher
        self._entries: dict[int, list[Entry]] = {}
        self._streams: dict[str, int] = {}
        self._retired: set[int] = set()
        self._facts: dict[str, Fact] = {}
        self._boot = 0
        self._forget_process()

    def _forget_process(self) -> None:
        self._boot += 1
        self._ticket = 0
        self._pending: list[list[Write]] = []
        self._batch: list[list[Write]] = []
        self._reads: list[Read] = []
        self._is_busy = False
        self._has_stalled = False

    def start(
        self, on_durable: Callable[[int], None], on_stalled: Callable[[str], None], on_fault: OnFault
    ) -> None:
        self._on_durable = on_durable
        self._on_stalled = on_stalled

    def append(self, writes: list[Write]) -> int:
        writes = [_through_bytes(write) for write in writes]
        self._ticket += 1
        self._pending.append(writes)
        self._watcher.appended(writes)
        self._wake()
        return self._ticket

    def read(
        self,
        code: str,
        on_read: Callable[[list[Entry]], None],
        session: int | None = None,
        is_wanted: Callable[[], bool] = always,
    ) -> None:
        self._reads.append((code, on_read, session, is_wanted))
        self._wake()

    def facts(self) -> Iterator[Fact]:
        return iter(list(self._facts.values()))

    def live(self) -> Iterator[list[Entry]]:
        return (history for stream, history in self._entries.items() if stream not in self._retired)

    def history(self, code: str) -> list[Entry]:
        """Read the history of the newest match with a code; empty when there is none."""
        return self._entries.get(self._streams.get(code, -1), [])

    def close(self) -> None:
        """Let go of nothing: the disk outlives the server."""

    def fail_next(self, count: int) -> None:
        """Let the next commits and reads fail."""
        self.failing.update(range(self.operations + 1, self.operations + 1 + count))

    def crash(self) -> None:
        """Lose a part of what was not durable, from some append on to the newest."""
        waiting = self._batch + self._pending
        kept = self._random.randint(0, len(waiting))
        for writes in waiting[:kept]:
            self._keep(writes)
        for writes in waiting[kept:]:
            self._watcher.lost(writes)
        self._forget_process()

    def _wake(self) -> None:
        if not self._is_busy and (self._pending or self._reads):
            self._is_busy = True
            ticket = self._ticket
            self._batch, self._pending = self._pending, []
            reads, self._reads = self._reads, []
            delay_s = self.latency_s * self._random.uniform(0.5, 1.5)
            self._agenda.after(delay_s, self._finish, self._boot, ticket, reads)

    def _finish(self, boot: int, ticket: int, reads: list[Read]) -> None:
        if boot != self._boot:
            return
        self.operations += 1
        is_failing = self.operations in self.failing
        self.failures += is_failing
        if self._batch and (self.is_broken or is_failing):
            if not self._has_stalled:
                self._has_stalled = True
                self._on_stalled("input/output error" if is_failing else "no space left")
            self._agenda.after(RETRY_S, self._finish, boot, ticket, reads)
            return
        self._has_stalled = False
        if self._batch:
            for writes in self._batch:
                self._keep(writes)
            self._batch = []
            self._on_durable(ticket)
        for code, on_read, session, is_wanted in reads:
            history = list(self.history(code))
            may_see = session is None or has_seat(session, history[:2])
            if is_wanted():
                # The real one, too, finds nothing where it cannot read.
                on_read(history if may_see and not is_failing else [])
        self._is_busy = False
        self._wake()

    def _keep(self, writes: list[Write]) -> None:
        for write in writes:
            if isinstance(write, Fact):
                self._facts[write.key] = write
                if write.body is None:
                    del self._facts[write.key]
                continue
            self._entries.setdefault(write.stream, []).append(write)
            if write.kind == CREATED:
                self._streams[write.body["code"]] = write.stream
            elif write.kind == RETIRED:
                self._retired.add(write.stream)
        self._watcher.synced(writes)


def _through_bytes(write: Write) -> Write:
    return write._replace(body=msgpack.unpackb(msgpack.packb(write.body)))
