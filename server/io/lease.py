"""Who owns a journal on PostgreSQL: a row with an epoch, which every append locks and checks.

Whoever takes the journal raises the epoch. Raising it waits for appends under way, and none of an earlier
epoch comes through after it: neither those of an owner who slept, nor those of our own lost connections.
All times are the database's.
"""

import logging
import time

from server.io.database import Connection, rows
from server.io.journal import CannotOpen

SHARD = 1
"""The one shard that there is."""
LEASE_S = 8.0
BEAT_S = 2.0
"""How often the lease is renewed."""
PATIENCE_S = BEAT_S + 1
"""How long a newcomer waits before it says so: an owner that is alive renews its lease meanwhile."""
LOOK_S = 0.1
"""How often a newcomer looks whether the lease is renewed, or has run out."""
FENCE = "SELECT id FROM conquest.shard WHERE id = %s AND epoch = %s FOR SHARE"
"""What an append begins with; where it finds nothing, nothing is written."""

_MAKE = """
INSERT INTO conquest.shard(id, node, epoch, until) VALUES (%s, '', 0, 'epoch') ON CONFLICT DO NOTHING
RETURNING id
"""
_TAKE = """
UPDATE conquest.shard SET node = %s, epoch = epoch + 1, until = clock_timestamp() + make_interval(secs => %s)
WHERE id = %s AND until < clock_timestamp() RETURNING epoch
"""
_RETAKE = """
UPDATE conquest.shard SET epoch = epoch + 1, until = clock_timestamp() + make_interval(secs => %s)
WHERE id = %s AND node = %s RETURNING epoch
"""
_RENEW = """
UPDATE conquest.shard SET until = clock_timestamp() + make_interval(secs => %s)
WHERE id = %s AND epoch = %s RETURNING id
"""

log = logging.getLogger("conquest.server")


def take(connection: Connection, node: str, name: str) -> int:
    """Become the owner, as soon as there is no other; return the epoch. Raises `CannotOpen`."""
    rows(connection, _MAKE, SHARD)
    seen = _until(connection)
    patient_until = time.monotonic() + PATIENCE_S
    is_told = False
    while not (taken := rows(connection, _TAKE, node, LEASE_S, SHARD)):
        if _until(connection) != seen:
            if taken := rows(connection, _TAKE, node, LEASE_S, SHARD):
                # It was just given back.
                break
            raise CannotOpen(f"Another server is using {name}.")
        if not is_told and time.monotonic() > patient_until:
            is_told = True
            log.warning("Another server had %s and has gone silent; waiting until its lease ends.", name)
        time.sleep(LOOK_S)
    epoch: int = taken[0][0]
    return epoch


def retake(connection: Connection, node: str) -> int | None:
    """Shut out what may still come of our own lost connections; None when another server is the owner."""
    taken = rows(connection, _RETAKE, LEASE_S, SHARD, node)
    return taken[0][0] if taken else None


def renew(connection: Connection, epoch: int) -> bool:
    """Stay the owner for some more time; False when another server is."""
    return bool(rows(connection, _RENEW, LEASE_S, SHARD, epoch))


def give_back(connection: Connection, epoch: int) -> None:
    """Let the next server have the journal at once."""
    rows(connection, _RENEW, 0.0, SHARD, epoch)


def _until(connection: Connection) -> object:
    ((until,),) = rows(connection, "SELECT until::text FROM conquest.shard WHERE id = %s", SHARD)
    return until
