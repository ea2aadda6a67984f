"""Where connections come in: accepted one by one, encrypted where that is wanted, and only so many at a time.

It makes a protocol for each and knows nothing of what that does. asyncio's own server would begin a TLS
handshake for whoever connects, without a limit.
"""

import asyncio
import errno
import logging
import socket
import ssl
from collections.abc import Callable

TLS_HIGH_WATER = 64 * 1024

log = logging.getLogger("conquest.server")


class Doors:
    """The listening sockets of a server."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, make_peer: Callable[[str], asyncio.BufferedProtocol]
    ) -> None:
        self._loop = loop
        self._make_peer = make_peer
        self._accepting: list[asyncio.Task[None]] = []
        self._handshakes: set[asyncio.Task[None]] = set()

    def open(
        self, door: socket.socket, context: ssl.SSLContext | None, most_handshakes: int, timeout_s: float
    ) -> None:
        """Accept connections on a listening socket."""
        task = self._loop.create_task(self._accept(door, context, most_handshakes, timeout_s))
        # A task that is cancelled before it has run closes nothing by itself.
        task.add_done_callback(lambda _: door.close())
        self._accepting.append(task)

    async def close(self) -> None:
        """Accept nobody any more, and give up handshakes that are under way."""
        tasks = [*self._accepting, *self._handshakes]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(
        self, door: socket.socket, context: ssl.SSLContext | None, most_handshakes: int, timeout_s: float
    ) -> None:
        with door:
            while True:
                try:
                    accepted, remote = await self._loop.sock_accept(door)
                except OSError as error:
                    log.warning("A connection could not be accepted: %s.", error.strerror)
                    # Out of descriptors: the connection stays in the queue and would be tried at once again.
                    await asyncio.sleep(0.2 if error.errno in (errno.EMFILE, errno.ENFILE) else 0)
                    continue
                accepted.setblocking(False)
                # Whom we can speak to without a handshake, the kernel counts and tells why.
                if context is not None and len(self._handshakes) >= most_handshakes:
                    log.info("closed", extra={"facts": {"address": remote[0], "code": "full"}})
                    accepted.close()
                    continue
                meeting = self._loop.create_task(self._meet(accepted, str(remote[0]), context, timeout_s))
                self._handshakes.add(meeting)
                meeting.add_done_callback(self._handshakes.discard)

    async def _meet(
        self, accepted: socket.socket, host: str, context: ssl.SSLContext | None, timeout_s: float
    ) -> None:
        try:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            transport, _ = await self._loop.connect_accepted_socket(
                lambda: self._make_peer(host),
                accepted,
                ssl=context,
                ssl_handshake_timeout=timeout_s if context else None,
            )
        except (OSError, EOFError) as error:
            accepted.close()
            facts = {"address": host, "code": "not_ours", "reason": type(error).__name__}
            log.info("closed", extra={"facts": facts})
            return
        if context is not None:
            transport.set_write_buffer_limits(high=TLS_HIGH_WATER)
