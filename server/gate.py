"""Journal before broadcast: what a step wants to send waits here until the step's writes are durable.

Everything leaves in the order in which it came, so that nothing which depends on a move can overtake
the move. It knows tickets and bytes, and neither sockets nor disks.
"""

from collections import deque
from typing import NamedTuple


class Parcel(NamedTuple):
    """Bytes for one connection; the last ones it gets, if `is_last`."""

    connection: int
    data: bytes
    is_last: bool = False


class Gate:
    """Holds parcels until the ticket they depend on is durable."""

    def __init__(self) -> None:
        self._held: deque[tuple[int, list[Parcel]]] = deque()
        self._appended = 0
        self._durable = 0

    def appended(self, ticket: int) -> None:
        """Make all later parcels depend on this ticket."""
        self._appended = ticket

    def is_open(self) -> bool:
        """Tell whether a parcel may leave at once."""
        return self._durable >= self._appended and not self._held

    def hold(self, parcel: Parcel) -> None:
        """Keep a parcel until everything appended so far is durable."""
        held = self._held
        if held and held[-1][0] == self._appended:
            held[-1][1].append(parcel)
        else:
            held.append((self._appended, [parcel]))

    def forget(self, connection: int) -> None:
        """Let go of what waits for a connection that is no more."""
        for _, parcels in self._held:
            parcels[:] = [parcel for parcel in parcels if parcel.connection != connection]

    def durable(self, ticket: int) -> list[Parcel]:
        """Take note that all up to the ticket is on disk, and give out what may leave now."""
        self._durable = ticket
        held = self._held
        out: list[Parcel] = []
        while held and held[0][0] <= ticket:
            out += held.popleft()[1]
        return out
