"""A relay's sockets: what is spliced passes on untouched, no faster than allowed, and nothing gathers."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from protocol.limit import RelayLimits
from protocol.link import url_text
from protocol.process.supervision import Failed
from protocol.relay import (
    FROM_RELAY,
    GREETING,
    NO_WORD,
    Guest,
    Host,
    Join,
    Line,
    No,
    Ok,
    Proof,
    Prove,
    Take,
    parse_line,
    to_sign,
    written,
)
from server.core.rate import Allowance
from server.core.relay import Rules
from server.io import proof, tls
from server.io import relay as relay_io
from server.io.relay import RelayServer
from server.io.tls import server_context

NAME = "127.0.0.1:7717"


class End:
    """A connection to the relay, as whoever made it holds it."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def say(self, line: Line | bytes) -> None:
        self.writer.write(line if isinstance(line, bytes) else written(line))

    async def hear(self) -> Line:
        async with asyncio.timeout(20):
            return parse_line((await self.reader.readuntil(b"\n"))[:-1], FROM_RELAY)

    async def rest(self) -> bytes:
        """Return what comes until the connection ends."""
        async with asyncio.timeout(20):
            return await self.reader.read()


class Place:
    """A relay in this process, and a certificate to host with."""

    def __init__(self, relay: RelayServer, home: Path) -> None:
        self.relay = relay
        self.ends: list[End] = []
        _, self.fingerprint = server_context(home)
        self.identity = tls.identity(home)

    async def come(self, line: Line | bytes = b"") -> End:
        end = End(*await asyncio.open_connection("127.0.0.1", self.relay.port))
        self.ends.append(end)
        end.say(line)
        return end

    async def close(self) -> None:
        for end in self.ends:
            end.writer.transport.abort()
        await asyncio.gather(*(end.writer.wait_closed() for end in self.ends), return_exceptions=True)
        await self.relay.stop()

    async def host(self) -> End:
        host = Host(self.fingerprint, 7717, NAME)
        end = await self.come(host)
        asked = await end.hear()
        assert isinstance(asked, Prove)
        signature = proof.sign(self.identity.key, to_sign(host, asked.challenge))
        end.say(Proof(url_text(self.identity.certificate), url_text(signature), NO_WORD))
        assert await end.hear() == Ok()
        return end

    async def pair(self) -> tuple[End, End]:
        """Bring a guest to the host; return both ends."""
        host = await self.host()
        guest = await self.come(Join(self.fingerprint, 7717))
        called = await host.hear()
        assert isinstance(called, Guest)
        taker = await self.come(Take(called.ticket))
        assert await taker.hear() == Ok() == await guest.hear()
        return guest, taker


@asynccontextmanager
async def relaying(home: Path, **limits: float) -> AsyncIterator[Place]:
    relay = RelayServer(Rules(RelayLimits(**limits)), asyncio.get_running_loop())
    relay.listen("127.0.0.1", 0)
    place = Place(relay, home)
    try:
        yield place
    finally:
        await place.close()


async def test_what_either_says_reaches_the_other_untouched(tmp_path: Path) -> None:
    async with relaying(tmp_path, bytes_per_s=10**9, bytes_burst=10**9) as place:
        guest, host = await place.pair()
        for one, other in ((guest, host), (host, guest)):
            said = os.urandom(300_000)
            one.say(said)
            assert await other.reader.readexactly(len(said)) == said
        guest.say(b"goodbye")
        guest.writer.close()
        assert await host.rest() == b"goodbye", "and then the other end ends too"


@pytest.mark.parametrize(("length", "is_taken"), [(99, True), (100, True), (101, False)])
async def test_limit_line(tmp_path: Path, length: int, is_taken: bool) -> None:
    async with relaying(tmp_path, line=100) as place:
        visitor = await place.come((GREETING + b"x" * length)[:length])
        if is_taken:
            visitor.say(b"\n")
        assert await visitor.hear() == No("line")
        assert await visitor.rest() == b""


