"""Two servers that do next to nothing, to measure the real one against. They share no code with it.

`echo` returns each frame to its sender; `relay` sends each frame to both connections of a pair. Neither
looks into a frame. Frozen: change them, and every ratio measured before means something else.
"""

import asyncio
import sys

import uvloop

BUFFER = memoryview(bytearray(64 * 1024))


class Echo(asyncio.BufferedProtocol):
    """Returns what it gets."""

    transport: asyncio.Transport

    def connection_made(self, transport):
        self.transport = transport

    def get_buffer(self, sizehint):
        return BUFFER

    def buffer_updated(self, nbytes):
        self.transport.write(bytes(BUFFER[:nbytes]))


class Relay(Echo):
    """Passes each frame on to its partner and back to its sender."""

    waiting: "Relay | None" = None

    def __init__(self):
        self.held = b""
        self.partner = None

    def connection_made(self, transport):
        super().connection_made(transport)
        if Relay.waiting is None:
            Relay.waiting = self
        else:
            self.partner, Relay.waiting = Relay.waiting, None
            self.partner.partner = self

    def buffer_updated(self, nbytes):
        data = self.held + bytes(BUFFER[:nbytes]) if self.held else bytes(BUFFER[:nbytes])
        at = 0
        while len(data) - at >= 4:
            end = at + 4 + int.from_bytes(data[at : at + 4], "big")
            if end > len(data):
                break
            frame = data[at:end]
            self.transport.write(frame)
            if self.partner is not None:
                self.partner.transport.write(frame)
            at = end
        self.held = data[at:]


async def serve(kind):
    server = await asyncio.get_running_loop().create_server(kind, "127.0.0.1", 0, backlog=2048)
    print(f"Listening on 127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(serve({"echo": Echo, "relay": Relay}[sys.argv[1]]))
