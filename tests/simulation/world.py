"""A whole world from one seed: a server, its disk and its clock, those who use it, and what goes wrong.

First everything may go wrong; then nothing does any more, and every match must come to its end.
"""

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from protocol.limit import Limits
from server.io import shell
from tests.server.games.playthrough import VARIANTS
from tests.simulation import fault
from tests.simulation.agenda import Agenda
from tests.simulation.careless import Careless
from tests.simulation.disk import Disk
from tests.simulation.host import Host, Server, clock_of
from tests.simulation.hostile import Hostile
from tests.simulation.player import Meeting, Player
from tests.simulation.shadow import require
from tests.simulation.witness import Witness

LIMITS = Limits(
    hello_timeout_s=2.0,
    frame_timeout_s=3.0,
    heartbeat_s=2.0,
    dead_s=6.0,
    chat_burst=3,
    chat_window_s=5.0,
    connections=14,
    connections_per_address=6,
    connections_unwelcomed=6,
    outbox=8 * 1024,
    matches_per_player=4,
    matches=8,
    matches_per_address=5,
    creates_per_address=6,
    lists_per_address=10,
    watches_per_address=6,
    exports_per_address=4,
    journal_per_address=16 * 1024,
    budget_s=10.0,
    moves_per_match=40,
    guesses=4,
    guess_window_s=10.0,
    sessions=10,
    session_idle_s=5.0,
    grace_s=4.0,
    finished_kept_s=8.0,
    open_kept_s=60.0,
    spectators_per_match=2,
)
NAMES = ("Anna", "Bert", "Carl", "Dora")
TROUBLE_S = 14.0
PEACE_S = 90.0
TRACED = 40
TERMS: tuple[dict[str, Any], ...] = tuple(
    {"game": variant.id, "options": dict(variant.options)} for variant in VARIANTS
)
"""Every game with every combination of its options."""


class World:
    """Everything there is."""

    def __init__(self, seed: int | str, server_type: type[Server] = Server) -> None:
        self.seed = f"seed {seed}"
        self.random = Random(self.seed)
        self.agenda = Agenda(Random(f"{self.seed} turns"))
        self.trace: deque[tuple[float, str, Any]] = deque(maxlen=TRACED)
        self.witness = self.make_witness()
        self.disk = Disk(self.agenda, Random(f"{self.seed} disk"), self.witness)
        self.host = Host(self.agenda, self.disk, LIMITS, self.seed, self.witness)
        self.host.server_type = server_type
        self.is_peaceful = False
        self._calm_at = 0.0
        self.meetings = self.make_meetings()
        self.players: list[Player] = []
        self.strangers: list[Hostile] = []

    def make_witness(self) -> Witness:
        return Witness(LIMITS, self.note)

    def make_meetings(self) -> list[Meeting]:
        """Say who is going to play what with whom."""
        return [self._meeting() for _ in range(self.random.choice((1, 1, 2, 3)))]

    def _meeting(self) -> Meeting:
        host, guest, *others = self.random.sample(NAMES, 4)
        terms = {**self.random.choice(TERMS), "first": self.random.choice(("toss", "creator", "guest"))}
        if self.random.random() < 0.6:
            terms["clock_s"] = self.random.choice((5, 8, 20))
        if self.random.random() < 0.5:
            terms["private"] = True
        watchers = tuple(other for other in others if self.random.random() < 0.4)
        return Meeting(host, guest, terms, watchers, rematches=self.random.choice((0, 1, 1)))

    def run(self) -> int:
        """Let it all happen; raise `Violation` when a promise is broken, else tell how often one was kept."""
        with clock_of(self.host), self.listening():
            self._run()
        return self.witness.frames_checked

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Do with the server's log what is to be done with it: nothing."""
        was_disabled, shell.log.disabled = shell.log.disabled, True
        try:
            yield
        finally:
            shell.log.disabled = was_disabled

    def _run(self) -> None:
        self.host.start()
        self._populate()
        self.plan_trouble()
        self.agenda.after(TROUBLE_S, self._calm)
        while not self.is_finished():
            self.turn()
            is_late = self.is_peaceful and self.agenda.now > self._calm_at + PEACE_S
            require(not is_late, "every match comes to its end", *self._unfinished())
        self._settle()

    def plan_trouble(self) -> None:
        """Say what goes wrong, and when."""
        fault.plan(self)

    def _populate(self) -> None:
        names = {name for m in self.meetings for name in (m.host, m.guest, *m.watchers)}
        for name in sorted(names):
            meetings = [m for m in self.meetings if name in (m.host, m.guest, *m.watchers)]
            self.players.append(self.make_player(name, meetings))
        for number in range(self.random.choice((0, 0, 1, 2))):
            name = f"Evil {number}"
            self.strangers.append(Hostile(self.host, name, self.seed, self._codes, self._tokens))

    def make_player(self, name: str, meetings: list[Meeting]) -> Player:
        kind = Careless if self.random.random() < 0.25 else Player
        return kind(self.host, name, self.seed, meetings)

    def _codes(self) -> list[str]:
        return list(self.witness.streams)

    def _tokens(self) -> list[str]:
        return [token for player in self.players for token in player.void]

    def turn(self) -> None:
        """Let the next thing happen, and check everything."""
        is_more = self.agenda.turn()
        require(is_more, "something always happens")
        if self.host.server is not None:
            self.witness.check(self.host.server)

    def note(self, what: str, frame: Any = "") -> None:
        """Keep something for the trace."""
        self.trace.append((self.agenda.now, what, frame))

    def _calm(self) -> None:
        """End all trouble: from now on every match must come to its end."""
        self.note("peace")
        self.is_peaceful = True
        self._calm_at = self.agenda.now
        self.disk.is_broken, self.disk.latency_s = False, 0.002
        self.disk.failing.clear()
        self.host.is_rough = False
        for stranger in self.strangers:
            stranger.is_gone = True
        for player in self.players:
            player.is_serious = True
        if self.host.server is None:
            self.host.start()
        for player in self.players:
            player.drop()
            for meeting in player.meetings:
                player.approach(meeting)
            for sight in player.sights.values():
                player.consider(sight)

    def _unfinished(self) -> list[Any]:
        """List the running matches that have a player who is still there."""
        present = {session for session, client in self.witness.players.items() if not client.is_gone}
        return [
            (shadow.code, shadow.seats, shadow.last)
            for shadow in self.witness.shadows.values()
            if shadow.seats is not None and shadow.last.outcome is None and (set(shadow.seats) & present)
        ]

    def is_finished(self) -> bool:
        """Tell whether there is nothing left to be done."""
        return self.is_peaceful and not self._unfinished() and not self._unanswered()

    def _unanswered(self) -> list[Any]:
        return [player.pending for player in self.players if player.pending and not player.is_gone]

    def _settle(self) -> None:
        """Kill the server once more, and see that nothing is missing."""
        self.host.crash()
        self.host.start()
