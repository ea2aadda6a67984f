"""A host's connection to a relay, and what a relay may do to it."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from client.core.failure import CouldNot
from client.net import relayed as subject
from client.net.relay import NO_RELAY, RelayAddress
from client.net.relayed import LOST, MOST_AT_ONCE, Led, relayed
from protocol.relay import (
    TO_RELAY,
    Guest,
    Host,
    Line,
    No,
    Ok,
    Ping,
    Pong,
    Proof,
    Prove,
    Take,
    parse_line,
    written,
)

KEY = "k" * 43


class Relay:
    """A relay that does what a test wants."""

    def __init__(self) -> None:
        self.came: asyncio.Queue[Visitor] = asyncio.Queue()
        self.visitors: list[Visitor] = []
        self.port = 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        visitor = Visitor(reader, writer)
        self.visitors.append(visitor)
        self.came.put_nowait(visitor)
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def visitor(self) -> "Visitor":
        async with asyncio.timeout(20):
            return await self.came.get()

    async def lists(self) -> "Visitor":
        """Take a host in."""
        host = await self.visitor()
        assert isinstance(await host.heard(), Host)
        host.say(Prove(KEY, "free"))
        assert isinstance(await host.heard(), Proof)
        host.say(Ok())
        return host


class Visitor:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def say(self, line: Line | bytes) -> None:
        self.writer.write(line if isinstance(line, bytes) else written(line))

    async def heard(self) -> Line:
        async with asyncio.timeout(20):
            return parse_line((await self.reader.readuntil(b"\n"))[:-1], TO_RELAY)


class Home:
    """A host, and what it was told."""

    def __init__(self, port: int) -> None:
        self.said: asyncio.Queue[str] = asyncio.Queue()
        self.taken: asyncio.Queue[tuple[socket.socket, str]] = asyncio.Queue()
        self.address = RelayAddress("127.0.0.1", port)
        self.led = Led(
            KEY, 7717, lambda text: (b"certificate", text), lambda *guest: self.taken.put_nowait(guest)
        )

    def at_relay(self, is_patient: bool = False) -> contextlib.AbstractAsyncContextManager[None]:
        return relayed(self.led, self.address, self.said.put_nowait, is_patient)

    async def told(self) -> str:
        async with asyncio.timeout(20):
            return await self.said.get()


@asynccontextmanager
async def neighbours(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[tuple[Relay, Home]]:
    monkeypatch.setattr(subject.backoff, "delay", lambda failures, fraction: 0)
    relay = Relay()
    server = await asyncio.start_server(relay.accept, "127.0.0.1", 0)
    try:
        yield relay, Home(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        for visitor in relay.visitors:
            visitor.writer.transport.abort()
        await server.wait_closed()


async def test_a_guest_is_fetched_and_handed_over_untouched(monkeypatch: pytest.MonkeyPatch) -> None:
    async with neighbours(monkeypatch) as (relay, home):
        host = asyncio.create_task(relay.lists())
        async with home.at_relay():
            (await host).say(Guest(KEY, "abc"))
            taker = await relay.visitor()
            assert await taker.heard() == Take(KEY)
            taker.say(written(Ok()) + b"hello")
            connected, origin = await home.taken.get()
            with connected:
                assert origin == "abc"
                assert await asyncio.get_running_loop().sock_recv(connected, 100) == b"hello"


async def test_no_more_guests_are_fetched_at_once_than_there_may_be(monkeypatch: pytest.MonkeyPatch) -> None:
    async with neighbours(monkeypatch) as (relay, home):
        host = asyncio.create_task(relay.lists())
        async with home.at_relay():
            for _ in range(MOST_AT_ONCE + 1):
                (await host).say(Guest(KEY, "abc"))
            takers = [await relay.visitor() for _ in range(MOST_AT_ONCE)]
            # A guest who is gone makes room for another; the one too many was left.
            takers[0].say(No("gone"))
            assert await takers[0].reader.read() == written(Take(KEY))
            (await host).say(Guest("n" * 43, "abc"))
            assert await (await relay.visitor()).heard() == Take("n" * 43)


async def test_a_host_says_that_it_is_there_and_notices_a_relay_that_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subject, "BEAT_S", 0.05)
    async with neighbours(monkeypatch) as (relay, home):
        listing = asyncio.create_task(relay.lists())
        async with home.at_relay():
            host = await listing
            for _ in range(3):
                assert await host.heard() == Ping()
                host.say(Pong())
            assert await host.heard() == Ping()
            assert await home.told() == LOST.format(home.address)
            await relay.lists()
            assert await home.told() == f"The relay {home.address} leads here again."


@pytest.mark.parametrize("junk", [b"what?\n", b"x" * 10_000, written(Ok())[:1], written(No("stopping"))])
async def test_a_relay_that_says_anything_else_is_left_and_come_back_to(
    monkeypatch: pytest.MonkeyPatch, junk: bytes
) -> None:
    async with neighbours(monkeypatch) as (relay, home):
        listing = asyncio.create_task(relay.lists())
        async with home.at_relay():
            host = await listing
            host.say(junk)
            host.writer.close()
            assert await home.told() == LOST.format(home.address)
            await relay.lists()
            assert await home.told() == f"The relay {home.address} leads here again."


async def test_a_server_that_was_replaced_does_not_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async with neighbours(monkeypatch) as (relay, home):
        listing = asyncio.create_task(relay.lists())
        async with home.at_relay():
            (await listing).say(No("replaced"))
            assert "a second time, and is led to from there." in await home.told()


@pytest.mark.parametrize("answer", [Pong(), Ok(), b"HTTP/1.1 400 Bad Request\r\n", Guest(KEY, "a")])
async def test_what_is_no_relay_is_called_so_at_the_start(
    monkeypatch: pytest.MonkeyPatch, answer: Line | bytes
) -> None:
    async with neighbours(monkeypatch) as (relay, home):

        async def answered() -> None:
            (await relay.visitor()).say(answer)

        answering = asyncio.create_task(answered())
        with pytest.raises(CouldNot) as raised:
            async with home.at_relay():
                raise AssertionError
        assert str(raised.value) == NO_RELAY.format(relay=home.address)
        await answering


async def test_who_is_patient_waits_for_the_relay(monkeypatch: pytest.MonkeyPatch) -> None:
    async with neighbours(monkeypatch) as (relay, home):

        async def refused_once() -> None:
            (await relay.visitor()).say(No("busy"))
            await relay.lists()

        answering = asyncio.create_task(refused_once())
        async with home.at_relay(is_patient=True):
            assert (await home.told()).endswith("try again in a while. Trying again until it works.")
            assert await home.told() == f"The relay {home.address} leads here again."
            await answering


async def test_a_fault_of_ours_with_a_guest_comes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    async with neighbours(monkeypatch) as (relay, home):
        broken = Led(KEY, 7717, home.led.sign, lambda connected, origin: connected.close() or 1 / 0)

        async def brought() -> None:
            (await relay.lists()).say(Guest(KEY, "abc"))
            taker = await relay.visitor()
            await taker.heard()
            taker.say(Ok())

        bringing = asyncio.create_task(brought())
        with pytest.raises(ZeroDivisionError):
            async with relayed(broken, home.address, home.said.put_nowait, False):
                await asyncio.Event().wait()
        await bringing
