"""The shell without sockets: bytes in, bytes out, the disk in between, each in its order.

A transport that only remembers stands in for the network, and a journal that does what it is told for the
disk. Real sockets and processes are tested elsewhere.
"""

import asyncio
import logging

import pytest

from protocol.client_frame import Chat, Create, Export, Hello, Join, Ping, Play, Resign
from protocol.codec import Splitter, decode_server, encode
from protocol.limit import HEADER_LEN, PROTOCOL_VERSION, Limits
from protocol.server_frame import Noticed, Shown
from server.config import Config
from server.io import shell

START = 1_000.0


class Clock:
    """Stands in for the module `time`."""

    def __init__(self):
        self.now = START

    def monotonic(self):
        return self.now

    def time(self):
        return self.now


class Disk:
    """A journal that takes everything and makes nothing durable by itself."""

    name = "nowhere"

    def __init__(self):
        self.appended = []
        self.reads = []

    def append(self, writes):
        self.appended.append(list(writes))
        return len(self.appended)

    def read(self, code, on_read, session, is_wanted):
        self.reads.append((len(self.appended), code, on_read, is_wanted))


class Line:
    """A transport that remembers, and whose other end reads only when told to."""

    def __init__(self):
        self.writes = []
        self.unread = 0
        self.is_slow = False
        self.ending = None

    def write(self, data):
        assert self.ending is None, "nothing is written after the end"
        self.writes.append(bytes(data))
        if self.is_slow:
            self.unread += len(data)

    def get_write_buffer_size(self):
        return self.unread

    def close(self):
        self.ending = self.ending or "closed"

    def abort(self):
        self.ending = "aborted"

    def frames(self):
        return [decode_server(body) for body in Splitter().feed(b"".join(self.writes))]


class Caller:
    """A client at the other end of a line."""

    def __init__(self, server, host="192.0.2.1"):
        self.server = server
        self.peer = shell.Peer(server, host)
        self.line = Line()
        self.peer.connection_made(self.line)
        self._next_id = 1

    def send(self, *frames):
        self.send_bytes(b"".join(encode(frame) for frame in frames))

    def send_bytes(self, data):
        buffer = self.peer.get_buffer(len(data))
        buffer[: len(data)] = data
        self.peer.buffer_updated(len(data))

    def hello(self, name="Anna"):
        self.send(Hello(version=PROTOCOL_VERSION, name=name))

    def ask(self, kind, **fields):
        self.send(kind(id=self._next_id, **fields))
        self._next_id += 1

    def news(self):
        """Return the frames that were written since the last look."""
        frames = self.line.frames()
        self.line.writes.clear()
        return frames


class Room:
    """A server whose clock and disk the test holds in its hands."""

    def __init__(self, clock, limits):
        self.clock = clock
        self.disk = Disk()
        self.server = shell.Server(Config(limits=limits), self.disk, asyncio.get_running_loop())

    def call(self, host="192.0.2.1"):
        return Caller(self.server, host)

    async def turn(self):
        """Let the loop do what it has planned to do at once."""
        for _ in range(3):
            await asyncio.sleep(0)

    async def sync(self):
        """Let the disk have everything, and say so."""
        await self.turn()
        self.server._durable(len(self.disk.appended))
        await self.turn()

    def tick(self, seconds=0.0):
        self.clock.now += seconds
        self.server.tick()
        self.server._ticker.cancel()

    async def pair(self):
        anna, bert = self.call(), self.call()
        anna.hello("Anna")
        bert.hello("Bert")
        await self.turn()
        anna.ask(Create, game="duel", first="creator")
        await self.sync()
        code = anna.news()[-1].match
        bert.ask(Join, match=code)
        await self.sync()
        anna.news(), bert.news()
        return anna, bert, code


@pytest.fixture
def room(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(shell, "time", clock)

    def make(**limits):
        return Room(clock, Limits(**limits))

    return make


ATTACK = {"turn": 0, "move": {"kind": "attack"}}


async def test_a_hello_is_answered(room):
    room = room()
    anna = room.call()
    anna.hello()
    await room.turn()
    assert [frame.type for frame in anna.news()] == ["welcome"]


async def test_all_writes_of_one_loop_turn_are_appended_together(room):
    room = room()
    anna, bert, code = await room.pair()
    before = len(room.disk.appended)
    anna.ask(Play, match=code, **ATTACK)
    bert.ask(Play, match=code, turn=1, move={"kind": "heal"})
    await room.turn()
    assert [len(writes) for writes in room.disk.appended[before:]] == [2]


async def test_a_record_is_read_behind_everything_that_was_written(room):
    room = room()
    anna, _bert, code = await room.pair()
    anna.ask(Resign, match=code)
    anna.ask(Export, match=code)
    ((appended, read, _, _),) = room.disk.reads
    assert (appended, read) == (len(room.disk.appended), code)
    assert room.disk.appended[-1][-1].kind == "ended"


async def test_a_record_that_was_read_waits_its_turn_and_reaches_who_asked(room):
    room = room()
    anna, _bert, code = await room.pair()
    anna.ask(Resign, match=code)
    anna.ask(Export, match=code)
    ((_, _, on_read, _),) = room.disk.reads
    on_read([write for writes in room.disk.appended for write in writes if hasattr(write, "stream")])
    await room.turn()
    assert anna.line.writes == []
    await room.sync()
    assert [frame.type for frame in anna.news()] == ["shown", "ended", "exported"]


async def test_a_record_is_wanted_only_as_long_as_who_asked_is_there(room):
    room = room()
    anna, _bert, code = await room.pair()
    anna.ask(Resign, match=code)
    anna.ask(Export, match=code)
    ((_, _, _, is_wanted),) = room.disk.reads
    assert is_wanted()
    anna.peer.connection_lost(None)
    assert not is_wanted()


async def test_a_disk_that_fails_is_told_to_the_players_and_so_is_its_return(room):
    room = room()
    anna, bert, code = await room.pair()
    anna.ask(Play, match=code, **ATTACK)
    await room.turn()
    room.server._stalled("database or disk is full")
    bert.ask(Resign, match=code)
    await room.turn()
    assert [frame.code for frame in bert.news()] == ["cannot_save", "cannot_save"]
    await room.sync()
    notice, shown = bert.news()
    assert isinstance(shown, Shown)
    assert (notice.type, notice.code) == (Noticed(code="saving_again", text="").type, "saving_again")


async def test_bytes_may_come_one_by_one(room):
    room = room()
    anna = room.call()
    for byte in encode(Hello(version=PROTOCOL_VERSION, name="Anna")):
        anna.send_bytes(bytes([byte]))
    await room.turn()
    assert [frame.type for frame in anna.news()] == ["welcome"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "not_ours"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "not_ours"),
        (b"\x00\x00\x00\x01\xc1", "bad_frame"),
        (b"\x00\x00\x00\x01\x90", "bad_frame"),
        (b"\x00\x00\x00\x00", "bad_frame"),
        (b"\x00\x00\xff\xff", "too_big"),
    ],
    ids=["http", "tls", "noise", "a list", "nothing", "too big"],
)
async def test_what_is_no_frame_costs_one_connection_and_one_line_in_the_log(room, caplog, data, code):
    room = room()
    caplog.set_level(logging.INFO, "conquest.server")
    guest = room.call()
    guest.send_bytes(data)
    await room.turn()
    (closed,) = guest.news()
    assert (closed.type, closed.code) == ("closed", code)
    assert guest.line.ending == "closed"
    (record,) = caplog.records
    assert (record.message, record.facts["code"]) == ("closed", code)
    guest.send_bytes(data)
    guest.peer.connection_lost(None)
    await room.turn()
    assert (guest.line.writes, len(caplog.records)) == ([], 1)


