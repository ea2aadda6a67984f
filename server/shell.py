"""The server's only contact with the world: sockets, the clock and the journal's thread.

It turns bytes into inputs for the kernel and carries out the kernel's effects, and decides nothing. No queue
and no task belongs to a connection: all share one receive buffer, and each is written to once a loop turn.
"""

import asyncio
import contextlib
import logging
import secrets
import socket
import ssl
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import cast

from protocol.codec import BadFrame, Splitter, decode_client
from protocol.frame import ServerFrame
from protocol.refusal import CloseCode
from server import address, config, tls
from server.door import Doors
from server.entry import Entry, Write
from server.gate import Gate
from server.journal import SqliteJournal
from server.kernel import (
    Fetched,
    Garbled,
    Gone,
    Input,
    Kernel,
    Opened,
    Received,
    Recovered,
    Stalled,
    Stopping,
    Thought,
    Ticked,
)
from server.match import Damaged
from server.transcript import Transcript, transcribe
from server.world import Effects, Fetch, Think

BANNER = "Conquest 0.1.0"
RECEIVE_BUFFER = 64 * 1024
TICK_S = 1.0
FAREWELL_S = 2.0
"""How long a connection that was told to end may take to read why."""
STOP_FLUSH_S = 0.8
STOP_CLOSE_S = 0.4
NEGLIGIBLE = 4 * 1024
"""Bytes that are not worth looking for at the gate when the connection they wait for is gone."""

log = logging.getLogger("conquest.server")


class Peer(asyncio.BufferedProtocol):
    """One connection's end of the line."""

    __slots__ = ("_shell", "amid_since", "held", "host", "number", "out", "splitter", "transport")

    def __init__(self, shell: "Server", host: str) -> None:
        self._shell = shell
        self.host = host
        self.number = 0
        self.splitter = Splitter(shell.limits.frame, shell.limits.frame_before_hello)
        self.out = b""
        """What is to be written in this loop turn."""
        self.held = 0
        """Bytes that wait at the gate for the disk."""
        self.amid_since: float | None = None
        """When the unfinished frame began to arrive."""
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self._shell.connected(self)

    def get_buffer(self, sizehint: int) -> memoryview:
        return self._shell.buffer

    def buffer_updated(self, nbytes: int) -> None:
        self._shell.arrived(self, self._shell.buffer[:nbytes])

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        self._shell.lost(self)


