"""Asking a relay to be led on: not a byte too much is read, and whatever else it says is a sentence."""

import asyncio
import socket

import pytest

from client.net.connection import Target, Unreachable, dial
from client.net.relay import NO_RELAY, WHY_NOT, TurnedAway, ask, parse_relay
from protocol.process.usage import Misused
from protocol.relay import Take

TICKET = "t" * 43


async def asked(answer: bytes) -> bytes:
    """Ask a relay that answers so; return what is left to read behind it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        theirs.sendall(answer)
        theirs.shutdown(socket.SHUT_WR)
        await ask(ours, Take(TICKET), "relay:7717")
        assert theirs.recv(100) == f"conquest-relay 1 take {TICKET}\n".encode()
        return ours.recv(100)


async def test_what_comes_behind_the_answer_is_left_for_who_comes_next() -> None:
    assert await asked(b"ok\n\x16\x03\x01hello") == b"\x16\x03\x01hello"


@pytest.mark.parametrize("code", WHY_NOT)
async def test_every_no_is_a_sentence(code: str) -> None:
    with pytest.raises(TurnedAway, match=r"^[A-Z].*relay:7717.*\.$"):
        await asked(f"no {code}\n".encode())


@pytest.mark.parametrize("answer", [b"no later\n", b"pong\n", b"HTTP/1.1 400\r\n", b"\xff\n", b"x" * 5000])
async def test_what_is_no_relay_is_called_so(answer: bytes) -> None:
    with pytest.raises(TurnedAway) as raised:
        await asked(answer)
    assert str(raised.value) == NO_RELAY.format(relay="relay:7717")


@pytest.mark.parametrize("answer", [b"", b"o", b"ok"])
async def test_a_relay_that_hangs_up_is_a_lost_connection(answer: bytes) -> None:
    with pytest.raises(ConnectionResetError):
        await asked(answer)


async def test_a_guest_who_is_turned_away_may_try_again_later() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        writer.write(b"no absent\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        target = Target("127.0.0.1", port, "f" * 43, relay=7717)
        with pytest.raises(Unreachable, match=f"Your friend is not at the relay 127.0.0.1:{port} just now."):
            await dial(Nobody(), target, lambda news: None)


class Nobody:
    """Knows no server; to ask it for one behind a relay is a mistake."""

    def fingerprint(self, host: str, port: int) -> str | None:
        raise AssertionError

    def keep_fingerprint(self, host: str, port: int, fingerprint: str) -> None:
        raise AssertionError


@pytest.mark.parametrize("text", ["heron@", "@", "", "heron@relay:0", "a b"])
def test_a_relay_that_cannot_be_is_refused(text: str) -> None:
    with pytest.raises(Misused):
        parse_relay(text)


@pytest.mark.parametrize("text", ["relay.example:9000", "blue heron@relay.example:7717", "a@b@[fd00::7]:1"])
def test_a_relay_is_written_down_as_it_is_read(text: str) -> None:
    relay = parse_relay(text)
    assert parse_relay(relay.whole) == relay
    assert not relay.word or relay.word not in str(relay)