@pytest.mark.parametrize("early", [b"\x16\x03\x01", b"\n", b"ping\n"])
async def test_a_guest_who_does_not_wait_for_the_answer_is_let_go(tmp_path: Path, early: bytes) -> None:
    async with relaying(tmp_path) as place:
        host = await place.host()
        guest = await place.come(written(Join(place.fingerprint, 7717)) + early)
        called = await host.hear()
        assert isinstance(called, Guest)
        taker = await place.come(Take(called.ticket))
        # It depends on whether the bytes have come before the host has.
        assert await taker.rest() in (b"ok\n", b"no gone\n")
        await guest.rest()


@pytest.mark.parametrize(
    "said", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01", b"\0", b"\n", b"conquest-relay 2"]
)
async def test_bytes_that_are_no_line_get_a_short_answer_at_once(tmp_path: Path, said: bytes) -> None:
    async with relaying(tmp_path, handshake_timeout_s=1000) as place:
        visitor = await place.come(said)
        assert await visitor.rest() == b"no line\n"


async def test_limit_bytes_per_s_and_bytes_burst(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Watched(Allowance):
        def spend(self, amount: float, now: float) -> float:
            waits.append(super().spend(amount, 0.0))
            return min(waits[-1], 0.001)

    monkeypatch.setattr(relay_io, "Allowance", Watched)
    monkeypatch.setattr(relay_io, "time", SimpleNamespace(monotonic=lambda: 0.0, time=lambda: 0.0))
    async with relaying(tmp_path, bytes_per_s=1000, bytes_burst=5000) as place:
        guest, host = await place.pair()
        for size, wait_s in ((4999, 0), (1, 0), (1, 0.001), (2000, 2.001)):
            guest.say(b"x" * size)
            await host.reader.readexactly(size)
            assert waits[-1] == pytest.approx(wait_s)


FLOOD = 64 * 1024 * 1024


async def flood(guest: End) -> None:
    for _ in range(FLOOD // (256 * 1024)):
        guest.say(bytes(256 * 1024))
        await guest.writer.drain()


async def test_nothing_gathers_for_who_does_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held, hold_back = asyncio.Event(), relay_io.Caller.hold_back

    def watched(caller: relay_io.Caller, is_full: bool | None = None, is_fast: bool | None = None) -> None:
        hold_back(caller, is_full, is_fast)
        held.set()

    monkeypatch.setattr(relay_io.Caller, "hold_back", watched)
    async with relaying(tmp_path, bytes_per_s=10**9, bytes_burst=64 * 1024) as place:
        guest, host = await place.pair()
        flooded = asyncio.create_task(flood(guest))
        callers = list(place.relay._callers.values())
        async with asyncio.timeout(20):
            await held.wait()
        most = 0
        for _ in range(1000):
            await asyncio.sleep(0)
            most = max(most, *(caller.transport.get_write_buffer_size() for caller in callers))
        assert most <= 512 * 1024
        assert not flooded.done()
        assert await host.reader.readexactly(FLOOD) == bytes(FLOOD), "and it all arrives in the end"
        await flooded


async def test_a_relay_that_stops_tells_hosts_and_ends_what_it_has_spliced(tmp_path: Path) -> None:
    async with relaying(tmp_path) as place:
        guest, host = await place.pair()
        waiting = await place.host()
        await place.relay.stop()
        assert await waiting.hear() == No("stopping")
        assert await guest.rest() == b"" == await host.rest()


async def test_a_fault_of_ours_is_the_relays_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with relaying(tmp_path) as place:
        monkeypatch.setattr(place.relay._relay, "heard", lambda *_: 1 / 0)
        await place.come(Take("0" * 43))
        async with asyncio.timeout(20):
            with pytest.raises(Failed, match=r"^The relay made a mistake of its own and had to stop\.$"):
                await place.relay.fate.failed()
