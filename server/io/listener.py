"""Where connections come in: accepted one by one, encrypted where that is wanted, and only so many at a time.

It makes a peer for each and knows nothing of what that does. asyncio's own server would begin a TLS
handshake with everybody who connects, without a limit.
"""

import asyncio
import errno
import logging
import socket
import ssl
from collections.abc import Callable
from functools import partial

from protocol.process.supervision import OnFault, start
from server.io.peer import Peer

TLS_HIGH_WATER = 64 * 1024

log = logging.getLogger("conquest.server")


class Listeners:
    """The sockets on which a server listens."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, make_peer: Callable[[str], Peer], on_fault: OnFault
    ) -> None:
        self._loop = loop
        self._make_peer = make_peer
        self._on_fault = on_fault
        """Told when nobody can come in any more."""
        self._accepting: list[asyncio.Task[object]] = []
        self._handshakes: dict[asyncio.Task[object], Peer] = {}

    def open(
        self, listener: socket.socket, context: ssl.SSLContext | None, most_handshakes: int, timeout_s: float
    ) -> None:
        """Accept connections on a listening socket."""
        accepting = self._accept(listener, context, most_handshakes, timeout_s)
        task = start(accepting, "accepting", self._on_fault)
        # A task that is cancelled before it has run closes nothing by itself.
        task.add_done_callback(lambda _: listener.close())
        self._accepting.append(task)

    async def close(self) -> None:
        """Accept nobody any more, and give up handshakes that are under way."""
        tasks = [*self._accepting, *self._handshakes]
        for task in tasks:
            # A peer that has just come in is told why it ends; uvloop would take its transport from us.
            if task not in self._handshakes or self._handshakes[task].transport is None:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(
        self, listener: socket.socket, context: ssl.SSLContext | None, most_handshakes: int, timeout_s: float
    ) -> None:
        with listener:
            while True:
                try:
                    accepted, remote = await self._loop.sock_accept(listener)
                except OSError as error:
                    log.warning("A connection could not be accepted: %s.", error.strerror)
                    # Out of descriptors: the connection stays in the queue and would be tried at once again.
                    await asyncio.sleep(0.2 if error.errno in (errno.EMFILE, errno.ENFILE) else 0)
                    continue
                accepted.setblocking(False)
                # A connection without a handshake is counted by the kernel, which can say why it ends.
                if context is not None and len(self._handshakes) >= most_handshakes:
                    log.info("closed", extra={"facts": {"address": remote[0], "code": "full"}})
                    accepted.close()
                    continue
                peer = self._make_peer(str(remote[0]))
                could_not = partial(self._could_not_meet, accepted, peer)
                meeting = start(self._meet(accepted, peer, context, timeout_s), "handshake", could_not)
                self._handshakes[meeting] = peer
                meeting.add_done_callback(self._handshakes.pop)

    async def _meet(
        self, accepted: socket.socket, peer: Peer, context: ssl.SSLContext | None, timeout_s: float
    ) -> None:
        try:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
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

    def _could_not_meet(self, accepted: socket.socket, peer: Peer, fault: BaseException) -> None:
        """Let go of the one connection that our bug has met."""
        log.error("A fault of ours while a connection came in; it is closed.", exc_info=fault)
        peer.abort()
        accepted.close()
