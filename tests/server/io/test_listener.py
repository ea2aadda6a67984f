"""Coming in while the server stops, on both event loops: everybody is told why, and nothing raises."""

import asyncio

import pytest
import uvloop

from protocol.codec import Splitter, decode_server
from server.config import Config
from server.io import shell

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
