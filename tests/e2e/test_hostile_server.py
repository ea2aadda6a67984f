"""A server that makes everything up, and real clients: each ends by itself or by its player, with a sentence.

Many more such frames come by `python -m tests.fuzz hostile_server`, without processes.
"""

import asyncio
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
from protocol.refusal import CloseCode
from protocol.server_frame import Closed
from tests.client.frames import CODE, welcome
from tests.e2e.line import line_client
from tests.fuzz.corpus import Corpus, framed
from tests.fuzz.hostile_server import GENTLE, STEERING, TYPED, pretence
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
