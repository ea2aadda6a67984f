"""A connection between a client and the server: bytes in both directions, late, in pieces, or not at all.

The server's end is what its shell takes for a transport. What is sent in one direction never overtakes
itself, as in TCP; two connections of one client know nothing of each other, and may well overtake.
"""

from random import Random
from typing import Any, Protocol

from server.io import shell
from tests.simulation.agenda import Agenda, Loop

SYSTEM_BUFFER = 4096
"""Bytes that the system takes off a transport's hands although the other end does not read."""


class End(Protocol):
    """Who holds the client's end."""

    def arrived(self, link: "Link", data: bytes) -> None: ...

    def lost(self, link: "Link") -> None: ...


class Watcher(Protocol):
    """Who is told what leaves the server."""

    def leaving(self, link: "Link", data: bytes) -> None: ...


class Link:
    """One connection, and at the same time the server's transport for it."""

    def __init__(
        self,
        agenda: Agenda,
        random: Random,
        loop: Loop,
        server: shell.Server,
        client: End,
        watcher: Watcher,
        address: str,
        is_rough: bool,
    ) -> None:
        self.client = client
        self.server = server
        self.peer = shell.Peer(server, address)
        self.is_rough = is_rough
        """Whether bytes come late and in pieces."""
        self.is_up = False
        """Whether the server has this end open."""
        self.is_deaf = False
        """Whether the client reads nothing."""
        self._agenda = agenda
        self._random = random
        self._loop = loop
        self._watcher = watcher
        self._is_closing = False
        self._is_cut = False
        self._in_flight = 0
        self._unread = 0
        self._up_at = self._down_at = agenda.now
        self._up(self._opened)

    # The client's end.

    def send(self, data: bytes) -> None:
        """Send bytes to the server."""
        for piece in self._pieces(data):
            self._up(self._reach, piece)

    def finish(self) -> None:
        """Close the client's half, behind what was sent."""
        self._up(self._finished)

    def is_open(self) -> bool:
        """Tell whether anything may still happen here."""
        return not self._is_cut

    def reset(self) -> None:
        """Tear the connection down at both ends; what is on its way is lost."""
        if not self._is_cut:
            self._is_cut = True
            self._end()
            self._agenda.after(self._delay(), self.client.lost, self)

    def stall(self, seconds: float) -> None:
        """Hold everything up that is sent from now on."""
        self._up_at = max(self._up_at, self._agenda.now + seconds)
        self._down_at = max(self._down_at, self._agenda.now + seconds * self._random.random())

    def _pieces(self, data: bytes) -> list[bytes]:
        if not self.is_rough or len(data) < 2 or self._random.random() < 0.7:
            return [data]
        cut = self._random.randrange(1, len(data))
        return [data[:cut], data[cut:]]

    def _delay(self) -> float:
        if not self.is_rough or self._random.random() < 0.8:
            return self._random.uniform(0.0005, 0.005)
        return self._random.uniform(0.0, 1.5)

    def _up(self, call: Any, *arguments: Any) -> None:
        self._up_at = max(self._up_at, self._agenda.now + self._delay())
        self._agenda.at(self._up_at, call, *arguments)

    def _opened(self) -> None:
        if not self._is_cut and not self._loop.is_dead:
            self.is_up = True
            self.peer.connection_made(self)  # type: ignore[arg-type]
        else:
            self.reset()

    def _reach(self, piece: bytes) -> None:
        if self.is_up and not self._is_closing:
            self.server.buffer[: len(piece)] = piece
            self.peer.buffer_updated(len(piece))

    def _finished(self) -> None:
        if self.is_up and not self._is_closing and not self.peer.eof_received():
            self.close()

    # The server's end.

    def write(self, data: bytes) -> None:
        if self._is_cut or not self.is_up:
            return
        self._watcher.leaving(self, data)
        if self.is_deaf:
            self._unread += len(data)
            return
        for piece in self._pieces(data):
            self._in_flight += len(piece)
            self._down_at = max(self._down_at, self._agenda.now + self._delay())
            self._agenda.at(self._down_at, self._land, piece)

    def get_write_buffer_size(self) -> int:
        return max(0, self._in_flight + self._unread - SYSTEM_BUFFER)

    def close(self) -> None:
        if not self._is_closing:
            self._is_closing = True
            self._end_when_written()

    def abort(self) -> None:
        if self.is_up:
            self.reset()

    def _land(self, piece: bytes) -> None:
        self._in_flight -= len(piece)
        if not self._is_cut:
            self.client.arrived(self, piece)
        if self._is_closing:
            self._end_when_written()

    def _end_when_written(self) -> None:
        if self.is_up and self.get_write_buffer_size() == 0:
            self._end()
        if not self.is_up and self._in_flight == 0 and not self._is_cut:
            self._is_cut = True
            self._agenda.at(self._down_at, self.client.lost, self)

    def _end(self) -> None:
        if self.is_up:
            self.is_up = False
            self._loop.call_soon(self.peer.connection_lost, None)
