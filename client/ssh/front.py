"""The process that lets visitors in by ssh: what they send in vain costs the server no time.

It is started by `client.ssh.service`, with which it talks in lines of JSON on its standard input: first what
to do, then for each visitor which port of the server is theirs. When that ends, so does everything here.
"""

import asyncio
import itertools
import json
import socket
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import asyncssh

from client.core.failure import CouldNot
from client.local.crowd import Crowd
from client.local.edge import listen, set_up_log
from client.net.visit import Visit
from client.ssh.caller import Caller
from client.ssh.host_key import host_key
from client.ssh.session import STOPPED, Login, Visitor
from protocol.limit import SshLimits

CHEAP_KEYS = "-diffie-hellman-*,gss-*,rsa*"
"""Ways to agree on a key that cost the server much more than the client are left out."""
KEEPALIVE_S = 20.0
KEEPALIVES_MISSED = 2
GOODBYE_S = 1.0
"""How long visitors may take to hear that it is over."""


class Front:
    """What all connections share; see `client.ssh.session.House`."""

    def __init__(self, wanted: Mapping[str, Any], writer: asyncio.StreamWriter) -> None:
        self.limits = SshLimits(**wanted["limits"])
        self.root = Path(wanted["root"])
        self.visitors: dict[str, Visitor] = {}
        self.ssh_port = 0
        self._wanted = wanted
        self._writer = writer
        self._crowd = Crowd(self.limits)
        self._questions = itertools.count(1)
        self._answers: dict[int, asyncio.Future[int]] = {}

    def come(self, connection: int, address: str) -> bool:
        """Let a connection in, or not."""
        return self._crowd.come(connection, address, time.monotonic())

    def sit_down(self, connection: int) -> bool:
        """Let it have a program, or not."""
        return self._crowd.sit_down(connection)

    def go(self, connection: int) -> None:
        """Forget it."""
        self._crowd.go(connection)

    async def admit(self, address: str) -> int:
        """Have the server listen for a visitor; raise OSError where it cannot."""
        number = next(self._questions)
        answer: asyncio.Future[int]
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        self.tell(id=number, admit=address)
        if port := await answer:
            return port
        raise OSError(0, "the server has no port for them")

    def dismiss(self, port: int) -> None:
        """Let the server listen there no longer."""
        self.tell(dismiss=port)

    def answered(self, answer: Mapping[str, Any]) -> None:
        """Take the server's answer."""
        self._answers.pop(answer["id"]).set_result(answer["port"])

    def visit(self, port: int, caller: Caller, host: str) -> Visit:
        """Say where a visitor is, who has come by this address of ours."""
        wanted, limits = self._wanted, self.limits
        return Visit(
            port,
            wanted["host"] or host,
            wanted["server_port"],
            wanted["fingerprint"],
            self.ssh_port,
            *(caller.code, caller.name, caller.word),
            *(limits.memory, limits.file, limits.history, limits.nice),
        )

    def tell(self, **facts: object) -> None:
        """Tell the process that has started this one."""
        self._writer.write(json.dumps(facts).encode() + b"\n")

    async def open(self) -> list[asyncssh.SSHAcceptor]:
        """Begin to listen; raise `CouldNot`."""
        key = host_key(self.root)
        sockets = listen(self._wanted["bind"], self._wanted["port"])
        self.ssh_port = sockets[0].getsockname()[1]
        listeners = [await self._open(each, key) for each in sockets]
        self.tell(port=self.ssh_port, key=key.get_fingerprint())
        return listeners

    async def _open(self, listener: socket.socket, key: asyncssh.SSHKey) -> asyncssh.SSHAcceptor:
        return await asyncssh.listen(
            sock=listener,
            server_factory=lambda: Login(self),
            server_host_keys=[key],
            server_version="Conquest",
            kex_algs=CHEAP_KEYS,
            compression_algs=None,
            login_timeout=self.limits.login_timeout_s,
            keepalive_interval=KEEPALIVE_S,
            keepalive_count_max=KEEPALIVES_MISSED,
            agent_forwarding=False,
            line_editor=False,
            encoding=None,
        )

    async def close(self, listeners: list[asyncssh.SSHAcceptor]) -> None:
        """Accept nobody any more, and end all visits."""
        for listener in listeners:
            listener.close()
        everybody = list(self.visitors.values())
        for visitor in everybody:
            visitor.end(STOPPED)
        try:
            async with asyncio.timeout(GOODBYE_S):
                for visitor in everybody:
                    await visitor.closed.wait()
        except TimeoutError:
            pass


async def serve() -> None:
    """Let visitors in until standard input ends."""
    control = socket.socket(fileno=sys.stdin.fileno())
    reader, writer = await asyncio.open_connection(sock=control)
    wanted = json.loads(await reader.readline())
    set_up_log(wanted["log"])
    front = Front(wanted, writer)
    try:
        listeners = await front.open()
    except CouldNot as problem:
        front.tell(problem=str(problem))
        await writer.drain()
        return
    try:
        while line := await reader.readline():
            front.answered(json.loads(line))
    finally:
        await front.close(listeners)


if __name__ == "__main__":
    asyncio.run(serve())
