"""Dialling: the right server is known before a word is said, and plain speech is the last resort."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from client.core import news
from client.net import connection
from client.net.connection import Distrusted, Foreign, Glance, Target, Unreachable, dial
from client.net.store import Store
from protocol.client_frame import Hello, Ping
from protocol.codec import Splitter, decode_client, encode
from protocol.limit import PROTOCOL_VERSION
from protocol.refusal import CloseCode
from protocol.server_frame import Closed, Ponged
from server.io.tls import server_context
from tests.client.scripted import settle

HELLO = Hello(version=PROTOCOL_VERSION, name="Ann")
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], object]


class Listener:
    """A server on the loopback that notes what it is sent and answers pings."""

    def __init__(self) -> None:
        self.port = 0
        self.received: list[object] = []
        self.answer = b""
        """Sent instead of listening, if there is one."""
        self.served = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.served += 1
        splitter = Splitter()
        if self.answer:
            writer.write(self.answer)
            writer.close()
            return
        while data := await reader.read(4096):
            if data[:1] == b"\x16":
                writer.write(encode(Closed(code=CloseCode.NOT_OURS, text="This port is not encrypted.")))
                break
            for body in splitter.feed(data):
                frame = decode_client(body)
                self.received.append(frame)
                if isinstance(frame, Ping):
                    writer.write(encode(Ponged(re=frame.id)))
        writer.close()


@asynccontextmanager
async def listening(context: ssl.SSLContext | None = None) -> AsyncIterator[Listener]:
    listener = Listener()
    server = await asyncio.start_server(listener.serve, "127.0.0.1", 0, ssl=context)
    listener.port = server.sockets[0].getsockname()[1]
    try:
        yield listener
    finally:
        server.close()
        await server.wait_closed()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "client")


@pytest.fixture
def told() -> list[news.News]:
    return []


async def test_frames_travel_over_an_encrypted_connection(
    tmp_path: Path, store: Store, told: list[news.News]
) -> None:
    context, fingerprint = server_context(tmp_path)
    async with listening(context) as listener:
        wire, target = await dial(store, Target("127.0.0.1", listener.port, fingerprint), told.append)
        wire.send(Ping(id=7))
        assert await wire.receive() == Ponged(re=7)
        await wire.close()
    assert target.fingerprint == fingerprint
    assert told == []
    assert store.fingerprint("127.0.0.1", listener.port) == fingerprint


async def test_a_wrong_certificate_stops_before_anything_is_sent(
    tmp_path: Path, store: Store, told: list[news.News]
) -> None:
    context, fingerprint = server_context(tmp_path)
    async with listening(context) as listener:
        with pytest.raises(Distrusted, match=r"^STOP: ") as raised:
            await dial(store, Target("127.0.0.1", listener.port, "A" * 43), told.append)
        await settle()
    assert fingerprint in str(raised.value)
    assert listener.received == []
    assert store.fingerprint("127.0.0.1", listener.port) is None


async def test_an_unknown_server_is_remembered_and_must_stay_the_same(
    tmp_path: Path, store: Store, told: list[news.News]
) -> None:
    context, fingerprint = server_context(tmp_path / "first")
    async with listening(context) as listener:
        target = Target("127.0.0.1", listener.port)
        wire, known = await dial(store, target, told.append)
        await wire.close()
        assert known.fingerprint == fingerprint
        assert told == [news.CertificateRemembered(target.address, fingerprint)]
        wire, _ = await dial(store, target, told.append)
        await wire.close()
        assert len(told) == 1
    other, _ = server_context(tmp_path / "second")
    async with listening(other) as impostor:
        store.keep_fingerprint("127.0.0.1", impostor.port, fingerprint)
        with pytest.raises(Distrusted, match="whole join link"):
            await dial(store, Target("127.0.0.1", impostor.port), told.append)
        assert impostor.received == []


async def test_a_link_leads_to_its_own_server_and_changes_nothing_about_the_one_that_is_known(
    tmp_path: Path, store: Store, told: list[news.News]
) -> None:
    context, fingerprint = server_context(tmp_path)
    async with listening(context) as listener:
        store.keep_fingerprint("127.0.0.1", listener.port, "A" * 43)
        wire, _ = await dial(store, Target("127.0.0.1", listener.port, fingerprint), told.append)
        await wire.close()
    assert store.fingerprint("127.0.0.1", listener.port) == "A" * 43


async def test_who_only_looks_is_as_careful_and_remembers_nothing(
    tmp_path: Path, store: Store, told: list[news.News]
) -> None:
    context, _ = server_context(tmp_path)
    async with listening(context) as listener:
        target = Target("127.0.0.1", listener.port)
        wire, _ = await dial(Glance(store), target, told.append)
        await wire.close()
        assert store.fingerprint("127.0.0.1", listener.port) is None
        store.keep_fingerprint("127.0.0.1", listener.port, "A" * 43)
        with pytest.raises(Distrusted):
            await dial(Glance(store), target, told.append)


async def test_an_unknown_server_may_speak_plainly_and_that_is_said(
    store: Store, told: list[news.News]
) -> None:
    async with listening() as listener:
        target = Target("127.0.0.1", listener.port)
        wire, known = await dial(store, target, told.append)
        wire.send(Ping(id=1))
        assert await wire.receive() == Ponged(re=1)
        await wire.close()
    assert told == [news.NotEncrypted(target.address)]
    assert known.is_plain


@pytest.mark.parametrize("is_linked", [True, False])
async def test_a_server_known_to_encrypt_may_not_stop_doing_so(
    store: Store, told: list[news.News], is_linked: bool
) -> None:
    async with listening() as listener:
        if not is_linked:
            store.keep_fingerprint("127.0.0.1", listener.port, "A" * 43)
        target = Target("127.0.0.1", listener.port, "A" * 43 if is_linked else None)
        with pytest.raises(Distrusted, match="should be encrypted, but it is not"):
            await dial(store, target, told.append)
    assert listener.received == []


async def test_what_was_found_to_be_plain_is_dialled_plainly(store: Store, told: list[news.News]) -> None:
    async with listening() as listener:
        wire, _ = await dial(store, Target("127.0.0.1", listener.port, is_plain=True), told.append)
        await wire.close()
        assert listener.served == 1
    assert told == []


async def test_nobody_there_is_a_sentence(store: Store, told: list[news.News]) -> None:
    async with listening() as listener:
        port = listener.port
    with pytest.raises(Unreachable, match=f"Nothing answers at 127.0.0.1:{port}"):
        await dial(store, Target("127.0.0.1", port), told.append)


async def test_every_address_of_a_computer_is_tried(
    store: Store, told: list[news.News], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening() as listener:
        nobody, somebody = (
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, listener.port))
            for host in ("127.0.0.2", "127.0.0.1")
        )

        async def addresses(*asked: object, **how: object) -> list[object]:
            return [nobody, somebody]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", addresses)
        wire, _ = await dial(store, Target("friend.invalid", listener.port, is_plain=True), told.append)
        await wire.close()
        assert listener.served == 1


async def test_a_lost_encrypted_connection_can_be_written_to_and_closed_again_and_again(
    tmp_path: Path, store: Store, told: list[news.News], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed TLS transports raise AttributeError where one does not look out, each Python elsewhere."""
    context, fingerprint = server_context(tmp_path)
    async with listening(context) as listener:
        wire, _ = await dial(store, Target("127.0.0.1", listener.port, fingerprint), told.append)
        wire._writer.transport.abort()
        with pytest.raises(Unreachable):
            await wire.receive()
        monkeypatch.setattr(connection, "CLOSE_TIMEOUT_S", 0.0)
        for _ in range(3):
            wire.send(Ping(id=1))
            await wire.close()
            await settle()


