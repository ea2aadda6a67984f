"""Letting visitors in by ssh, beside a server: the process that does it, from its start to its end.

It is started again should it die; the server and its matches go on meanwhile. It has no other way to the
server than to ask here for a port, which counts for the address that the visitor comes from.
"""

import asyncio
import contextlib
import json
import logging
import socket
import subprocess
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from client.core.failure import CouldNot
from client.core.wording import ssh_command
from client.local.hosting import Hosted
from protocol.limit import SshLimits
from protocol.process.child import begin
from protocol.process.supervision import alongside, in_thread

MODULE = "client.ssh.front"
MISSING = "Visitors by ssh need the package asyncssh: pip install 'conquest[ssh]'"
AGAIN_S = 1.0
END_S = 3.0

log = logging.getLogger("conquest.ssh")


@dataclass(frozen=True, slots=True)
class Wanted:
    """How visitors are to be let in."""

    port: int
    root: Path
    """Where the key and the visitors' folders are."""
    bind: str | None = None
    public: tuple[str, int] | None = None
    """The address under which the outside world knows the server, port 0 for the same one."""
    log: str = "file"
    limits: SshLimits = field(default_factory=SshLimits)


@dataclass(frozen=True, slots=True)
class Service:
    """Where visitors are let in."""

    host: str
    port: int
    key: str
    """The fingerprint that an ssh client shows and asks about."""

    @property
    def lines(self) -> tuple[str, str]:
        """Say how one comes in, and how one knows the right place."""
        return f"By ssh: {ssh_command(self.host, self.port)}", f"Key of ssh: {self.key} (ED25519)"


@contextlib.asynccontextmanager
async def letting_in(server: Hosted, wanted: Wanted) -> AsyncIterator[Service]:
    """Let visitors in for as long as the block lasts; raise `CouldNot` where that cannot begin."""
    if find_spec("asyncssh") is None:
        raise CouldNot(MISSING)
    front = _Front(server, wanted)
    said = await front.start(wanted.port)
    try:
        host = wanted.public[0] if wanted.public else server.addresses[0]
        async with alongside(front.keep_up(said["port"]), "visitors by ssh"):
            yield Service(host, said["port"], said["key"])
    finally:
        await front.stop()


class _Front:
    """The process, as its owner sees it."""

    def __init__(self, server: Hosted, wanted: Wanted) -> None:
        self._server = server
        self._wanted = wanted
        self._process: subprocess.Popen[bytes] | None = None
        self._ports: set[int] = set()

    async def start(self, port: int) -> dict[str, Any]:
        """Start it, and return what it says of itself; raise `CouldNot`."""
        wanted, server = self._wanted, self._server
        host, outside = wanted.public or ("", 0)
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = begin(MODULE, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)
        self._reader, self._writer = await asyncio.open_connection(sock=ours)
        self._tell(
            bind=wanted.bind,
            port=port,
            limits=asdict(wanted.limits),
            root=str(wanted.root),
            host=host,
            server_port=outside or server.port,
            fingerprint=server.fingerprint,
            log=wanted.log,
        )
        said: dict[str, Any] = json.loads(await self._reader.readline() or b"{}")
        if "port" not in said:
            await self.stop()
            raise CouldNot(said.get("problem", "Visitors cannot be let in by ssh; the log says why."))
        return said

    async def keep_up(self, port: int) -> None:
        """Answer what it asks; start it again when it has died."""
        while True:
            while line := await self._heard():
                self._answer(json.loads(line))
            log.error("The process that lets visitors in by ssh has died; it is started again.")
            await self.stop()
            await asyncio.sleep(AGAIN_S)
            try:
                await self.start(port)
            except CouldNot as problem:
                log.error("%s", problem)

    async def _heard(self) -> bytes:
        try:
            return await self._reader.readline()
        except ConnectionError:
            return b""

    def _answer(self, asked: dict[str, Any]) -> None:
        if "dismiss" in asked:
            self._ports.discard(asked["dismiss"])
            self._server.dismiss(asked["dismiss"])
            return
        port = 0
        with contextlib.suppress(OSError):
            port = self._server.admit(asked["admit"])
            self._ports.add(port)
        self._tell(id=asked["id"], port=port)

    def _tell(self, **facts: object) -> None:
        self._writer.write(json.dumps(facts).encode() + b"\n")

    async def stop(self) -> None:
        """End it, and all visits."""
        self._writer.close()
        for port in self._ports:
            self._server.dismiss(port)
        self._ports.clear()
        process = self._process
        if process is None:
            return
        try:
            await in_thread(partial(process.wait, END_S), "the end of ssh")
        except subprocess.TimeoutExpired:
            process.kill()
            await in_thread(process.wait, "the end of ssh")
