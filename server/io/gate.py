"""Journal before broadcast: what a step wants to send waits here until the step's writes are durable.

Everything leaves in the order in which it came, so that nothing which depends on a move can overtake
the move. It knows tickets, and neither sockets nor disks.
"""

from collections import deque

from server.core.effect import Send


class Gate:
    """Holds what is to be sent until the ticket it depends on is durable."""

    def __init__(self) -> None:
        self._held: deque[tuple[int, list[Send]]] = deque()
        self._appended = 0
        self._durable = 0

    def appended(self, ticket: int) -> None:
        """Make all that is sent later depend on this ticket."""
        self._appended = ticket

    def is_open(self) -> bool:
        """Tell whether something may leave at once."""
        return self._durable >= self._appended and not self._held

    def queue(self) -> list[Send]:
        """Give the list of what is to be kept until everything appended so far is durable."""
        held = self._held
        if not held or held[-1][0] != self._appended:
            held.append((self._appended, []))
        return held[-1][1]

    def forget(self, connection: int) -> None:
        """Let go of what waits for a connection that is no more."""
        for _, sends in self._held:
            sends[:] = [send for send in sends if send[0] != connection]

    def durable(self, ticket: int) -> list[Send]:
        """Take note that all up to the ticket is on disk, and give out what may leave now."""
        self._durable = ticket
        held = self._held
        out: list[Send] = []
        while held and held[0][0] <= ticket:
            out += held.popleft()[1]
        return out
