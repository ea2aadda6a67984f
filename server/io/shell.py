"""The server's only contact with the world: sockets, the clock and the journal's thread.

It turns bytes into inputs for the kernel and carries out the kernel's effects, and decides nothing. All
connections share one receive buffer.
"""

import asyncio
import contextlib
import logging
import secrets
import socket
import ssl
import time
from collections.abc import Callable
from functools import partial

from protocol.codec import BadFrame, decode_client
from protocol.process.home import home
from protocol.process.supervision import Fate, guarded, in_thread
from protocol.refusal import CloseCode
from protocol.version import VERSION
from server import config
from server.core.budget import Held
from server.core.effect import Effects, Fetch
from server.core.entry import Entry, Write
from server.core.export import fetched
from server.core.input import (
    Fetched,
    Garbled,
    Gone,
    Input,
    Leaving,
    Opened,
    Received,
    Recovered,
    Stalled,
    Stopping,
    Ticked,
)
from server.core.kernel import Kernel
from server.core.rate import BY_RELAY
from server.io import address, service, tls
from server.io.journal import IN_MEMORY, CannotOpen, Journal, JournalLost
from server.io.listener import Listeners, Meeting
from server.io.log import finish_minute
from server.io.opening import open_journal
from server.io.outbox import Outbox
from server.io.peer import Peer

BANNER = f"Conquest {VERSION}"
RECEIVE_BUFFER = 64 * 1024
TICK_S = 1.0
STOP_FLUSH_S = 0.8
STOP_CLOSE_S = 0.4

log = logging.getLogger("conquest.server")


