"""The machine on which the server runs: it starts it, kills it, and has a clock of doubtful quality.

The server is the real one, shell and all; only its sockets, its disk, its clock and its luck are simulated.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from protocol.limit import Limits
from server.config import Config
from server.core.effect import Effects
from server.core.input import Input
from server.core.kernel import Kernel
from server.io import shell
from tests.simulation.agenda import Agenda
from tests.simulation.disk import Disk
from tests.simulation.link import End, Link
from tests.simulation.witness import Witness

EPOCH = 1_700_000_000.0


class Clock:
    """Stands in for the module `time`."""

    def __init__(self, agenda: Agenda) -> None:
        self.wrong_s = 0.0
        """How far the wall clock is from the truth; read once, when a server starts."""
        self.slept_s = 0.0
        """For how long the machine has slept without its monotonic clock running."""
        self._agenda = agenda

    def monotonic(self) -> float:
        return self._agenda.now - self.slept_s

    def time(self) -> float:
        return EPOCH + self._agenda.now + self.wrong_s

    perf_counter = monotonic


class Server(shell.Server):
    """The real server, with a witness at its side."""

    def __init__(self, config: Config, disk: Disk, loop: Any, randbelow: Any, witness: Witness) -> None:
        super().__init__(config, disk, loop)
        self.kernel = self.make_kernel(config.limits, randbelow)
        self.witness = witness
        self.faults: list[str] = []

    def make_kernel(self, limits: Limits, randbelow: Any) -> Kernel:
        return Kernel(limits, randbelow, self.now(), shell.BANNER)

    def step(self, given: Input) -> None:
        before = self.witness.before(self, given)
        super().step(given)
        self.witness.after(self, given, before)

    def fail(self, fault: BaseException) -> None:
        """Let no fault, and no finding of the witness, stay inside the server."""
        raise fault

    def _fetch_and_log(self, effects: Effects) -> None:
        self.faults += effects.faults
        super()._fetch_and_log(effects)


class Host:
    """Runs the server."""

    server_type: type[Server] = Server

    def __init__(self, agenda: Agenda, disk: Disk, limits: Limits, seed: str, witness: Witness) -> None:
        self.agenda = agenda
        self.disk = disk
        self.limits = limits
        self.witness = witness
        self.clock = Clock(agenda)
        self.links: list[Link] = []
        self.server: Server | None = None
        self.is_rough = True
        """Whether new links delay and split."""
        self._luck = Random(f"{seed} luck")
        self._network = Random(f"{seed} network")

    def start(self) -> None:
        """Start the server on what the disk holds."""
        self.loop = self.agenda.loop()
        self.server = self.server_type(
            Config(limits=self.limits), self.disk, self.loop, self._luck.randrange, self.witness
        )
        self.server.restore()
        self.loop.call_later(shell.TICK_S, self.server.tick)
        self.witness.restored(self.server)

    def crash(self) -> None:
        """Kill the server as a power cut does."""
        if self.server is not None:
            self.witness.crashed(self.server)
            self.server = None
            self.loop.is_dead = True
            self.disk.crash()
            for link in self.links:
                link.reset()
            self.links = []

    def dial(self, client: End, address: str) -> Link | None:
        """Connect a client to the server; None while it is down."""
        if self.server is None:
            return None
        link = Link(
            self.agenda, self._network, self.loop, self.server, client, self.witness, address, self.is_rough
        )
        self.links = [old for old in self.links if old.is_open()]
        self.links.append(link)
        return link


@contextmanager
def clock_of(host: Host) -> Iterator[None]:
    """Let the server read the host's clock instead of the real one."""
    real, shell.time = shell.time, host.clock  # type: ignore[assignment]
    try:
        yield
    finally:
        shell.time = real