class Server:
    """A running server."""

    def __init__(
        self, settings: config.Config, journal: SqliteJournal, loop: asyncio.AbstractEventLoop
    ) -> None:
        self.limits = settings.limits
        self.buffer = memoryview(bytearray(RECEIVE_BUFFER))
        self.journal = journal
        self.fingerprint: str | None = None
        """Of the certificate; None when connections are not encrypted."""
        self.port = 0
        self.local_port: int | None = None
        """The plain port for this machine's own clients, if there is one."""
        self.addresses: list[str] = []
        """Where friends can reach the server."""
        self.restored = 0
        """How many matches the journal brought back."""
        self._loop = loop
        self._wall_start = time.time() - time.monotonic()
        self.kernel = Kernel(settings.limits, secrets.randbelow, self.now(), BANNER)
        self._gate = Gate()
        self._peers: dict[int, Peer] = {}
        self._next_number = 1
        self._writes: list[Write] = []
        self._ticket = 0
        self._dirty: list[Peer] = []
        self._thinker = ThreadPoolExecutor(1, "thinker")
        self._is_stalled = False
        self._is_stopping = False
        self._ticker: asyncio.TimerHandle | None = None
        self._doors = Doors(loop, partial(Peer, self))
        self._drained = asyncio.Event()
        self._leaving: set[Peer] = set()
        self._all_left = asyncio.Event()

    def now(self) -> float:
        """Tell the time: seconds since 1970 that never jump while the server runs."""
        return self._wall_start + time.monotonic()

    # From the world to the kernel.

    def connected(self, peer: Peer) -> None:
        """Take a new connection."""
        peer.number = self._next_number
        self._next_number += 1
        self._peers[peer.number] = peer
        self.step(Opened(peer.number, peer.host))

    def arrived(self, peer: Peer, data: memoryview) -> None:
        """Take bytes from a connection and pass on the frames that they complete."""
        number, listened_to = peer.number, self.kernel.world.connections
        try:
            bodies = peer.splitter.feed(data) if number in listened_to else ()
            for body in bodies:
                # Whoever was closed amid a flood costs nobody the time to read the rest of it.
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
        self._peers.pop(peer.number, None)
        if peer.held > NEGLIGIBLE:
            # Who comes back again and again while the disk is slow must not pile up there.
            self._gate.forget(peer.number)
        self.step(Gone(peer.number))
        self._leaving.discard(peer)
        if self._is_stopping and not self._leaving:
            self._all_left.set()

    def tick(self) -> None:
        """Let time pass."""
        late = self.now() - self.limits.frame_timeout_s
        for peer in list(self._peers.values()):
            if peer.amid_since is not None and peer.amid_since <= late:
                text = "A frame took too long to arrive."
                self.step(Garbled(peer.number, CloseCode.FRAME_LATE, text))
        self.step(Ticked())
        self._ticker = self._loop.call_later(TICK_S, self.tick)

    def step(self, given: Input) -> None:
        """Give the kernel an input and carry out what it leads to."""
        effects = self.kernel.step(self._wall_start + time.monotonic(), given)
        if effects.writes:
            self._keep(effects.writes)
        if effects.sends:
            self._send(effects)
        if effects.fetches or effects.thinks or effects.log or effects.faults:
            self._do_the_rare(effects)

    def _do_the_rare(self, effects: Effects) -> None:
        for fetch in effects.fetches:
            self._append()
            self.journal.read(fetch.code, partial(self._fetched, fetch))
        for think in effects.thinks:
            self._thinker.submit(think.work).add_done_callback(partial(self._thought, think))
        for event, facts in effects.log:
            log.info(event, extra={"facts": facts})
        for fault in effects.faults:
            log.error("A fault of ours; the match at hand is frozen.\n%s", fault)

    # From the kernel to the disk.

    def _keep(self, writes: list[Write]) -> None:
        """Collect writes; all those of one loop turn are appended together."""
        if not self._writes:
            self._ticket += 1
            self._gate.appended(self._ticket)
            self._loop.call_soon(self._append)
        self._writes += writes

    def _append(self) -> None:
        if self._writes:
            writes, self._writes = self._writes, []
            self.journal.append(writes)

    def _durable(self, ticket: int) -> None:
        for number, data, _, is_last in self._gate.durable(ticket):
            peer = self._peers.get(number)
            if peer is not None:
                peer.held -= len(data)
                self._put(peer, data, is_last)
        if self._is_stalled:
            self._is_stalled = False
            log.warning("The journal can be written again.")
            self.step(Recovered())
        if self._is_stopping and self._gate.is_open():
            self._drained.set()

    def _stalled(self, reason: str) -> None:
        self._is_stalled = True
        log.error("The journal %s cannot be written: %s.", self.journal.path, reason)
        self.step(Stalled())

    def _fetched(self, fetch: Fetch, entries: list[Entry]) -> None:
        """Make the record in the journal's thread; only the finished one comes to the loop."""
        record: Transcript | None = None
        with contextlib.suppress(Damaged):
            record = transcribe(entries)
        self._from_thread(self.step, Fetched(fetch.connection, fetch.re, record, fetch.review))

    def _thought(self, think: Think, result: Future[ServerFrame]) -> None:
        """Take from the thinker's thread what was worked out, or the trace of our bug."""
        if result.cancelled():
            return  # The server stops, and whoever asked was told so.
        problem = result.exception()
        if problem is not None:
            log.error("A fault of ours while thinking.", exc_info=problem)
        frame = None if problem else result.result()
        self._from_thread(self.step, Thought(think.connection, think.re, frame))

    def _from_thread(self, call: Callable[..., None], *arguments: object) -> None:
        # The loop may have ended before the thread: then there is nobody left to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call, *arguments)

    # From the kernel to the world.

    def _send(self, effects: Effects) -> None:
        peers, gate = self._peers, self._gate
        is_open = gate.is_open()
        queue = [] if is_open else gate.queue()
        for send in effects.sends:
            number, data, is_urgent, is_last = send
            peer = peers.get(number)
            if peer is None:
                continue
            if is_open or is_urgent:
                self._put(peer, data, is_last)
                continue
            queue.append(send)
            peer.held += len(data)
            if peer.held > self.limits.outbox:
                self._drop_slow(peer)

    def _put(self, peer: Peer, data: bytes, is_last: bool) -> None:
        if not peer.out:
            if not self._dirty:
                self._loop.call_soon(self._flush)
            self._dirty.append(peer)
        peer.out += data
        if is_last:
            self._write_out(peer)
            self._part_from(peer)
        elif len(peer.out) > self.limits.outbox:
            # Nothing is written before the turn ends; who asks for that much at once must not hold it up.
            self._drop_slow(peer)

    def _flush(self) -> None:
        dirty, self._dirty = self._dirty, []
        for peer in dirty:
            self._write_out(peer)

    def _write_out(self, peer: Peer) -> None:
        transport, out = peer.transport, peer.out
        if transport is None or not out:
            return
        peer.out = b""
        transport.write(out)
        if transport.get_write_buffer_size() > self.limits.outbox:
            self._drop_slow(peer)

    def _drop_slow(self, peer: Peer) -> None:
        text = "You read too slowly; connect again and your seat is there."
        self.step(Garbled(peer.number, CloseCode.SLOW_READER, text))
        self._peers.pop(peer.number, None)
        if peer.transport is not None:
            peer.transport.abort()

    def _part_from(self, peer: Peer) -> None:
        """Close a connection once it has read its last frame, or soon in any case."""
        self._peers.pop(peer.number, None)
        transport = peer.transport
        if transport is not None:
            transport.close()
            self._loop.call_later(FAREWELL_S, transport.abort)

    # Beginning and end.

    def restore(self) -> None:
        """Bring back what the journal holds, and begin to write to it."""
        self.restored, damage = self.kernel.restore(self.journal.records(), self.journal.live())
        for line in damage:
            log.error("A match in the journal cannot be rebuilt and is left as it is: %s.", line)
        # A wall clock that was set back since the last start must not take our time with it.
        self._wall_start += max(0.0, self.kernel.world.now - self.now())
        self.journal.start(
            partial(self._from_thread, self._durable), partial(self._from_thread, self._stalled)
        )

    def run(self, settings: config.Config) -> None:
        """Bring back what the journal holds and open the doors. Raises OSError, `tls.CannotSecure`."""
        self.restore()
        doors = address.listen(settings.bind, settings.port)
        context = None
        try:
            is_plain = settings.bind is not None and address.is_loopback(settings.bind)
            if settings.tls or (settings.tls is None and not is_plain):
                folder = settings.certificate_folder or config.home()
                context, self.fingerprint = tls.server_context(folder)
            if settings.local_door:
                (local,) = address.listen("127.0.0.1", 0)
                self.local_port = local.getsockname()[1]
                self._open(local, None)
        except (OSError, tls.CannotSecure):
            for door in doors:
                door.close()
            raise
        self.port = doors[0].getsockname()[1]
        self.addresses = address.reachable(settings.bind)
        for door in doors:
            self._open(door, context)
        self._ticker = self._loop.call_later(TICK_S, self.tick)

    def _open(self, door: socket.socket, context: ssl.SSLContext | None) -> None:
        limits = self.limits
        self._doors.open(door, context, limits.connections_unwelcomed, limits.hello_timeout_s)

    async def stop(self) -> None:
        """Stop accepting, tell everybody, wait for the disk, and let go; within two seconds."""
        self._is_stopping = True
        if self._ticker is not None:
            self._ticker.cancel()
        await self._doors.close()
        self._leaving = {peer for peer in self._peers.values() if peer.transport is not None}
        leaving = list(self._leaving)
        self.step(Stopping())
        self._append()
        if not self._gate.is_open():
            try:
                await asyncio.wait_for(self._drained.wait(), STOP_FLUSH_S)
            except TimeoutError:
                self._say_farewell()
        await self._until_closed(leaving)
        self._thinker.shutdown(wait=False, cancel_futures=True)
        await asyncio.to_thread(self.journal.close)

    def _say_farewell(self) -> None:
        """Let last words go although the disk does not answer; what else waited for it is never shown."""
        for number, data, _, is_last in self._gate.durable(self._ticket):
            peer = self._peers.get(number)
            if is_last and peer is not None:
                self._put(peer, data, is_last)

    async def _until_closed(self, peers: list[Peer]) -> None:
        if self._leaving:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._all_left.wait(), STOP_CLOSE_S)
        for peer in peers:
            if peer.transport is not None:
                peer.transport.abort()
        await asyncio.sleep(0)


async def start(settings: config.Config) -> Server:
    """Start a server in the running loop. Raises OSError, `CannotOpen`, `CannotSecure`."""
    journal = SqliteJournal(settings.db)
    server = Server(settings, journal, asyncio.get_running_loop())
    try:
        server.run(settings)
    except (OSError, tls.CannotSecure):
        await asyncio.to_thread(journal.close)
        raise
    return server