class Server:
    """A running server.

    What is safe to go on without, one connection or one answer, is let go when it fails. Any other failure
    is the end: nothing is taken or written after it, so that nothing can be built on half a step.
    """

    def __init__(self, settings: config.Config, journal: Journal, loop: asyncio.AbstractEventLoop) -> None:
        self.limits = settings.limits
        self.buffer = memoryview(bytearray(RECEIVE_BUFFER))
        self.journal = journal
        self.fingerprint: str | None = None
        """Of the certificate; None when connections are not encrypted."""
        self.identity: tls.Identity | None = None
        """Whose certificate that is."""
        self.port = 0
        self.local_port: int | None = None
        """The plain port for this machine's own clients, if there is one."""
        self.addresses: list[str] = []
        """Where friends can reach the server."""
        self.restored = 0
        """How many matches the journal brought back."""
        self._fate = Fate("server", log, JournalLost)
        self.fail, self.failed = self._fate.fail, self._fate.failed
        self._context: ssl.SSLContext | None = None
        self._loop = loop
        self._wall_start = time.time() - time.monotonic()
        self.kernel = Kernel(settings.limits, secrets.randbelow, self.now(), BANNER)
        self.outbox = Outbox(loop, settings.limits.outbox, self._close_slow, self.fail)
        self._next_number = 1
        self._writes: list[Write] = []
        self._ticket = 0
        self._is_stalled = False
        self._is_stopping = False
        self._end = Stopping(is_kept=settings.db != IN_MEMORY)
        self._ticker: asyncio.TimerHandle | None = None
        limits = settings.limits
        handshakes: Held[Meeting] = Held(limits.connections_unwelcomed, limits.connections_per_address)
        self._listeners = Listeners(loop, partial(Peer, self), self.fail, handshakes)
        self._admitted: dict[int, asyncio.Task[object]] = {}
        self._drained = asyncio.Event()
        self._leaving: set[Peer] = set()
        self._all_left = asyncio.Event()
        self._try_step = guarded(self._step, self.fail)

    def now(self) -> float:
        """Tell the time: seconds since 1970 that never jump while the server runs."""
        return self._wall_start + time.monotonic()

    # From the world to the kernel.

    def connected(self, peer: Peer) -> None:
        """Take a new connection."""
        peer.number = self._next_number
        self._next_number += 1
        self.outbox.peers[peer.number] = peer
        self.step(Opened(peer.number, peer.host))

    def arrived(self, peer: Peer, data: memoryview) -> None:
        """Take bytes from a connection and pass on the frames that they complete."""
        number, listened_to = peer.number, self.kernel.world.connections
        try:
            bodies = peer.splitter.feed(data) if number in listened_to else ()
            for body in bodies:
                # The rest of a flood is not read once it has closed its connection.
                if number not in listened_to:
                    return
                self.step(Received(number, decode_client(body)))
            if not peer.splitter.is_amid_frame():
                peer.amid_since = None
            elif bodies or peer.amid_since is None:
                peer.amid_since = self.now()
        except BadFrame as bad:
            self.step(Garbled(number, bad.code, bad.text))

    def lost(self, peer: Peer) -> None:
        """Take note that a connection is gone."""
        self.outbox.forget(peer)
        self.step(Gone(peer.number))
        self._leaving.discard(peer)
        if self._is_stopping and not self._leaving:
            self._all_left.set()

    def tick(self) -> None:
        """Let time pass."""
        late = self.now() - self.limits.frame_timeout_s
        for peer in list(self.outbox.peers.values()):
            if peer.amid_since is not None and peer.amid_since <= late:
                text = "A frame took too long to arrive."
                self.step(Garbled(peer.number, CloseCode.FRAME_LATE, text))
        self.step(Ticked())
        finish_minute(time.time())
        service.tell(service.ALIVE)
        self._ticker = self._loop.call_later(TICK_S, guarded(self.tick, self.fail))

    def _close_slow(self, peer: Peer) -> None:
        text = "You read too slowly; connect again and your seat is there."
        self.step(Garbled(peer.number, CloseCode.SLOW_READER, text))

    def step(self, given: Input) -> None:
        """Give the kernel an input and carry out what it leads to; after a failure only the end is left."""
        if self._fate.fault is None or isinstance(given, Stopping):
            self._try_step(given)

    def _step(self, given: Input) -> None:
        effects = self.kernel.step(self._wall_start + time.monotonic(), given)
        if effects.writes:
            self._keep(effects.writes)
        if effects.sends:
            self.outbox.send(effects.sends)
        if effects.fetches or effects.log or effects.faults:
            self._fetch_and_log(effects)

    def _fetch_and_log(self, effects: Effects) -> None:
        for fetch in effects.fetches:
            self._append()
            could_not = partial(self._could_not_fetch, fetch)
            is_there = partial(self.kernel.world.connections.__contains__, fetch.connection)
            on_read = guarded(partial(self._fetched, fetch), could_not)
            self.journal.read(fetch.code, on_read, fetch.session, is_there)
        for event, facts in effects.log:
            log.info(event, extra={"facts": facts})
        for fault in effects.faults:
            log.error("A fault of ours; the match at hand is frozen.\n%s", fault)

    # From the kernel to the disk.

    def _keep(self, writes: list[Write]) -> None:
        """Collect writes; all those of one loop turn are appended together."""
        if not self._writes:
            self._ticket += 1
            self.outbox.gate.appended(self._ticket)
            self._loop.call_soon(guarded(self._append, self.fail))
        self._writes += writes

    def _append(self) -> None:
        if self._writes:
            writes, self._writes = self._writes, []
            self.journal.append(writes)

    def _durable(self, ticket: int) -> None:
        if self._is_stalled:
            self._is_stalled = False
            log.warning("The journal can be written again.")
            self.step(Recovered())
        self.outbox.release(ticket)
        if self._is_stopping and self.outbox.gate.is_open():
            self._drained.set()

    def _stalled(self, reason: str) -> None:
        self._is_stalled = True
        log.error("The journal %s cannot be written: %s.", self.journal.name, reason)
        self.step(Stalled())

    def _fetched(self, fetch: Fetch, entries: list[Entry]) -> None:
        """Make the record in the thread that has read it; only packed frames come to the loop."""
        for answer in fetched(fetch, entries):
            self._from_thread(self.step, answer)

    def _could_not_fetch(self, fetch: Fetch, fault: BaseException) -> None:
        log.error("A fault of ours while reading a record.", exc_info=fault)
        self._from_thread(self.step, Fetched(fetch.connection, fetch.re, None))

    def _from_thread(self, call: Callable[..., None], *arguments: object) -> None:
        # The loop may have ended before the thread: then there is nobody left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(guarded(call, self.fail), *arguments)

    # Beginning and end.

    def restore(self) -> None:
        """Bring back what the journal holds, and begin to write to it."""
        self.restored, damage = self.kernel.restore(self.journal.facts(), self.journal.live())
        for line in damage:
            log.error("A match in the journal cannot be rebuilt and is left as it is: %s.", line)
        # A wall clock that was set back since the last start must not take our time with it.
        self._wall_start += max(0.0, self.kernel.world.now - self.now())
        self.journal.start(
            partial(self._from_thread, self._durable),
            partial(self._from_thread, self._stalled),
            partial(self._from_thread, self.fail),
        )

    def run(self, settings: config.Config) -> None:
        """Bring back what the journal holds and open the listeners. Raises OSError, `tls.CannotSecure`."""
        self.restore()
        listeners = address.listen(settings.bind, settings.port)
        try:
            is_plain = settings.bind is not None and address.is_loopback(settings.bind)
            if settings.tls or (settings.tls is None and not is_plain):
                folder = settings.certificate_folder or home()
                self._context, self.fingerprint = tls.server_context(folder)
                self.identity = tls.identity(folder)
            if settings.local_listener:
                (local,) = address.listen("127.0.0.1", 0)
                self.local_port = local.getsockname()[1]
                self._open(local, None)
        except (OSError, tls.CannotSecure):
            for listener in listeners:
                listener.close()
            raise
        self.port = listeners[0].getsockname()[1]
        self.addresses = address.reachable(settings.bind)
        for listener in listeners:
            self._open(listener, self._context)
        self._ticker = self._loop.call_later(TICK_S, guarded(self.tick, self.fail))

    def admit(self, host: str) -> int:
        """Open a plain port of this machine for somebody elsewhere, for whom its connections are counted."""
        (listener,) = address.listen("127.0.0.1", 0)
        port: int = listener.getsockname()[1]
        self._admitted[port] = self._open(listener, None, host)
        return port

    def dismiss(self, port: int) -> None:
        """Close such a port."""
        self._admitted.pop(port).cancel()

    def _open(
        self, listener: socket.socket, context: ssl.SSLContext | None, host: str | None = None
    ) -> asyncio.Task[object]:
        return self._listeners.open(listener, context, self.limits.hello_timeout_s, host)

    def take(self, accepted: socket.socket, origin: str) -> None:
        """Take a connection that a relay has led here, if those have not got their share of handshakes."""
        limits, host = self.limits, BY_RELAY + origin
        if self._is_stopping or self._listeners.meetings(BY_RELAY) >= limits.connections_unwelcomed // 2:
            accepted.close()
        else:
            self._listeners.take(accepted, host, self._context, limits.hello_timeout_s)

    def has_failed(self) -> bool:
        """Tell whether a part of the server has died."""
        return self._fate.fault is not None

    def _has_lost(self) -> bool:
        """Tell whether the journal has another owner now: no fault of ours, and players may come back."""
        return isinstance(self._fate.fault, JournalLost)

    def host_leaves(self, is_kept: bool) -> None:
        """Take note that the host has left on purpose: nobody is told that they lost the connection."""
        self._end = Stopping(CloseCode.HOST_LEFT, is_kept)
        self.step(Leaving())

    async def stop(self) -> None:
        """Stop accepting, tell everybody, wait for the disk, and let go; within two seconds."""
        self._is_stopping = True
        if self._ticker is not None:
            self._ticker.cancel()
        await self._listeners.close()
        self._leaving = {peer for peer in self.outbox.peers.values() if peer.transport is not None}
        leaving = list(self._leaving)
        is_faulty = self.has_failed() and not self._has_lost()
        self.step(self._end._replace(code=CloseCode.FAULT) if is_faulty else self._end)
        self._append()
        if not self.outbox.gate.is_open():
            try:
                await asyncio.wait_for(self._drained.wait(), STOP_FLUSH_S)
            except TimeoutError:
                self.outbox.send_last_words(self._ticket)
        await self._until_closed(leaving)
        await in_thread(self.journal.close, "closing")

    async def _until_closed(self, peers: list[Peer]) -> None:
        if self._leaving:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_left.wait(), STOP_CLOSE_S)
        for peer in peers:
            peer.abort()
        await asyncio.sleep(0)


async def start(settings: config.Config) -> Server:
    """Start a server in the running loop. Raises OSError, `CannotOpen`, `CannotSecure`."""
    journal = await in_thread(partial(open_journal, settings.db), "opening")
    server = Server(settings, journal, asyncio.get_running_loop())
    try:
        server.run(settings)
    except (OSError, CannotOpen, tls.CannotSecure):
        await in_thread(journal.close, "closing")
        raise
    return server
