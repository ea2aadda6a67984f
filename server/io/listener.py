"""Where connections come in: accepted one by one, encrypted where that is wanted, and only so many at a time.

It makes a peer for each and knows nothing of what that does. asyncio's own server would begin a TLS
handshake with everybody who connects, without a limit. Here the handshakes under way are counted by origin,
and the oldest one of whoever has most gives way.
"""

import asyncio
import contextlib
import errno
import logging
import socket
import ssl
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from protocol.process.supervision import OnFault, start
from server.core.budget import Held
from server.core.presence import OLD_S
from server.core.rate import origin_of
from server.io.peer import Incoming

TLS_HIGH_WATER = 64 * 1024
AT_ONCE = 15
"""How many more are accepted together with the one that was waited for."""
BEGINNING = 4
"""Handshakes that may begin together."""

log = logging.getLogger("conquest.server")


class Meeting(NamedTuple):
    """A connection that is coming in."""

    task: asyncio.Task[object]
    peer: Incoming
    began: float


class Listeners:
    """The sockets on which a server listens."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        make_peer: Callable[[str], Incoming],
        on_fault: OnFault,
        handshakes: Held["Meeting"],
    ) -> None:
        self._loop = loop
        self._make_peer = make_peer
        self._on_fault = on_fault
        """Told when nobody can come in any more."""
        self._accepting: set[asyncio.Task[object]] = set()
        self._meetings: dict[Meeting, None] = {}
        self._handshakes = handshakes
        self._beginning = asyncio.Semaphore(BEGINNING)

    def open(
        self,
        listener: socket.socket,
        context: ssl.SSLContext | None,
        timeout_s: float,
        host: str | None = None,
    ) -> asyncio.Task[object]:
        """Accept connections on a listening socket, until the task that is returned is cancelled.

        Where a host is given, they come from there, by way of a program of ours.
        """
        accepting = self._accept(listener, context, timeout_s, host)
        task = start(accepting, "accepting", self._on_fault)
        self._accepting.add(task)
        task.add_done_callback(self._accepting.discard)
        # A task that is cancelled before it has run closes nothing by itself.
        task.add_done_callback(lambda _: listener.close())
        return task

    async def close(self) -> None:
        """Accept nobody any more, and give up handshakes that are under way."""
        # A peer that has just come in is told why it ends; uvloop would take its transport from us.
        meetings = [each.task for each in self._meetings if each.peer.transport is None]
        for task in (*self._accepting, *meetings):
            task.cancel()
        tasks = [*self._accepting, *(each.task for each in self._meetings)]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(
        self, listener: socket.socket, context: ssl.SSLContext | None, timeout_s: float, host: str | None
    ) -> None:
        with listener:
            while True:
                try:
                    came = [await self._loop.sock_accept(listener), *_others(listener)]
                except OSError as error:
                    log.warning("A connection could not be accepted: %s.", error.strerror)
                    # Out of descriptors: the connection stays in the queue and would be tried at once again.
                    await asyncio.sleep(0.2 if error.errno in (errno.EMFILE, errno.ENFILE) else 0)
                    continue
                for accepted, remote in came:
                    accepted.setblocking(False)
                    self.take(accepted, host or str(remote[0]), context, timeout_s)
                # asyncio has the next one at once, if there is one; those who play get their turn first.
                await asyncio.sleep(0)

    def take(
        self, accepted: socket.socket, host: str, context: ssl.SSLContext | None, timeout_s: float
    ) -> None:
        """Take a connection, for whose handshake another may have to give way."""
        origin = origin_of(host)
        # A connection without a handshake is counted by the kernel, which can say why it ends.
        if context is not None and not self._handshakes.fits(origin):
            old = self._handshakes.gives_way(origin, lambda each: each.began <= self._loop.time() - OLD_S)
            log.info("closed", extra={"facts": {"address": old.peer.host if old else host, "code": "full"}})
            if old is None:
                accepted.close()
                return
            self._handshakes.discard(old)
            if old.peer.transport is None:
                old.task.cancel()
        peer = self._make_peer(host)
        could_not = partial(self._could_not_meet, accepted, peer)
        task = start(self._meet(accepted, peer, context, timeout_s), "handshake", could_not)
        meeting = Meeting(task, peer, self._loop.time())
        self._meetings[meeting] = None
        if context is not None:
            self._handshakes.add(meeting, origin)
        task.add_done_callback(partial(self._met, meeting, accepted))

    def meetings(self, kind: str) -> int:
        """Count the connections that are coming in whose host begins so."""
        return sum(each.peer.host.startswith(kind) for each in self._meetings)

    def _met(self, meeting: "Meeting", accepted: socket.socket, _: object) -> None:
        del self._meetings[meeting]
        self._handshakes.discard(meeting)
        if meeting.peer.number == 0:
            # It was given up, perhaps before its task had run at all.
            accepted.close()

    async def _meet(
        self, accepted: socket.socket, peer: Incoming, context: ssl.SSLContext | None, timeout_s: float
    ) -> None:
        try:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if context is not None:
                await self._until_its_turn(accepted, timeout_s)
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: peer,
                accepted,
                ssl=context,
                ssl_handshake_timeout=timeout_s if context else None,
            )
        except (OSError, EOFError) as error:
            accepted.close()
            facts = {"address": peer.host, "code": "not_ours", "reason": type(error).__name__}
            log.info("closed", extra={"facts": facts})
            return
        if context is not None and not transport.is_closing():
            transport.set_write_buffer_limits(high=TLS_HIGH_WATER)

    async def _until_its_turn(self, accepted: socket.socket, timeout_s: float) -> None:
        """Wait for the first byte, and then until a handshake can begin; raise TimeoutError.

        A handshake costs as much as many moves: who says nothing costs none, and few begin in one turn.
        """
        spoken = asyncio.Event()
        with contextlib.suppress(NotImplementedError):
            self._loop.add_reader(accepted, spoken.set)
            try:
                async with asyncio.timeout(timeout_s):
                    await spoken.wait()
            finally:
                self._loop.remove_reader(accepted)
        async with self._beginning:
            await asyncio.sleep(0)

    def _could_not_meet(self, accepted: socket.socket, peer: Incoming, fault: BaseException) -> None:
        """Let go of the one connection that our bug has met."""
        log.error("A fault of ours while a connection came in; it is closed.", exc_info=fault)
        peer.abort()
        accepted.close()


def _others(listener: socket.socket) -> Iterator[tuple[socket.socket, Any]]:
    """Accept who else is waiting, some of them: a queue that fills up would keep people out."""
    with contextlib.suppress(OSError):
        for _ in range(AT_ONCE):
            yield listener.accept()