async def test_frames_behind_a_bad_one_are_not_read(room):
    room = room()
    anna = room.call()
    anna.send_bytes(b"\x00\x00\x00\x01\xc1" + encode(Hello(version=PROTOCOL_VERSION, name="Anna")))
    await room.turn()
    assert [frame.type for frame in anna.news()] == ["closed"]
    assert len(room.server.kernel.world.sessions) == 0


async def test_who_hangs_up_is_gone(room):
    room = room()
    anna, bert, code = await room.pair()
    anna.peer.connection_lost(None)
    await room.turn()
    (sighted,) = bert.news()
    assert (sighted.type, sighted.match, sighted.seat, sighted.present) == ("sighted", code, 1, False)


def padded_hello(length):
    """Make a hello whose body is exactly so long."""

    def hello(padding):
        capabilities = (*["x" * 50] * 8, "x" * padding)
        return encode(Hello(version=PROTOCOL_VERSION, name="Anna", capabilities=capabilities))

    made = hello(length - (len(hello(0)) - HEADER_LEN))
    assert len(made) - HEADER_LEN == length
    return made


@pytest.mark.parametrize(("length", "kind"), [(499, "welcome"), (500, "welcome"), (501, "closed")])
async def test_limit_frame_before_hello(room, length, kind):
    room = room(frame_before_hello=500)
    anna = room.call()
    anna.send_bytes(padded_hello(length))
    await room.turn()
    (answer,) = anna.news()
    assert answer.type == kind
    assert getattr(answer, "code", "too_big") == "too_big"


@pytest.mark.parametrize(("length", "kind"), [(999, "refused"), (1000, "refused"), (1001, "closed")])
async def test_limit_frame(room, length, kind):
    room = room(frame=1000, frame_before_hello=100)
    anna, _bert, code = await room.pair()
    short = len(encode(Chat(id=9, match=code, text="x" * 300))) - HEADER_LEN
    anna.send(Chat(id=9, match=code, text="x" * (300 + length - short)))
    await room.turn()
    assert [frame.type for frame in anna.news()] == [kind]


@pytest.mark.parametrize(("seconds", "is_late"), [(9, False), (10, True), (11, True)])
async def test_limit_frame_timeout_s(room, seconds, is_late):
    room = room(frame_timeout_s=10)
    anna, _bert, _code = await room.pair()
    half = encode(Ping(id=5))
    anna.send_bytes(half[:5])
    room.tick(seconds)
    anna.send_bytes(half[5:])
    await room.turn()
    (answer,) = anna.news()
    assert getattr(answer, "code", None) == ("frame_late" if is_late else None)


async def test_limit_frame_timeout_s_is_for_each_frame_of_its_own(room):
    room = room(frame_timeout_s=10)
    anna, _bert, _code = await room.pair()
    ping = encode(Ping(id=5))
    anna.send_bytes(ping[:5])
    for _ in range(6):
        room.tick(3)
        # Each time one frame becomes whole and the next one begins.
        anna.send_bytes(ping[5:] + ping[:5])
    await room.turn()
    assert {frame.type for frame in anna.news()} == {"ponged"}


async def test_a_port_for_somebody_elsewhere_counts_for_them_and_can_be_closed(tmp_path):
    server = await shell.start(Config(bind="127.0.0.1", port=0))
    try:
        port = server.admit("203.0.113.9")
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(encode(Hello(version=PROTOCOL_VERSION, name="Ann")))
        assert await reader.read(100)
        assert [c.address for c in server.kernel.world.connections.values()] == ["203.0.113.9"]
        server.dismiss(port)
        await asyncio.sleep(0)
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", port)
        writer.write(encode(Ping(id=1)))
        assert await reader.read(100)
        writer.close()
    finally:
        await server.stop()
