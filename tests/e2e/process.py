"""A server in a process of its own: started on a free port, read by what it prints, ended by its id.

Its journal, certificate and log are in a folder that the test names; nothing of the person who runs the
tests is touched. It knows nothing of frames.
"""

import asyncio
import json
import os
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

START_S = 30.0
STOP_S = 5.0
"""Generous: a stopping server promises two seconds, on a machine that has nothing else to do."""

ROOT = Path(__file__).parents[2]
ROOMY = (
    "--connections=4000",
    "--connections-per-address=4000",
    "--connections-unwelcomed=4000",
    "--frames-per-s=1000000",
    "--frames-burst=1000000",
    "--guesses=1000000",
    "--matches=8000",
    "--matches-per-address=4000",
    "--creates-per-address=1000000",
    "--lists-per-address=1000000",
    "--watches-per-address=1000000",
    "--exports-per-address=1000000",
    "--journal-per-address=2000000000",
)
"""Flags for tests in which hundreds of players come from one address."""


class ServerProcess:
    """`python -m server` with a home of its own, which can be killed and started again."""

    def __init__(
        self,
        home: Path,
        *flags: str,
        module: str = "server",
        loop: str | None = None,
        rig: Mapping[str, str] | None = None,
        preexec: Callable[[], None] | None = None,
        log: str = "server.log",
        through: tuple[str, ...] = (),
    ) -> None:
        self.home = home
        self.log = home / log
        """Everything that the server wrote to standard error, of all its lives."""
        self.flags: tuple[str, ...] = ("--bind=127.0.0.1", *flags)
        self.module = module
        self.port = 0
        """Any port at the first start; the same one again at each later start."""
        self.fingerprint: str | None = None
        self.restored = 0
        self.printed = ""
        self.rig = dict(rig or {})
        """What `tests.e2e.rigged` is to do, as environment variables."""
        self.through = through
        """The command that runs the server, if it is not run here (see `tests.lab`)."""
        self._loop = loop
        self._preexec = preexec
        self._process: asyncio.subprocess.Process | None = None

    @property
    def db(self) -> Path:
        return self.home / "conquest.db"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def is_running(self) -> bool:
        return self._process is not None and self._process.returncode is None

    async def start(self, *more_flags: str) -> None:
        """Start the process and wait until it listens; fail with its log when it does not."""
        process = await self.launch(*more_flags)
        assert process.stdout is not None
        printed = b""
        while b"Listening on" not in printed:
            chunk = await asyncio.wait_for(process.stdout.read(65536), START_S)
            assert chunk, f"the server did not start: {self.log.read_text()}"
            printed += chunk
        self.printed = printed.decode()
        self.port = int(self._found(r"Listening on \S+:(\d+)"))
        self.fingerprint = self._found(r"Fingerprint: (\S+)") or None
        self.restored = int(self._found(r"brought back from the journal: (\d+)") or 0)

    async def launch(self, *more_flags: str) -> asyncio.subprocess.Process:
        """Start the process and wait for nothing."""
        assert not self.is_running()
        self.home.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, "CONQUEST_HOME": str(self.home), **self.rig}
        environment.pop("CONQUEST_LOOP", None)
        if self._loop is not None:
            environment["CONQUEST_LOOP"] = self._loop
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self.through,
                sys.executable,
                *("-m", self.module, f"--port={self.port}", *self.flags, *more_flags),
                cwd=ROOT,
                env=environment,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                preexec_fn=self._preexec,
            )
        return self._process

    def _found(self, pattern: str) -> str:
        match = re.search(pattern, self.printed)
        return match.group(1) if match else ""

    def send_signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def ended(self, timeout_s: float = STOP_S) -> int:
        """Wait until the process is gone and return its exit code."""
        assert self._process is not None
        code = await asyncio.wait_for(self._process.wait(), timeout_s)
        assert self._process.stdout is not None
        await self._process.stdout.read()
        return code

    async def stop(self, number: int = signal.SIGTERM) -> int:
        """Ask the server to stop and return its exit code."""
        self.send_signal(number)
        return await self.ended()

    async def kill(self) -> None:
        """End the process without giving it a chance to do anything."""
        if self.is_running():
            self.send_signal(signal.SIGKILL)
        if self._process is not None:
            await self.ended()

    def log_size(self) -> int:
        """Tell how much earlier lives have written."""
        return len(self.log.read_text()) if self.log.exists() else 0

    def log_lines(self) -> list[dict[str, Any]]:
        """Read the log of a server that was started with --log-json; any other line fails the test."""
        return [json.loads(line) for line in self.log.read_text().splitlines()]


@asynccontextmanager
async def serving(home: Path, *flags: str, **how: Any) -> AsyncIterator[ServerProcess]:
    """Run a server for the length of a block, and end it whatever happens."""
    server = ServerProcess(home, *flags, **how)
    try:
        await server.start()
        yield server
    finally:
        await server.kill()


async def run_to_end(home: Path, *flags: str, **how: Any) -> tuple[int, str, str]:
    """Run a server that is not expected to stay; return its exit code, its output and its errors."""
    # Another one may be running on the same journal, and logs what happens to it.
    server = ServerProcess(home, *flags, log="short.log", **how)
    before = server.log_size()
    process = await server.launch()
    try:
        output, _ = await asyncio.wait_for(process.communicate(), START_S)
    finally:
        await server.kill()
    assert process.returncode is not None
    return process.returncode, output.decode(), server.log.read_text()[before:]


async def refused(home: Path, *flags: str, code: int = 1, **how: Any) -> str:
    """Start a server that must not run, and may say no more than why; return that."""
    exit_code, output, errors = await run_to_end(home, *flags, **how)
    assert (exit_code, output) == (code, ""), errors
    assert "Traceback" not in errors
    if code == 1:
        assert errors.startswith("conquest: ")
        assert errors.endswith(".\n")
        assert errors.count("\n") == 1, "one sentence"
    return errors


def free_port() -> int:
    """Find a port on which nobody listens just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
