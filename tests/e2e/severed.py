"""The way between a server and its database, on loopback, which can be cut amid an append or behind it.

It knows an append by the words for what happens in a match. Bytes are never changed.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

WORDS = (b"created", b"begun", b"moved", b"ended", b"retired")
CHUNK = 1 << 16


class Severed:
    """Passes everything on until it is told to cut."""

    def __init__(self, port: int) -> None:
        self.port = 0
        self._there = port
        self._wanted: str | None = None
        self._done = asyncio.Event()
        self._ways: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def listening(self) -> AsyncIterator[None]:
        """Be there for the length of a block."""
        listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = listener.sockets[0].getsockname()[1]
        try:
            yield
        finally:
            listener.close()
            for way in list(self._ways):
                way.cancel()
            await asyncio.gather(*self._ways, return_exceptions=True)

    async def sever(self, what: str) -> None:
        """Cut the next append in the middle ("request"), or keep back what it is answered ("answer")."""
        self._wanted = what
        self._done.clear()
        await self._done.wait()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_there, to_there = await asyncio.open_connection("127.0.0.1", self._there)
        except OSError:
            writer.transport.abort()
            return
        connection = _Connection(self)
        ways = {
            asyncio.create_task(connection.carry(reader, to_there, is_request=True)),
            asyncio.create_task(connection.carry(from_there, writer, is_request=False)),
        }
        self._ways |= ways
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._ways -= ways
            for end in (writer, to_there):
                end.transport.abort()

    def take(self, what: str) -> bool:
        """Tell whether this is the cut that is wanted; it is made only once."""
        if self._wanted != what:
            return False
        self._wanted = None
        return True

    def cut(self) -> None:
        """Take note that the cut was made."""
        self._done.set()


class _Connection:
    """One connection through it."""

    def __init__(self, owner: Severed) -> None:
        self._owner = owner
        self._is_doomed = False

    async def carry(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_request: bool
    ) -> None:
        """Pass bytes on in one direction, until the cut."""
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                if is_request and any(word in data for word in WORDS):
                    if self._owner.take("request"):
                        writer.write(data[: len(data) // 2])
                        await writer.drain()
                        self._owner.cut()
                        return
                    self._is_doomed = self._is_doomed or self._owner.take("answer")
                elif not is_request and self._is_doomed:
                    self._owner.cut()
                    return
                writer.write(data)
                await writer.drain()
