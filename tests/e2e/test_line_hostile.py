"""A server that means harm: whatever it sends, the terminal of a real client is only written on."""

import asyncio
import unicodedata
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from protocol.client_frame import Hello, Join, Play
from protocol.codec import Splitter, decode_client, encode
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Chatted, Closed, Noticed, Offered, Refused, ServerFrame
from tests.client.frames import CODE, seated, shown, welcome
from tests.e2e.line import line_client

STEERING = {
    "clears the screen": "\x1b[2J\x1b[H",
    "sets the title": "\x1b]0;owned\x07",
    "asks the terminal to answer": "\x1b[6n\x1bP$q\x1b\\",
    "control sequence in one byte": "\x9b31m",
    "goes back over the line": "\rYou win!\x08\x08",
    "begins a line of its own": "\nPlayer 1 wins!",
    "separates lines and paragraphs": "\u2028\u2029",
    "turns the writing round": "\u202e\u2066abc\u2069",
    "hides in plain sight": "a\u200bb\u2060c\ufeff",
    "is no character": "\ue000\U000f0000",
    "is markup": "[bold]b[/bold] <script> {0} %s $(id)",
}


class HostileServer:
    """Speaks the protocol, and puts the same poison into every text."""

    def __init__(self, poison: str) -> None:
        self.poison = poison
        self.port = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        splitter = Splitter()
        while data := await reader.read(4096):
            if data[:1] == b"\x16":
                writer.write(encode(Closed(code=CloseCode.NOT_OURS, text="This port is not encrypted.")))
                break
            for body in splitter.feed(data):
                for answer in self._answers(decode_client(body)):
                    writer.write(encode(answer))
        writer.close()

    def _answers(self, frame: object) -> list[ServerFrame]:
        poison = self.poison
        match frame:
            case Hello():
                return [welcome(name=poison, server=poison)]
            case Join():
                names = (poison, f"Bob{poison}")
                return [
                    seated(re=frame.id, names=names, options={poison: poison}),
                    shown(),
                    Chatted(re=None, match=CODE, seat=2, text=f"chat {poison}"),
                    Noticed(code="stopping", text=f"notice {poison}"),
                    Offered(re=None, match=CODE, offer="calloff", seat=2, standing=True),
                ]
            case Play():
                return [
                    Refused(re=frame.id, code=RefusalCode.ILLEGAL_MOVE, text=f"refused {poison}"),
                    Closed(code=CloseCode.REPLACED, text=f"closed {poison}"),
                ]
            case _:
                return []


@asynccontextmanager
async def hostile_server(poison: str) -> AsyncIterator[HostileServer]:
    made = HostileServer(poison)
    server = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await server.wait_closed()


@pytest.mark.parametrize("poison", STEERING.values(), ids=STEERING.keys())
async def test_nothing_that_a_server_sends_steers_the_terminal(tmp_path: Path, poison: str) -> None:
    async with hostile_server(poison) as server:
        arguments = ("join", f"127.0.0.1:{server.port}", CODE, "--name", "Ann")
        async with line_client(tmp_path, *arguments, is_terminal=True) as ann:
            await ann.answer("4")
            assert await ann.ended() == 1
            await ann.finished()
    for word in ("chat ", "notice ", "refused ", "closed "):
        assert word in ann.transcript
    strange = {
        character
        for character in ann.transcript
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") and character != "\n"
    }
    assert strange == set()
    assert "\nPlayer 1 wins!" not in ann.transcript
    if "[bold]" in poison:
        assert f"chat {poison}\n" in ann.transcript
