"""What is to be sent: held at the gate for the disk, then written to each connection once a loop turn.

A peer for whom too much has gathered is dropped: what waits for it must not fill the memory. No queue and no
task belongs to a connection.
"""

import asyncio
from collections.abc import Callable

from protocol.process.supervision import OnFault, guarded
from server.core.effect import Send
from server.io.gate import Gate
from server.io.peer import Peer

FAREWELL_S = 2.0
"""How long a connection that was told to end may take to read why."""
NEGLIGIBLE = 4 * 1024
"""Bytes that are not worth looking for at the gate when the connection they wait for is gone."""


class Outbox:
    """The peers, and everything that is on its way to them."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        limit: int,
        on_slow: Callable[[Peer], None],
        on_fault: OnFault,
    ) -> None:
        self.peers: dict[int, Peer] = {}
        self.gate = Gate()
        self._loop = loop
        self.limit = limit
        """Bytes that may wait for one peer."""
        self._on_slow = on_slow
        self._on_fault = on_fault
        self._dirty: list[Peer] = []
        """The peers that are written to at the end of this loop turn."""

    def send(self, sends: list[Send]) -> None:
        """Send frames; all but the urgent ones wait until what they depend on is durable."""
        peers, gate = self.peers, self.gate
        is_open = gate.is_open()
        queue = [] if is_open else gate.queue()
        for send in sends:
            number, data, is_urgent, is_last = send
            peer = peers.get(number)
            if peer is None:
                continue
            if is_open or is_urgent:
                self._put(peer, data, is_last)
                continue
            queue.append(send)
            peer.held += len(data)
            if peer.held > self.limit:
                self._drop_slow(peer)

    def release(self, ticket: int) -> None:
        """Send what waited for a ticket that is durable now."""
        for number, data, _, is_last in self.gate.durable(ticket):
            peer = self.peers.get(number)
            if peer is not None:
                peer.held -= len(data)
                self._put(peer, data, is_last)

    def send_last_words(self, ticket: int) -> None:
        """Send the last frames although the disk does not answer; what else waited for it is never shown."""
        for number, data, _, is_last in self.gate.durable(ticket):
            peer = self.peers.get(number)
            if is_last and peer is not None:
                self._put(peer, data, is_last)

    def forget(self, peer: Peer) -> None:
        """Let go of a connection that is gone, or told to go."""
        self.peers.pop(peer.number, None)
        if peer.held > NEGLIGIBLE:
            # Connections that come and go while the disk is slow must not pile up there.
            self.gate.forget(peer.number)
            peer.held = 0

    def _put(self, peer: Peer, data: bytes, is_last: bool) -> None:
        if not peer.out:
            if not self._dirty:
                self._loop.call_soon(guarded(self._flush, self._on_fault))
            self._dirty.append(peer)
        peer.out += data
        if is_last:
            self._write_out(peer)
            self._part_from(peer)
        elif len(peer.out) > self.limit:
            # Nothing is written before the turn ends; a peer that asks for so much at once must not delay it.
            self._drop_slow(peer)

    def _flush(self) -> None:
        dirty, self._dirty = self._dirty, []
        for peer in dirty:
            self._write_out(peer)

    def _write_out(self, peer: Peer) -> None:
        if peer.write_out() > self.limit:
            self._drop_slow(peer)

    def _drop_slow(self, peer: Peer) -> None:
        self._on_slow(peer)
        self.forget(peer)
        peer.abort()

    def _part_from(self, peer: Peer) -> None:
        """Close a connection once it has read its last frame, or soon in any case."""
        self.forget(peer)
        peer.close()
        self._loop.call_later(FAREWELL_S, peer.abort)
