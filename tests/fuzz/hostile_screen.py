"""Fuzzing of the full screen by a server that means harm: the real application, drawn for a terminal.

Real are all parts from the bytes of a connection to the bytes for a terminal, Textual's included; simulated
are the socket, the session's time and the person, who presses keys at random. Nothing may end in a
traceback, hang, grow without bound, steer the terminal, or keep SIGTERM from ending it.
"""

import asyncio
import contextlib
import functools
import gc
import re
import tempfile
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from random import Random
from unittest.mock import patch

from textual import events
from textual.drivers.headless_driver import HeadlessDriver

from client.core.failure import CouldNot
from client.flow.wanted import JoinAt
from client.net.place import Place
from client.net.session import Session
from client.net.store import Store
from client.tui.app import ConquestApp
from protocol.server_frame import Chatted, Exported, Noticed, Offered, Seated, Told, Watched, Welcome
from tests.fuzz.corpus import framed
from tests.fuzz.enemy import CODE, MOST_KNOWN, STEERING, TARGET, Enemy
from tests.fuzz.report import Failure, Round, blocks

LIVES = 600
"""Frames in one life of a client, if it is not over before."""
FLOODS = (Chatted, Noticed, Told, Watched, Seated, Offered, Exported)
"""What may come by the thousand, since it ends nothing."""
STALL_S = 1.0
"""How long the work on one piece of input may take: a whole page may have to be laid out."""
STEP_S = 0.001
HANG_S = 20.0
"""How long a client may take nothing in, or not end, on a busy machine."""
MEASURED = 50
"""After how many frames memory is measured again."""
MOST_BLOCKS = 200_000
"""How much more a life may hold later than early on, in allocated blocks: some twenty megabytes."""
SIZES = ((60, 18), (80, 24), (120, 40), (200, 60))
KEYS = (
    *"123456789adbny?",
    *("f1", "f2", "f3", "f4", "escape", "enter", "tab", "space", "left", "right", "up", "down"),
    *("pageup", "pagedown", "home", "end"),
)
DRAWING = re.compile(
    r"\x1b\[[0-9;]*[mH]|\x1b\[\?(?:2026|25)[hl]|\x1b\[[0-6] q|\x1b\]22;[a-z-]+\x07|\r?\n"
    r"|\x1b\[2[23];2t|\x1b\](?:2|9|777;notify;Conquest);(?P<said>[^\x07]*)\x07"
)
"""What is drawn with: styles, places and shapes of cursor and pointer, what is to appear at once; then
titles and notifications, in which something is said.
"""
HOSTILE = ("\x1b]52;c;eA==\x07", "\x9b2J", "\x1b[2J", "A\u202eB\u200b", "[bold]x[/bold]", "Zoë 猫\ue000")


class Screen(HeadlessDriver):
    """A terminal that looks at every byte that it is handed."""

    look: Callable[[str], None]
    is_headless = False  # type: ignore[assignment]

    def write(self, data: str) -> None:
        Screen.look(data)


