"""Fuzzing of the whole server in one process: shell, kernel, gate and codec, beside a match that goes on.

Simulated are the loop, the clock, the sockets and the disk, so that a seed is the same attack again. The
attackers know the codes of all matches, and the tokens of their own. The bystanders make a move every so
often, which must be taken; memory is held against its limits all the time.
"""

import gc
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from random import Random
from typing import Any
from unittest.mock import patch

from protocol.choice import spelled_out
from protocol.client_frame import Create, Hello, Join, Play
from protocol.codec import Splitter, decode_server, encode
from protocol.limit import PROTOCOL_VERSION, Limits
from protocol.process.supervision import OnFault
from protocol.server_frame import Seated, Shown
from server.config import Config
from server.core.effect import Effects
from server.core.entry import CREATED, RETIRED, Entry, Fact, Write, has_seat
from server.core.input import Garbled, Input, Received
from server.core.kernel import Kernel
from server.io import shell
from server.io.journal import always
from tests.fuzz.corpus import Corpus, framed
from tests.fuzz.knowledge import Knowledge
from tests.fuzz.report import STALL_S, Failure, Round
from tests.protocol.strategy import CLIENT_FRAMES
from tests.simulation.agenda import Agenda
from tests.simulation.host import Clock
from tests.simulation.invariant import check_growth, check_structure
from tests.simulation.shadow import Violation

ATTACKERS = 20
PATIENCE = 200
"""Frames between two looks at everything, and between two moves of the bystanders."""
LIMITS = Limits(
    sessions=300,
    matches=100,
    finished_kept_s=60.0,
    open_kept_s=120.0,
    session_idle_s=60.0,
    outbox=8 * 1024,
)


class Disk:
    """A journal that remembers only the matches which are not put away, and is quick about it."""

    name = "nowhere"
    commits = 0
    commit_times: tuple[float, ...] = ()

    def __init__(self, agenda: Agenda) -> None:
        self._agenda = agenda
        self._ticket = 0
        self._histories: dict[int, list[Entry]] = defaultdict(list)
        self._streams: dict[str, int] = {}

    def start(
        self, on_durable: Callable[[int], None], on_stalled: Callable[[str], None], on_fault: OnFault
    ) -> None:
        self._on_durable = on_durable

    def append(self, writes: list[Write]) -> int:
        for write in writes:
            if isinstance(write, Entry):
                self._keep(write)
        self._ticket += 1
        self._agenda.after(0.002, self._on_durable, self._ticket)
        return self._ticket

    def _keep(self, entry: Entry) -> None:
        history = self._histories[entry.stream]
        history.append(entry)
        if entry.kind == CREATED:
            self._streams[entry.body["code"]] = entry.stream
        elif entry.kind == RETIRED:
            del self._histories[entry.stream], self._streams[history[0].body["code"]]

    def read(
        self,
        code: str,
        on_read: Callable[[list[Entry]], None],
        session: int | None = None,
        is_wanted: Callable[[], bool] = always,
    ) -> None:
        entries = list(self._histories.get(self._streams.get(code, -1), ()))
        if session is not None and not has_seat(session, entries[:2]):
            entries = []
        self._agenda.after(0.002, on_read, entries)

    def facts(self) -> Iterator[Fact]:
        return iter(())

    def live(self) -> Iterator[list[Entry]]:
        return iter(())

    def close(self) -> None:
        """Let go of nothing."""


class Server(shell.Server):
    """The real server, which tells its faults."""

    def __init__(self, agenda: Agenda, random: Random) -> None:
        super().__init__(Config(limits=LIMITS), Disk(agenda), agenda.loop())  # type: ignore[arg-type]
        self.kernel = Kernel(LIMITS, random.randrange, self.now(), shell.BANNER)
        self.faults: list[str] = []
        self.taken = 0
        """How many frames, and things that are none, have reached the kernel."""

    def step(self, given: Input) -> None:
        self.taken += isinstance(given, Received | Garbled)
        super().step(given)

    def fail(self, fault: BaseException) -> None:
        raise fault

    def _fetch_and_log(self, effects: Effects) -> None:
        self.faults += effects.faults
        super()._fetch_and_log(effects)


class Line:
    """A connection's transport, and who is at its other end."""

    def __init__(self, server: Server, address: str, on_frame: Callable[[Any], None]) -> None:
        self.is_open = True
        self.is_deaf = False
        self.shown: Shown | None = None
        """What its last frame about a move that is owed showed."""
        self._server = server
        self._on_frame = on_frame
        self._splitter = Splitter()
        self._unread = 0
        self.peer = shell.Peer(server, address)
        self.peer.connection_made(self)  # type: ignore[arg-type]

    def send(self, data: bytes) -> None:
        """Let bytes arrive at the server, as much at once as its buffer takes."""
        while data and self.is_open:
            buffer = self.peer.get_buffer(-1)
            piece, data = data[: len(buffer)], data[len(buffer) :]
            buffer[: len(piece)] = piece
            self.peer.buffer_updated(len(piece))

    def write(self, data: bytes) -> None:
        self._unread += len(data) if self.is_deaf else 0
        for body in self._splitter.feed(data):
            frame = decode_server(body)
            self.shown = frame if isinstance(frame, Shown) and frame.legal else self.shown
            self._on_frame(frame)

    def get_write_buffer_size(self) -> int:
        return self._unread

    def close(self) -> None:
        if self.is_open:
            self.is_open = False
            self._server._loop.call_soon(self.peer.connection_lost, None)

    abort = close


