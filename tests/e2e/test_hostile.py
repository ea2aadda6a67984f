"""Bytes that are no frames, and peers that are no clients: each costs one closed connection and one line.

Beside every attack a match goes on, whose players never notice.
"""

import asyncio
import random
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgpack
import pytest

from protocol.client_frame import Hello, Join, Ping
from protocol.limit import PROTOCOL_VERSION, Limits
from protocol.server_frame import Closed, ServerFrame
from tests.e2e.client import Lost, Player, Wire, met, paired
from tests.e2e.process import ROOMY, ServerProcess, serving
from tests.e2e.script import steady

HELLO = {"type": "hello", "version": PROTOCOL_VERSION, "name": "Mallory"}


def framed(body: bytes) -> bytes:
    """Put the length before a body."""
    return len(body).to_bytes(4, "big") + body


def packed(value: object) -> bytes:
    """Make a frame of anything."""
    return framed(msgpack.packb(value))


def nested(depth: int) -> object:
    """Make lists in lists."""
    return [] if depth == 0 else [nested(depth - 1)]


def twice(key: str) -> bytes:
    """Make a map in which a key stands twice."""
    pair = msgpack.packb(key) + msgpack.packb("hello")
    return framed(b"\x82" + pair + pair)


NOISE = b"\xfe" + random.Random(7).randbytes(4000)
FIRST: dict[str, tuple[bytes, str]] = {
    "an HTTP request": (b"GET / HTTP/1.1\r\nHost: conquest\r\n\r\n", "not_ours"),
    "a TLS hello": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500), "not_ours"),
    "noise": (NOISE, "not_ours"),
    "a length beyond the limit": ((Limits().frame_before_hello + 1).to_bytes(4, "big"), "too_big"),
    "a length of four gigabytes": (b"\xff\xff\xff\xff", "not_ours"),
    "an empty body": (framed(b""), "bad_frame"),
    "no MessagePack": (framed(b"\xc1"), "bad_frame"),
    "a body cut short": (framed(b"\x81\xa4type"), "bad_frame"),
    "bytes behind the body": (framed(msgpack.packb(HELLO) + b"\x01"), "bad_frame"),
    "no map": (packed([1, 2, 3]), "bad_frame"),
    "a frame nested deep": (packed({**HELLO, "capabilities": nested(9)}), "bad_frame"),
    "a frame nested as deep as bytes allow": (framed(b"\x91" * 1020 + b"\x01"), "bad_frame"),
    "a key that stands twice": (twice("type"), "bad_frame"),
    "a key that is no text": (packed({7: 7}), "bad_frame"),
    "an unknown field": (packed({**HELLO, "admin": True}), "bad_frame"),
    "an unknown type": (packed({"type": "sudo", "id": 1}), "bad_frame"),
    "a frame for clients": (packed({"type": "ponged", "re": 1}), "bad_frame"),
    "another version": (packed({**HELLO, "version": 99}), "bad_version"),
    "no version": (packed({"type": "hello", "name": "Mallory"}), "bad_version"),
    "a ping before hello": (packed({"type": "ping", "id": 1}), "hello_expected"),
    "a token that nobody has": (packed({**HELLO, "token": "A" * 43}), "bad_token"),
}
LATER: dict[str, tuple[bytes, str]] = {
    "a length beyond the limit": ((Limits().frame + 1).to_bytes(4, "big"), "too_big"),
    "a text where a number is due": (packed({"type": "ping", "id": "1"}), "bad_frame"),
    "a truth where a number is due": (packed({"type": "ping", "id": True}), "bad_frame"),
    "a number too high": (packed({"type": "ping", "id": 2**31}), "bad_frame"),
    "a move that is no map": (
        packed({"type": "play", "id": 1, "match": "0" * 8, "turn": 0, "move": 1}),
        "bad_frame",
    ),
    "no code": (packed({"type": "join", "id": 1, "match": "../../etc"}), "bad_frame"),
}


class Target:
    """A server under attack, and two players who only want to play."""

    def __init__(self, server: ServerProcess, first: Player, second: Player, code: str) -> None:
        self.server = server
        self._players = (first, second)
        self._code = code
        self._closed = 0

    async def check(self, *codes: str) -> None:
        """Fail unless just these connections were closed since the last check, and the match goes on."""
        for player in self._players:
            # The answers come after everything that the attack led to, the log included.
            for _ in range(3):
                await player.ask(Ping)
            if player.sights[self._code].moves():
                await player.play(self._code, steady(player, player.sights[self._code]))
        closed = [line for line in self.server.log_lines() if line["event"] == "closed"]
        assert [line["code"] for line in closed[self._closed :]] == list(codes)
        assert all(line["address"] == "127.0.0.1" for line in closed)
        self._closed = len(closed)