class Life:
    """One client from its start to its end, and the server that wants it no good."""

    def __init__(self, seed: str, done: Round, home: Path) -> None:
        self.random = Random(seed)
        self.done = done
        self.enemy = Enemy(self.random, done)
        self.enemy.known |= {"text": HOSTILE, "names": [["Ann", name] for name in HOSTILE]}
        self.flood = self.random.choice(FLOODS) if self.random.random() < 0.5 else None
        self.app = ConquestApp(JoinAt(Place(TARGET, CODE)), Store(home), "Ann")
        self.app.driver_class = Screen
        self.steered = ""

    def look(self, data: str) -> None:
        """Note what must not be on a terminal; the application itself would swallow a failure."""
        # A bell rings by itself.
        said = DRAWING.sub(lambda found: found["said"] or "", data) if data != "\x07" else ""
        for character in said:
            if unicodedata.category(character) in STEERING:
                self.steered = f"{character!r} reached the terminal: {data[:200]!r}"

    async def run(self, frames: int) -> None:
        """Live through so many frames, or to an earlier end."""
        Screen.look = self.look
        session = functools.partial(Session, time=self.enemy.time)
        with (
            patch("client.flow.person.Session", session),
            patch("client.flow.person.dial", lambda store, target, tell: self.enemy.dial(target, tell)),
            patch("client.net.keeper.PATIENCE_S", 0.01),
        ):
            running = asyncio.create_task(self.app.run_async(size=self.random.choice(SIZES)))
            try:
                await self._live(running, frames)
            finally:
                await self._end(running)

    async def _live(self, running: "asyncio.Task[None]", frames: int) -> None:
        await self._until(lambda: running.done() or not self.enemy.is_cut, "connects to nothing")
        for data in self.enemy.opening():
            await self._feed(data)
        early = 0
        for number in range(frames):
            if running.done() or self.app.playing is None:
                return
            await self._torment()
            self._check()
            if number % MEASURED == 0 and number:
                early = early or blocks()
                if (more := blocks() - early) > MOST_BLOCKS:
                    raise Failure(f"{more} blocks more than early in its life", self.done.frames)

    async def _torment(self) -> None:
        if self.flood is not None and self.random.random() < 0.9:
            await self._feed(framed(self.enemy.corpus.lawful(self.flood)))
        else:
            await self._feed(self.enemy.worst())
        if self.enemy.is_cut or self.random.random() < 0.01:
            await self._cut()
        if self.random.random() < 0.2:
            key = self.random.choice(KEYS)
            self.app.post_message(events.Key(key, key if len(key) == 1 else None))

    async def _cut(self) -> None:
        """Lose the connection, and let the client come back at once."""
        self.enemy.cut()
        for _ in range(20):
            await asyncio.sleep(0)
        self.enemy.wake()
        for _ in range(20):
            await asyncio.sleep(0)
        await self._feed(framed(self.enemy.corpus.lawful(Welcome)))

    async def _feed(self, data: bytes) -> None:
        began = time.thread_time()
        self.enemy.say(data)
        await asyncio.sleep(0)
        await self._until(lambda: self.enemy.is_heard or self.app.playing is None, "takes nothing in")
        self.done.frames += 1
        self.done.took(time.thread_time() - began, STALL_S)

    async def _until(self, condition: Callable[[], bool], otherwise: str) -> None:
        for _ in range(int(HANG_S / STEP_S)):
            if condition():
                return
            await asyncio.sleep(STEP_S)
        raise Failure(f"the client {otherwise}", self.done.frames)

    async def _end(self, running: "asyncio.Task[None]") -> None:
        """End it as SIGTERM does."""
        self.app.call_later(self.app.dismissed)
        await asyncio.wait([running], timeout=HANG_S)
        if not running.done():
            running.cancel()
            raise Failure("the client does not end", self.done.frames)
        await running
        self._check()
        if fault := self.app.fault:
            raise Failure(f"uncaught: {fault!r}", self.done.frames) from fault

    def _check(self) -> None:
        if self.steered:
            raise Failure(self.steered, self.done.frames)
        held = {"pages": len(self.app.screen_stack) * 10, "tasks": len(asyncio.all_tasks())}
        for what, count in held.items():
            if count > MOST_KNOWN:
                raise Failure(f"the client has {count} {what}", self.done.frames)


def run(seed: int, frames: int) -> Round:
    """Torment applications with so many frames."""
    done, life = Round(), 0
    with tempfile.TemporaryDirectory() as home, contextlib.chdir(home):
        while done.frames < frames:
            life += 1
            folder = Path(home) / str(life)
            try:
                asyncio.run(Life(f"hostile screen {seed} {life}", done, folder).run(LIVES))
            except (Failure, CouldNot):
                raise
            except Exception as bug:
                raise Failure(f"uncaught: {bug!r}", done.frames) from bug
            done.count("lives")
    return done


def forget_caches() -> None:
    """Empty what libraries keep of calls, up to limits that no run reaches: lines, styles, widths."""
    for each in gc.get_objects():
        if isinstance(each, functools._lru_cache_wrapper):
            each.cache_clear()
