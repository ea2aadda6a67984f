"""A server that makes everything up, and real clients: each ends by itself or by its player, with a sentence.

Many more such frames come by `python -m tests.fuzz hostile_server`, without processes.
"""

import asyncio
import signal
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import pytest

from protocol.client_frame import Hello, Join
from protocol.codec import Splitter, decode_client, encode
from protocol.games import TITLES
from protocol.limit import FRAME_TO_CLIENT
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Chatted, Closed, Noticed, Refused
from tests.client.frames import CODE, seated, shown, welcome
from tests.client.line.line_mode import exported
from tests.e2e.line import PATIENCE_S, line_client
from tests.e2e.screen import screen_client
from tests.fuzz.corpus import Corpus, framed
from tests.fuzz.enemy import GENTLE, STEERING, pretence
from tests.fuzz.hostile_server import TYPED
from tests.protocol.strategy import SERVER_FRAMES

FRAMES = 1500


class Liar:
    """Lets a client in and tells it one made-up thing after another."""

    def __init__(self, game: str) -> None:
        random = Random(f"liar {game}")
        self.told = 0
        self._known = pretence(game, random)
        self._corpus = Corpus(random, SERVER_FRAMES, self._known, FRAME_TO_CLIENT)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        splitter = Splitter()
        with suppress(OSError):
            while data := await reader.read(4096):
                if data[:1] == b"\x16":
                    writer.write(encode(Closed(code=CloseCode.NOT_OURS, text="This port is not encrypted.")))
                    break
                for body in splitter.feed(data):
                    frame = decode_client(body)
                    if isinstance(frame, Hello):
                        writer.write(encode(welcome()))
                    elif isinstance(frame, Join):
                        self._known["re"] = [frame.id]
                        await self._lie(writer)
        writer.close()

    async def _lie(self, writer: asyncio.StreamWriter) -> None:
        for _ in range(FRAMES):
            writer.write(framed(self._corpus.lawful(*GENTLE)))
            self.told += 1
            await writer.drain()


@asynccontextmanager
async def lying(game: str) -> AsyncIterator[tuple[Liar, int]]:
    """Run such a server for the length of a block; give it and its port."""
    liar = Liar(game)
    server = await asyncio.start_server(liar.serve, "127.0.0.1", 0)
    try:
        yield liar, server.sockets[0].getsockname()[1]
    finally:
        server.close()


@pytest.mark.parametrize("game", TITLES)
async def test_a_client_survives_a_server_that_makes_everything_up(tmp_path: Path, game: str) -> None:
    async with (
        lying(game) as (liar, port),
        line_client(tmp_path, "join", f"127.0.0.1:{port}", CODE, "--name", "Ann") as ann,
    ):
        ann.type(*TYPED * 3, "/quit")
        ann.end_input()
        assert await ann.ended() in (0, 1)
    assert liar.told > 0
    assert "Traceback" not in ann.transcript + ann.errors
    assert ann.errors.count("\n") <= 1, "a sentence at the most"
    steering = {c for c in ann.transcript + ann.errors if unicodedata.category(c) in STEERING}
    assert steering <= {"\n"}


class Flooder(Liar):
    """Seats a client, and says one thing without end and as fast as it is taken."""

    def __init__(self, flood: bytes, enough: int) -> None:
        super().__init__("conquer")
        self.is_enough = asyncio.Event()
        self._enough = enough
        self._flood = flood * (CHUNK // len(flood))

    async def _lie(self, writer: asyncio.StreamWriter) -> None:
        writer.write(encode(seated(re=self._known["re"][0])) + encode(shown()))
        while True:
            writer.write(self._flood)
            await writer.drain()
            self.told += len(self._flood)
            if self.told > self._enough:
                self.is_enough.set()


CHUNK = 64 * 1024
ENOUGH = {"lines": 64 * CHUNK, "screen": 16 * CHUNK}
"""Bytes that are more than any connection and inbox hold; a screen takes its time over each line."""
MOST_KIB = 200 * 1024
FLOODS = {
    "records": encode(exported(re=7).model_copy(update={"more": True, "names": ("A" * 64, "B" * 64)})),
    "refusals": encode(Refused(re=7, code=RefusalCode.NO_SUCH_MATCH, text="No." * 600)),
    "notices": encode(Noticed(code="stopping", text="Soon." * 400)),
    "chat": encode(Chatted(re=None, match=CODE, seat=2, text="Hello." * 300)),
}


def peak_kib(pid: int) -> int:
    """Tell how much memory a process has had at most."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


@pytest.mark.parametrize("face", ENOUGH)
@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
async def test_a_flood_fills_no_memory_and_signals_are_heard_through_it(
    tmp_path: Path, flood: bytes, face: str
) -> None:
    flooder = Flooder(flood, ENOUGH[face])
    server = await asyncio.start_server(flooder.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    arguments = ("join", f"127.0.0.1:{port}", CODE, "--name", "Ann")
    start = screen_client(tmp_path, *arguments) if face == "screen" else line_client(tmp_path, *arguments)
    async with start as ann:
        await asyncio.wait_for(flooder.is_enough.wait(), PATIENCE_S)
        assert peak_kib(ann.pid) < MOST_KIB
        ann.signal(signal.SIGTERM)
        assert await ann.ended() in (0, 1)
    server.close()
    assert "Traceback" not in ann.transcript + ann.errors
