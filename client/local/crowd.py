"""How many may come by ssh: counted in all and by where they come from, as the server counts its players.

Pure but for the server's own counting, which it shares.
"""

from protocol.limit import SshLimits
from server.core.budget import Held, Spent
from server.core.rate import origin_of

MINUTE_S = 60.0


class Crowd:
    """Those who are here."""

    def __init__(self, limits: SshLimits) -> None:
        self._connections: Held[int] = Held(limits.connections, limits.connections_per_address)
        self._visitors: Held[int] = Held(limits.visitors, limits.visitors_per_address)
        self._logins: Spent[str] = Spent(limits.logins_per_minute, MINUTE_S)

    def come(self, connection: int, address: str, now: float) -> bool:
        """Let a connection in; False where it is too much."""
        origin = origin_of(address)
        self._logins.forget(now)
        if not self._connections.has_room(origin) or not self._logins.take(origin, now):
            return False
        self._connections.add(connection, origin)
        return True

    def sit_down(self, connection: int) -> bool:
        """Let a connection have a program; False where there is no place."""
        origin = self._connections.origin(connection)
        if not self._visitors.has_room(origin):
            return False
        self._visitors.add(connection, origin)
        return True

    def go(self, connection: int) -> None:
        """Forget a connection."""
        self._visitors.discard(connection)
        self._connections.discard(connection)
