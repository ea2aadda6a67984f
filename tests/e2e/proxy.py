"""A bad network on loopback: a proxy that delays, trickles, stalls, resets and cuts what passes through it.

Each connection gets the next trouble of a list; when the list is used up, all is calm. A trouble strikes
after some bytes, so that it hits anything from a hello to the middle of a frame. Bytes are never changed or
reordered, and none is lost without the connection being lost: as with TCP. It knows nothing of frames.
"""

import asyncio
import socket
import struct
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from random import Random

LATENCY = "latency"
TRICKLE = "trickle"
STALL = "stall"
RESET = "reset"
CUT = "cut"
TROUBLES = (LATENCY, TRICKLE, STALL, RESET, CUT)
CALM = "calm"

BYTES_AT_MOST = 1500
"""How much may pass before a trouble strikes, and again before a connection that it did not end is reset."""


class Proxy:
    """Stands between clients and a server; for clients it is where the server is."""

    def __init__(
        self,
        port: int,
        fingerprint: str | None,
        troubles: Iterable[str],
        seed: int,
        pace_s: float = 0.02,
        spared: int = 0,
    ) -> None:
        self.port = 0
        self.fingerprint = fingerprint
        self.pace_s = pace_s
        """How long one byte takes where they trickle; a stall takes fifty times that."""
        self.struck: Counter[str] = Counter()
        """How often each trouble has come about."""
        self.spared = spared
        """How many bytes of each connection are safe from trouble."""
        self._server_port = port
        self._random = Random(seed)
        self._troubles = list(troubles)
        self.calmed = asyncio.Event()
        """Set when all troubles are used up."""
        self._tunnels: set[asyncio.Task[None]] = set()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection, until either side ends it or trouble does."""
        trouble = self._troubles.pop(0) if self._troubles else CALM
        if not self._troubles:
            self.calmed.set()
        try:
            there = await asyncio.open_connection("127.0.0.1", self._server_port)
        except OSError:
            writer.transport.abort()
            return
        after = self.spared + self._random.randrange(BYTES_AT_MOST)
        tunnel = _Tunnel(self, trouble, after, (writer, there[1]))
        ways = [
            asyncio.create_task(tunnel.carry(reader, there[1])),
            asyncio.create_task(tunnel.carry(there[0], writer)),
        ]
        self._tunnels.update(ways)
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._tunnels.difference_update(ways)
            tunnel.end()

    def delay_s(self) -> float:
        """Tell how long a piece is held up where there is latency."""
        return self._random.uniform(0.0, 2 * self.pace_s)


class _Tunnel:
    """One connection through the proxy."""

    def __init__(
        self,
        proxy: Proxy,
        trouble: str,
        after: int,
        writers: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
    ) -> None:
        self._proxy = proxy
        self._trouble = trouble
        self._left = after
        self._left_then = BYTES_AT_MOST
        self._writers = writers

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass bytes on in one direction."""
        with suppress(OSError):
            while data := await reader.read(4096):
                spared, struck = data[: self._left], data[self._left :]
                self._left -= len(spared)
                writer.write(spared)
                if struck and not await self._strike(struck, writer):
                    return
                await writer.drain()

    async def _strike(self, data: bytes, writer: asyncio.StreamWriter) -> bool:
        """Do to some bytes what the trouble is; False when the connection is over."""
        trouble, pace_s = self._trouble, self._proxy.pace_s
        if self._trouble != CALM:
            self._left_then -= len(data)
            self._proxy.struck[trouble] += 1
        match trouble:
            case "latency":
                await asyncio.sleep(self._proxy.delay_s())
            case "trickle":
                for at in range(len(data) - 1):
                    if writer.transport.is_closing():
                        return False
                    writer.write(data[at : at + 1])
                    await asyncio.sleep(pace_s)
                data = data[-1:]
            case "stall":
                await asyncio.sleep(50 * pace_s)
            case "reset":
                return False
            case "cut":
                # Nothing arrives any more, and nobody is told: each side must notice by itself.
                await asyncio.sleep(300 * pace_s)
                return False
        writer.write(data)
        return self._left_then > 0

    def end(self) -> None:
        """End both halves at once, by a reset."""
        for writer in self._writers:
            at_once = struct.pack("ii", 1, 0)
            with suppress(OSError):
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
            writer.transport.abort()


@asynccontextmanager
async def proxied(proxy: Proxy) -> AsyncIterator[Proxy]:
    """Run a proxy for the length of a block."""
    door = await asyncio.start_server(proxy.accept, "127.0.0.1", 0)
    proxy.port = door.sockets[0].getsockname()[1]
    try:
        yield proxy
    finally:
        door.close()
        for tunnel in list(proxy._tunnels):
            tunnel.cancel()
        await asyncio.gather(*proxy._tunnels, return_exceptions=True)
        await asyncio.sleep(0)