async def test_a_name_that_cannot_be_one_is_a_sentence(store: Store, told: list[news.News]) -> None:
    with pytest.raises(Unreachable, match=r"There is no computer called 'a\.\.b'"):
        await dial(store, Target("a..b", 7717), told.append)


async def test_a_name_that_does_not_exist_is_a_sentence(store: Store, told: list[news.News]) -> None:
    with pytest.raises(Unreachable, match=r"There is no computer called 'nobody\.invalid'"):
        await dial(store, Target("nobody.invalid", 7717), told.append)


async def test_a_server_that_does_not_answer_is_a_sentence(
    store: Store, told: list[news.News], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "CONNECT_TIMEOUT_S", 0.0)
    with pytest.raises(Unreachable, match="does not answer"):
        await dial(store, Target("127.0.0.1", 9, is_plain=True), told.append)


@pytest.mark.parametrize("answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x00\x00\x00\x02\x93\x01"])
async def test_something_else_that_answers_is_no_server_of_ours(
    store: Store, told: list[news.News], answer: bytes
) -> None:
    async with listening() as listener:
        listener.answer = answer
        wire, _ = await dial(store, Target("127.0.0.1", listener.port, is_plain=True), told.append)
        with pytest.raises(Foreign):
            await wire.receive()
        await wire.close()


async def test_a_closed_connection_is_lost(store: Store, told: list[news.News]) -> None:
    async with listening() as listener:
        listener.answer = encode(Ponged(re=1))
        wire, _ = await dial(store, Target("127.0.0.1", listener.port, is_plain=True), told.append)
        assert await wire.receive() == Ponged(re=1)
        with pytest.raises(Unreachable):
            await wire.receive()
        await wire.close()