@asynccontextmanager
async def under_attack(home: Path, *flags: str, **how: Any) -> AsyncIterator[Target]:
    """Start a server with a match in play; afterwards the log may hold nothing but its own lines."""
    async with serving(home, "--log-json", *flags, **how) as server:
        target = Target(server, *await paired(server, "duel"))
        yield target
        await target.check()
        assert await server.stop() == 0
        assert all(line["level"] == "info" for line in server.log_lines())


def last(frames: list[ServerFrame]) -> str:
    """Return the code with which a connection was closed."""
    assert isinstance(frames[-1], Closed), frames
    assert frames[-1].text.endswith((".", "!")), "a sentence says why"
    return frames[-1].code.value


both_loops = pytest.mark.parametrize("loop", [None, "asyncio"])
both_ports = pytest.mark.parametrize("tls", ["--tls", "--no-tls"])


@both_loops
@both_ports
async def test_first_bytes_that_are_no_hello_cost_one_connection(
    tmp_path: Path, tls: str, loop: str | None
) -> None:
    async with under_attack(tmp_path, *ROOMY, tls, loop=loop) as target:
        for what, (data, code) in FIRST.items():
            wire = await Wire.open(target.server)
            wire.send_bytes(data)
            assert last(await wire.rest()) == code, what
            await target.check(code)


@both_ports
async def test_later_bytes_that_are_no_frame_cost_one_connection(tmp_path: Path, tls: str) -> None:
    async with under_attack(tmp_path, tls) as target:
        for what, (data, code) in LATER.items():
            mallory = await met(target.server, "Mallory")
            assert mallory.wire is not None
            mallory.wire.send_bytes(data)
            assert last(await mallory.wire.rest()) == code, what
            await target.check(code)


@both_loops
@pytest.mark.parametrize("what", ["an HTTP request", "noise", "a frame"])
async def test_plain_bytes_on_the_encrypted_port_cost_one_connection(
    tmp_path: Path, what: str, loop: str | None
) -> None:
    data = packed(HELLO) if what == "a frame" else FIRST[what][0]
    async with under_attack(tmp_path, "--tls", loop=loop) as target:
        reader, writer = await asyncio.open_connection("127.0.0.1", target.server.port)
        writer.write(data)
        await ended(reader)
        writer.close()
        await target.check("not_ours")


async def ended(reader: asyncio.StreamReader) -> bytes:
    """Read until the other side ends the connection, in whatever way."""
    read = b""
    try:
        while chunk := await asyncio.wait_for(reader.read(65536), 20):
            read += chunk
    except ConnectionError:
        pass
    return read


@both_ports
async def test_who_takes_too_long_is_closed(tmp_path: Path, tls: str) -> None:
    patience = ("--hello-timeout-s=0.3", "--frame-timeout-s=0.2", tls)
    async with under_attack(tmp_path, *patience) as target:
        silent = await Wire.open(target.server)
        assert last(await silent.rest()) == "hello_late"
        await target.check("hello_late")
        mallory = await met(target.server, "Mallory")
        assert mallory.wire is not None
        mallory.wire.send_bytes(packed({"type": "ping", "id": 1})[:-1])
        assert last(await mallory.wire.rest()) == "frame_late"
        await target.check("frame_late")


async def test_who_starts_no_handshake_is_closed(tmp_path: Path) -> None:
    async with under_attack(tmp_path, "--hello-timeout-s=0.3", "--tls") as target:
        reader, writer = await asyncio.open_connection("127.0.0.1", target.server.port)
        await ended(reader)
        writer.close()
        await target.check("not_ours")


async def test_who_falls_silent_is_closed_and_keeps_the_seat(tmp_path: Path) -> None:
    async with serving(tmp_path, "--log-json", "--dead-s=0.5") as server:
        first, second, code = await paired(server, "duel")
        for player in (first, second):
            assert player.wire is not None
            assert last(await player.wire.rest()) == "silent"
        assert [line["code"] for line in server.log_lines() if line["event"] == "closed"] == ["silent"] * 2
        await first.come_back()
        await first.play(code, {"kind": "attack"})


