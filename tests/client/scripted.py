"""A server that exists only as a script, a clock that moves only when told, and a terminal that is a text.

What is unrealistic: frames arrive whole and at once, and nothing is ever lost half way.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from client.core.news import News
from client.line.terminal import Terminal, Typed
from client.net.connection import Target, Unreachable, Wire
from client.net.session import Heard, Session, Time
from protocol.client_frame import ClientFrame
from protocol.server_frame import ServerFrame

T = TypeVar("T")

TARGET = Target("192.0.2.7", 7717, is_plain=True)


async def settle() -> None:
    """Let everything run that can run without time passing."""
    for _ in range(30):
        await asyncio.sleep(0)


class ScriptedWire:
    """A connection whose other end is the test."""

    def __init__(self) -> None:
        self.sent: list[ClientFrame] = []
        self.is_closed = False
        self._frames: asyncio.Queue[ServerFrame | Exception] = asyncio.Queue()

    def send(self, frame: ClientFrame) -> None:
        self.sent.append(frame)

    async def receive(self) -> ServerFrame:
        item = await self._frames.get()
        if isinstance(item, Exception):
            raise item
        return item

    async def close(self) -> None:
        self.is_closed = True

    async def say(self, *frames: ServerFrame) -> None:
        for frame in frames:
            self._frames.put_nowait(frame)
        await settle()

    async def cut(self) -> None:
        """Lose the connection."""
        self._frames.put_nowait(Unreachable("cut"))
        await settle()

    def last(self, kind: type[T]) -> T:
        return [frame for frame in self.sent if isinstance(frame, kind)][-1]

    def count(self, kind: type[Any]) -> int:
        return sum(isinstance(frame, kind) for frame in self.sent)


class ScriptedTime:
    """Time that passes only when told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        future = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, future))
        await future

    async def let_pass(self, seconds: float) -> None:
        end = self.now + seconds
        while due := [one for one in self._sleepers if one[0] <= end and not one[1].done()]:
            at, future = min(due, key=lambda one: one[0])
            self.now = max(self.now, at)
            future.set_result(None)
            await settle()
        self.now = end
        await settle()

    def as_time(self) -> Time:
        return Time(now=lambda: self.now, sleep=self.sleep, fraction=lambda: 1.0)


@dataclass
class Line:
    """Everything between a session and its scripted server."""

    time: ScriptedTime = field(default_factory=ScriptedTime)
    wires: list[ScriptedWire] = field(default_factory=list)
    problems: list[Exception] = field(default_factory=list)
    """Raised by the next attempts to connect, one each."""
    news: list[News] = field(default_factory=list)

    async def dial(self, target: Target, tell: Callable[[News], None]) -> tuple[Wire, Target]:
        if self.problems:
            raise self.problems.pop(0)
        self.wires.append(ScriptedWire())
        return self.wires[-1], target

    def session(self, tell: Callable[[Heard], None] | None = None, **more: Any) -> Session:
        def note(heard: Heard) -> None:
            self.news.append(heard.news)
            if tell is not None:
                tell(heard)

        return Session(TARGET, "Ann", note, self.dial, time=self.time.as_time(), **more)

    @property
    def wire(self) -> ScriptedWire:
        return self.wires[-1]

    def heard(self, kind: type[T]) -> list[T]:
        return [item for item in self.news if isinstance(item, kind)]


class ScriptedTerminal:
    """A terminal whose output is kept, and whose input is typed by the test."""

    def __init__(self, is_terminal: bool = False, is_ascii: bool = False) -> None:
        self.text = ""
        self.hidden: list[bool] = []
        self._written = asyncio.Event()
        self.terminal = Terminal(self._write, is_terminal, is_ascii, self._hide)

    def _write(self, text: str) -> None:
        self.text += text
        self._written.set()

    def _hide(self) -> Callable[[], None]:
        self.hidden.append(True)
        return lambda: self.hidden.append(False)

    async def type(self, *lines: str) -> None:
        for line in lines:
            self.terminal.inbox.put_nowait(Typed(line, self.terminal.question))
        await settle()

    async def until(self, text: str) -> str:
        """Wait until something was written, and return all up to there."""
        while text not in self.text:
            self._written.clear()
            await self._written.wait()
        before, found, self.text = self.text.partition(text)
        return before + found

    def take(self) -> str:
        """Return what was written since the last look."""
        text, self.text = self.text, ""
        return text
