"""Coming in, among others and while the server stops, on both event loops: nobody is kept out."""

import asyncio
import ssl
import struct
from collections import Counter

import pytest
import uvloop

from protocol.client_frame import Hello
from protocol.codec import Splitter, decode_server, encode
from protocol.limit import PROTOCOL_VERSION, Limits
from server.config import Config
from server.io import shell
from server.io.listener import BEGINNING

LOOPS = pytest.mark.parametrize("make_loop", [asyncio.new_event_loop, uvloop.new_event_loop])


async def heard(reader):
    """Read a connection to its end."""
    return [decode_server(body) for body in Splitter().feed(await reader.read())]


@LOOPS
def test_who_comes_in_at_the_very_end_is_told_so(make_loop, monkeypatch):
    stopping = []

    class Server(shell.Server):
        def connected(self, peer):
            super().connected(peer)
            # The connection stands, and its handshake does not know yet.
            stopping.append(asyncio.create_task(self.stop()))

    async def come_in():
        monkeypatch.setattr(shell, "Server", Server)
        server = await shell.start(Config(bind="127.0.0.1", port=0, db=":memory:"))
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        frames = await heard(reader)
        writer.close()
        await asyncio.gather(*stopping)
        assert not server.has_failed()
        return frames

    with asyncio.Runner(loop_factory=make_loop) as runner:
        (closed,) = runner.run(come_in())
    assert closed.code == "stopping"


async def connected(port, address, context=None):
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", port, ssl=context, local_addr=(address, 0), server_hostname="" if context else None
    )
    return reader, writer


@LOOPS
@pytest.mark.parametrize(
    ("host", "crowd"), [("127.0.0.1", "127.0.1.1"), ("127.0.0.1", "127.0.0.1")], ids=["another", "the same"]
)
def test_silent_connections_keep_nobody_out_of_a_handshake(make_loop, tmp_path, host, crowd):
    """However many there are: those of the address that has most give way, the oldest first."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE

    async def come_in():
        limits = Limits(connections_unwelcomed=4, connections_per_address=3)
        settings = Config(
            bind="127.0.0.1", port=0, db=":memory:", tls=True, certificate_folder=tmp_path, limits=limits
        )
        server = await shell.start(settings)
        silent = [await connected(server.port, crowd) for _ in range(9)]
        reader, writer = await connected(server.port, host, context)
        writer.write(encode(Hello(version=PROTOCOL_VERSION, name="Anna")))
        (length,) = struct.unpack(">I", await reader.readexactly(4))
        welcome = decode_server(await reader.readexactly(length))
        for early, _ in silent[:6]:
            assert await early.read() == b""
        assert len(server._listeners._handshakes) <= 3
        for _, each in (*silent, (reader, writer)):
            each.close()
        await server.stop()
        assert not server.has_failed()
        return welcome

    with asyncio.Runner(loop_factory=make_loop) as runner:
        assert runner.run(come_in()).type == "welcome"


@LOOPS
def test_who_says_nothing_costs_no_handshake_and_few_begin_in_one_turn(make_loop, tmp_path, monkeypatch):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    turn, begun, wrap = 0, [], ssl.SSLContext.wrap_bio

    def note(self, *arguments, server_side=False, **keywords):
        if server_side:
            begun.append(turn)
        return wrap(self, *arguments, server_side=server_side, **keywords)

    async def turns():
        nonlocal turn
        while True:
            turn += 1
            await asyncio.sleep(0)

    async def come_in():
        counting = asyncio.create_task(turns())
        settings = Config(bind="127.0.0.1", port=0, db=":memory:", tls=True, certificate_folder=tmp_path)
        server = await shell.start(settings)
        silent = [await connected(server.port, "127.0.1.1") for _ in range(5)]
        guests = await asyncio.gather(*(connected(server.port, "127.0.0.1", context) for _ in range(15)))
        for _, writer in (*silent, *guests):
            writer.close()
        await server.stop()
        counting.cancel()

    monkeypatch.setattr(ssl.SSLContext, "wrap_bio", note)
    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(come_in())
    assert len(begun) == 15
    assert max(Counter(begun).values()) <= BEGINNING


@pytest.mark.parametrize("problem", [RuntimeError("the handler is closed"), AttributeError("_abort")])
async def test_a_connection_that_has_ended_unsaid_raises_nothing(problem):
    class Ended:
        def write(self, data):
            raise problem

        def close(self):
            raise problem

        abort = close

    server = shell.Server(Config(), None, asyncio.get_running_loop())
    peer = shell.Peer(server, "192.0.2.1")
    peer.connection_made(Ended())
    peer.out = b"last words"
    assert peer.write_out() == 0
    peer.close()
    peer.abort()
    assert peer.out == b""
