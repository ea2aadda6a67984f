"""A connection to PostgreSQL that gives up in time and never takes a commit for kept before it is.

It knows how the journal's tables are made and which format they have, and nothing of what is in them.
"""

import contextlib
import time
from collections.abc import Callable, Generator, Iterator
from typing import Any, TypeVar

import psycopg
from psycopg import conninfo

from server.core.entry import CREATED, RETIRED
from server.io.journal import CannotOpen, first_line

FORMAT = 1
SCHEMA = f"""
CREATE SCHEMA conquest;
CREATE TABLE conquest.format(version integer NOT NULL);
INSERT INTO conquest.format VALUES ({FORMAT});
CREATE TABLE conquest.shard(
    id integer PRIMARY KEY, node text NOT NULL, address text, fingerprint text,
    epoch bigint NOT NULL, until timestamptz NOT NULL);
CREATE TABLE conquest.entry(
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, shard integer NOT NULL, stream bigint NOT NULL,
    place integer NOT NULL, kind text NOT NULL, code text, body bytea NOT NULL, UNIQUE (stream, place));
CREATE INDEX entry_ends ON conquest.entry(shard, stream, kind) WHERE kind IN ('{CREATED}', '{RETIRED}');
CREATE INDEX entry_code ON conquest.entry(code) WHERE code IS NOT NULL;
CREATE TABLE conquest.record(
    shard integer NOT NULL, key text NOT NULL, body bytea NOT NULL, PRIMARY KEY (shard, key));
"""
SCHEMA_LOCK = 0x434E5154
"""The advisory lock under which the tables are made: two servers may start at once."""
ANSWER_S = 5.0
"""For how long the database may be silent before players are told that nothing can be saved."""
HURRIED_S = 0.5
"""The same when somebody waits for the server to stop."""
DEFAULTS: dict[str, Any] = {
    "connect_timeout": 2,
    "application_name": "conquest",
    "tcp_user_timeout": int(1000 * ANSWER_S),
}
"""What holds where the URL says nothing else."""
SESSION = """
SELECT set_config('default_transaction_isolation', 'read committed', false),
    set_config('lock_timeout', %s, false), set_config('statement_timeout', '0', false),
    set_config('synchronous_commit', CASE current_setting('synchronous_commit')
        WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false),
    current_setting('fsync')
"""
"""No setting of the server's, the database's or the role's makes a commit less than durable."""

T = TypeVar("T")
IsHurried = Callable[[], bool]


class Connection(psycopg.Connection[Any]):
    """A connection on which nothing is waited for without end."""

    is_hurried: IsHurried = staticmethod(lambda: False)
    """Tells whether somebody waits for the server to stop."""
    answer_s = ANSWER_S

    def wait(self, gen: Generator[Any, Any, T], *how: Any, **more: Any) -> T:
        """Wait for an answer, but not for ever."""
        found: T = super().wait(self._in_time(gen), *how, **more)
        return found

    def _in_time(self, waiting: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        began = time.monotonic()
        try:
            wanted = next(waiting)
            while True:
                ready = yield wanted
                limit_s = HURRIED_S if self.is_hurried() else self.answer_s
                if not ready and time.monotonic() - began > limit_s:
                    raise psycopg.OperationalError("the database does not answer")
                wanted = waiting.send(ready)
        except StopIteration as ended:
            answer: T = ended.value
            return answer


def shown_name(url: str) -> str:
    """Name a database in messages: without a password, and without what only libpq cares for."""
    given: dict[str, Any] = {}
    with contextlib.suppress(psycopg.Error):
        given = dict(conninfo.conninfo_to_dict(url))
    # A password with a slash in it ends up in another part; what libpq complains of may quote any part.
    if not given or "@" in str(given.get("dbname")):
        raise CannotOpen("The journal's URL is none that PostgreSQL's library can read.")
    user, host, port = (str(given.get(key) or "") for key in ("user", "host", "port"))
    place = "" if host.startswith("/") else host
    return f"postgresql://{user and user + '@'}{place}{port and ':' + port}/{given.get('dbname') or ''}"


def connect(url: str, is_hurried: IsHurried = Connection.is_hurried) -> Connection:
    """Connect, with every commit made to wait for the disk; raise `psycopg.Error`."""
    connection = Connection.connect(**{**DEFAULTS, **conninfo.conninfo_to_dict(url)}, autocommit=True)
    connection.is_hurried = is_hurried
    try:
        *_, fsync = rows(connection, SESSION, f"{int(1000 * ANSWER_S)}ms")[0]
        if fsync != "on":
            raise psycopg.OperationalError("the database server runs with fsync=off and would lose moves")
    except psycopg.Error:
        connection.close()
        raise
    return connection


def rows(connection: Connection, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """Run one query in a transaction of its own, prepared at its first use, and return what it finds."""
    return connection.execute(query.encode(), parameters, prepare=True, binary=True).fetchall()


def make_or_check(connection: Connection, name: str) -> None:
    """Make the tables, or raise `CannotOpen` when others are there, and leave those alone."""
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
        check(connection, name) or connection.execute(SCHEMA.encode())


def check(connection: Connection, name: str) -> bool:
    """Tell whether the tables are there; raise `CannotOpen` when they are not of this format."""
    schema, table = rows(connection, "SELECT to_regnamespace('conquest'), to_regclass('conquest.format')")[0]
    if schema is None:
        return False
    if table is None:
        raise CannotOpen(f"{name} has a schema conquest that is not ours; it was not touched.")
    ((version,),) = rows(connection, "SELECT version FROM conquest.format")
    if version != FORMAT:
        raise CannotOpen(
            f"{name} was written by another version of Conquest (its format is {version}, this one "
            f"knows {FORMAT}); it was not touched."
        )
    return True


@contextlib.contextmanager
def explained(name: str) -> Iterator[None]:
    """Turn what a database complains of at the beginning into `CannotOpen`."""
    try:
        yield
    except psycopg.Error as error:
        raise CannotOpen(f"The journal {name} cannot be used: {first_line(error)}.") from error