class Bystander:
    """A player who only wants to play, and whose every move must be taken."""

    def __init__(self, server: Server, name: str) -> None:
        self.line = Line(server, f"192.0.2.{len(name)}", self._hear)
        self.code: str | None = None
        self.shown: Shown | None = None
        self.answered = 0
        self._asked = 0
        self.ask(Hello(version=PROTOCOL_VERSION, name=name))

    def _hear(self, frame: Any) -> None:
        if isinstance(frame, Seated):
            self.code = frame.match
        elif isinstance(frame, Shown):
            self.shown = frame
        if getattr(frame, "re", None) == self._asked:
            self.answered = self._asked if isinstance(frame, Shown | Seated) else -1

    def ask(self, frame: Any) -> None:
        self.line.send(encode(frame))

    def request(self, kind: Any, **fields: Any) -> None:
        self._asked += 1
        self.ask(kind(id=self._asked, **fields))

    def is_content(self) -> bool:
        """Tell whether the last request was granted."""
        return self.line.is_open and self.answered == self._asked

    def move(self) -> bool:
        """Make a move, if one is owed."""
        if self.shown is None or not self.shown.legal:
            return False
        # Neither attacks, so that the match goes on for as long as the attack.
        move = list(spelled_out(self.shown.legal))[-1]
        self.request(Play, match=self.shown.match, turn=self.shown.turn, move=move)
        return True


class Attack:
    """A server under attack."""

    def __init__(self, seed: int) -> None:
        self.random = Random(f"in process {seed}")
        self.agenda = Agenda(Random(f"turns {seed}"))
        self.clock = Clock(self.agenda)
        self.done = Round()
        self.knowledge = Knowledge()
        self.corpus = Corpus(self.random, CLIENT_FRAMES, self.knowledge.known, LIMITS.frame)
        self.lines: list[Line | None] = [None] * ATTACKERS

    @contextmanager
    def standing(self) -> Iterator[None]:
        """Have the server run, with the bystanders at their match."""
        with patch.object(shell, "time", self.clock), patch.object(shell.log, "disabled", True):
            self.server = Server(self.agenda, Random(f"luck {self.random.random()}"))
            self.server.restore()
            self.server.tick()
            self._seat_bystanders()
            yield

    def run(self, frames: int) -> Round:
        """Send so many frames; raise `Failure`."""
        with self.standing():
            while self.done.frames < frames:
                before = self.done.frames
                self._attempt(self._attack)
                if self.done.frames // PATIENCE != before // PATIENCE:
                    self._attempt(self.look)
        return self.done

    def _attempt(self, work: Callable[[], None]) -> None:
        try:
            work()
        except Failure:
            raise
        except Violation as broken:
            raise Failure(str(broken), self.done.frames) from broken
        except Exception as bug:
            raise Failure(f"uncaught: {bug!r}", self.done.frames) from bug
        if self.server.faults:
            raise Failure(f"a fault of ours: {self.server.faults[0]}", self.done.frames)

    def _seat_bystanders(self) -> None:
        self.bystanders = [Bystander(self.server, name) for name in ("Ann", "Bobby")]
        self.pass_time(0.1)
        first, second = self.bystanders
        first.request(Create, game="duel", first="creator", private=True)
        self.pass_time(0.1)
        second.request(Join, match=first.code)
        self.pass_time(0.1)
        self.look()

    def pass_time(self, seconds: float) -> None:
        """Let time pass, and everything happen that is due by then."""
        is_over: list[bool] = []
        self.server._loop.drain()  # type: ignore[attr-defined]
        self.agenda.after(seconds, is_over.append, True)
        while not is_over:
            self.agenda.turn()

    def _attack(self) -> None:
        """Let one of the attackers send something."""
        place = self.random.randrange(ATTACKERS)
        line = self.lines[place]
        if line is None or not line.is_open:
            line = self.lines[place] = Line(self.server, f"203.0.113.{place}", self._overhear)
            line.is_deaf = self.random.random() < 0.1
            if self.random.random() < 0.9:
                self._feed(line, framed(self.corpus.lawful(Hello)))
        self._feed(line, self._next(line))
        if self.random.random() < 0.01:
            line.close()
        self.pass_time(self.random.choice((0.0, 0.001, 0.01, 0.1)))

    def _next(self, line: Line) -> bytes:
        dice = self.random.random()
        if dice < 0.02:
            return self.corpus.stray()
        if dice < 0.15:
            return framed(self.corpus.flawed())
        if dice < 0.17:
            return framed(self.corpus.lawful()) * self.random.choice((10, 70, 500))
        if dice < 0.5 and line.shown is not None:
            move = self.random.choice(list(spelled_out(line.shown.legal)))
            number = self.random.randrange(1, 2**31)
            return encode(Play(id=number, match=line.shown.match, turn=line.shown.turn, move=move))
        return framed(self.corpus.lawful())

    def _feed(self, line: Line, data: bytes) -> None:
        began = time.thread_time()
        line.send(data)
        took_s = time.thread_time() - began
        self.done.frames = self.server.taken
        self.done.took(took_s, STALL_S)

    def _overhear(self, frame: Any) -> None:
        self.done.count(frame.type)
        self.knowledge.overhear(frame)

    def look(self) -> None:
        """See that everything is in its limits, and that the bystanders play on."""
        check_structure(self.server)
        check_growth(self.server)
        self.pass_time(0.1)
        for bystander in self.bystanders:
            if not bystander.is_content():
                raise Failure("a bystander was disturbed", self.done.frames)
        if sum(bystander.move() for bystander in self.bystanders) != 1:
            raise Failure("the bystanders' match does not go on", self.done.frames)


@cache
def freeze() -> None:
    """Do as the server does when it starts: what is there now is never looked through for garbage again."""
    gc.collect()
    gc.freeze()


def run(seed: int, frames: int) -> Round:
    """Send so many frames to a server of a seed."""
    freeze()
    return Attack(seed).run(frames)
