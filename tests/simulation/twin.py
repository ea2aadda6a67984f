"""The same world twice, but for a secret: what leaves the server must not differ until it is revealed.

All that everybody but the secret's owner is sent is kept, byte by byte, with its virtual time and where one
write ends and the next begins, and so is every line of the log.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import msgpack

from protocol.client_frame import Play
from protocol.codec import encode
from server.core import match
from server.core.entry import Entry
from server.games.chance import Drawn
from server.io import shell
from tests.simulation.client import Sight
from tests.simulation.player import Meeting, Player
from tests.simulation.witness import Witness
from tests.simulation.world import LIMITS, World

SECRETIVE = ("Anna", "Bert")


class Listener(Witness):
    """A witness who also writes down what everybody but one person can know."""

    secret_of: str | None = None
    is_revealed = False
    is_turned_over = False
    """Whether it was revealed by the rules of the game, and not only by the record of a match that ended."""

    def __init__(self, world: World) -> None:
        super().__init__(LIMITS, world.note)
        self._world = world
        self._links: dict[Any, int] = {}
        self.veiled: list[Any] = []
        """What could be known before the secret was revealed."""
        self.unveiled: list[Any] = []
        self.outline: list[Any] = []
        """When and how many bytes went to and from the secret's owner before: encryption does not hide it."""

    def hear(self, *fact: Any) -> None:
        """Write something down."""
        (self.unveiled if self.is_revealed else self.veiled).append((self._world.agenda.now, *fact))

    def restored(self, server: Any) -> None:
        super().restored(server)
        self.hear("start")

    def leaving(self, link: Any, data: bytes) -> None:
        super().leaving(link, data)
        number = self._links.setdefault(link, len(self._links))
        if link.client.name != self.secret_of:
            self.hear(link.client.name, number, data)
        elif not self.is_revealed:
            self.outline.append((self._world.agenda.now, number, "to", len(data)))

    def asked(self, name: str, frame: Any) -> None:
        """Take note that somebody sends a frame."""
        if name == self.secret_of and not self.is_revealed:
            self.outline.append((self._world.agenda.now, "from", len(encode(frame))))

    def _check_exported(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        super()._check_exported(link, session, frame)
        if frame["game"] == "grid":
            self.is_revealed = True

    def _take(self, entry: Entry) -> None:
        super()._take(entry)
        events = self.shadows[entry.stream].events
        if self.secret_of is not None and any(event["kind"] == "grid.revealed" for event in events[-3:]):
            self.is_revealed = self.is_turned_over = True


class Curious(Player):
    """Plays for challenges, and picks what it is told to pick."""

    pick: int | None = None
    listener: Listener

    def post(self, frame: Any) -> None:
        if self.link is not None:
            self.listener.asked(self.name, frame)
        super().post(frame)

    def thinking_s(self, sight: Sight) -> float:
        # Much can happen between the first pick and the second.
        is_picking = any(choice.kind == "pick" for choice in sight.legal)
        return self.random.uniform(0.1, 6.0) if is_picking else super().thinking_s(sight)

    def choose(self, sight: Sight) -> dict[str, int | str]:
        chosen = super().choose(sight)
        challenges = [move for move in self.moves(sight) if move["kind"] == "challenge"]
        if challenges:
            return challenges[0]
        if chosen["kind"] == "pick" and self.pick is not None:
            has_picked = any(isinstance(r, Play) and r.move["kind"] == "pick" for r in self.requests.values())
            return chosen if has_picked else {"kind": "pick", "number": self.pick}
        return chosen


class Twin(World):
    """A world with one match, a spectator, strangers, and a secret."""

    def __init__(self, seed: int, terms: dict[str, Any], secret_of: str | None, pick: int | None) -> None:
        self._terms = terms
        self._secret_of = secret_of
        self._pick = pick
        super().__init__(f"twin {seed}")

    def make_witness(self) -> Witness:
        self.listener = Listener(self)
        self.listener.secret_of = self._secret_of
        return self.listener

    def make_meetings(self) -> list[Meeting]:
        """Say who is going to play what with whom; Dora only watches the other lists."""
        other = Meeting("Carl", "Dora", {"game": "duel"}, ("Anna",))
        return [Meeting("Anna", "Bert", self._terms, ("Carl", "Dora")), other]

    def make_player(self, name: str, meetings: list[Meeting]) -> Player:
        player = Curious(self.host, name, self.seed, meetings)
        player.listener = self.listener
        if name == self._secret_of:
            player.pick = self._pick
        return player

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Write the server's log down too."""
        ear = _Ear(self.listener)
        shell.log.addHandler(ear)
        before = (shell.log.level, shell.log.propagate)
        # A level that is only assigned does not count where one was asked for before.
        shell.log.setLevel(logging.INFO)
        shell.log.propagate = False
        try:
            yield
        finally:
            shell.log.setLevel(before[0])
            shell.log.propagate = before[1]
            shell.log.removeHandler(ear)


class _Ear(logging.Handler):
    def __init__(self, listener: Listener) -> None:
        super().__init__()
        self._listener = listener

    def emit(self, record: logging.LogRecord) -> None:
        self._listener.hear("log", record.getMessage(), repr(getattr(record, "facts", None)))


def with_pick(seed: int, pick: int) -> Listener:
    """Run a world in which one player's first pick is this one."""
    clock = {"clock_s": 5} if seed % 3 == 0 else {}
    terms = {"game": "grid", "hints": seed % 2 == 0, **clock}
    twin = Twin(seed, terms, SECRETIVE[seed // 2 % 2], pick)
    twin.run()
    return twin.listener


def with_draw(seed: int, shift: int) -> Listener:
    """Run a world in which one card, somewhere, is drawn differently by so much."""
    twin = Twin(seed, {"game": "digit"}, None, None)
    place = 3 + seed % 15

    class Shifted(Drawn):
        count = 0

        def below(self, n: int) -> int:
            Shifted.count += 1
            answer = super().below(n)
            if Shifted.count < place or n < 2 or twin.listener.is_revealed:
                return answer
            twin.listener.is_revealed = True
            self.answers[-1] = (answer + shift) % n
            return self.answers[-1]

    with patch.object(match, "Drawn", Shifted):
        twin.run()
    return twin.listener


def heard_by(listener: Listener, name: str) -> list[dict[str, Any]]:
    """List the frames that somebody was sent before the secret was revealed."""
    frames = []
    for _, who, *rest in listener.veiled:
        if who == name:
            data = rest[-1]
            at = 0
            while at < len(data):
                end = at + 4 + int.from_bytes(data[at : at + 4], "big")
                frames.append(msgpack.unpackb(data[at + 4 : end]))
                at = end
    return frames