@both_ports
async def test_a_flood_of_frames_is_stopped(tmp_path: Path, tls: str) -> None:
    async with under_attack(tmp_path, tls) as target:
        mallory = await met(target.server, "Mallory")
        assert mallory.wire is not None
        pings = b"".join(packed({"type": "ping", "id": n}) for n in range(1, 2000))
        mallory.wire.send_bytes(pings)
        frames = await mallory.wire.rest()
        assert last(frames) == "too_fast"
        assert Limits().frames_burst - 2 <= len(frames) < Limits().frames_burst + 20
        await target.check("too_fast")


@pytest.mark.parametrize("limit", ["--connections=6", "--connections-per-address=6"])
@both_ports
async def test_a_flood_of_connections_stops_at_the_limit(tmp_path: Path, tls: str, limit: str) -> None:
    """Two of the places are the players'."""
    async with under_attack(tmp_path, limit, tls) as target:
        others = [await met(target.server, "Mallory") for _ in range(4)]
        for _ in range(5):
            with pytest.raises(Lost, match="full"):
                await met(target.server, "Mallory")
            await target.check("full")
        for other in others:
            other.cut()


@both_ports
async def test_of_those_who_say_nothing_the_oldest_makes_room(tmp_path: Path, tls: str) -> None:
    async with under_attack(tmp_path, "--connections-unwelcomed=3", tls) as target:
        wires = [await Wire.open(target.server) for _ in range(3)]
        for number in range(5):
            wires.append(await Wire.open(target.server))
            assert last(await wires[number].rest()) == "full"
            await target.check("full")
        for wire in wires:
            wire.cut()


async def test_a_reader_who_does_not_read_is_dropped_and_keeps_the_seat(tmp_path: Path) -> None:
    async with under_attack(tmp_path, "--outbox=20000", *ROOMY) as target:
        first, second, code = await paired(target.server, "duel")
        for _ in range(30):
            await first.play(code, {"kind": "defend"})
            await second.until(second.sights[code].moves)
            await second.play(code, {"kind": "defend"})
            await first.until(first.sights[code].moves)
        first.cut()
        await second.until(lambda: second.heard[-1].type == "sighted")
        await asyncio.to_thread(sleepy, target.server.port, first, code)
        await target.check("slow_reader")
        await first.come_back()
        await first.play(code, {"kind": "defend"})


def sleepy(port: int, player: Player, code: str) -> None:
    """Ask for a long history again and again, and read none of it, until the connection ends."""
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.settimeout(20)
        connection.connect(("127.0.0.1", port))
        connection.sendall(packed({**HELLO, "token": player.token}))
        length = int.from_bytes(connection.recv(4, socket.MSG_WAITALL), "big")
        player.token = msgpack.unpackb(connection.recv(length, socket.MSG_WAITALL))["token"]
        with pytest.raises(ConnectionError):
            ask_for_ever(connection, packed({"type": "join", "id": 1, "match": code}))


def ask_for_ever(connection: socket.socket, request: bytes) -> None:
    """Send a request again and again."""
    while True:
        connection.sendall(request)


async def test_codes_cannot_be_guessed_for_long(tmp_path: Path) -> None:
    async with under_attack(tmp_path) as target:
        mallory = await met(target.server, "Mallory")
        answers = [await mallory.ask(Join, match=f"0000000{n}") for n in range(8)]
        again = await met(target.server, "Trudy")
        answers += [await again.ask(Join, match=f"0000001{n}") for n in range(4)]
        wrong, stopped = "no_such_match", "too_many_guesses"
        assert [answer.code.value for answer in answers] == [wrong] * 10 + [stopped] * 2


async def test_a_hello_with_an_unfit_name_is_refused_and_may_be_said_again(tmp_path: Path) -> None:
    async with under_attack(tmp_path) as target:
        wire = await Wire.open(target.server)
        wire.send(Hello(version=PROTOCOL_VERSION, name="Eve\x1b[2J"))
        assert (await wire.receive()).type == "refused"
        wire.send(Hello(version=PROTOCOL_VERSION, name="Eve"))
        assert (await wire.receive()).type == "welcome"
        wire.cut()


async def test_the_newer_connection_of_a_player_wins(tmp_path: Path) -> None:
    async with under_attack(tmp_path) as target:
        first, _, code = await paired(target.server, "duel")
        old = first.wire
        assert old is not None
        await first.come_back()
        assert last(await old.rest()) == "replaced"
        await first.play(code, {"kind": "attack"})
        await target.check("replaced")
