"""A server that runs inside this process, for as long as its host plays, or as a dedicated one."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from client.core.failure import CouldNot
from client.local.listening import Listening
from client.net.connection import Target
from client.net.relayed import Led
from protocol.limit import DEFAULT_PORT
from protocol.process.supervision import alongside, start
from server import command, config, copying, relay_command
from server.io import proof, shell
from server.io.journal import IN_MEMORY, CannotOpen
from server.io.tls import CannotSecure


@dataclass(frozen=True, slots=True)
class Hosted:
    """A server that runs inside this process."""

    addresses: tuple[str, ...]
    port: int
    fingerprint: str | None
    own: Target
    """How this process's own clients reach it."""
    leave: Callable[[bool], None]
    """To be called when the host leaves, before their own session ends, with whether matches are kept."""
    led: Led | None
    """What a relay needs to lead to it; None when connections are not encrypted."""


def run_dedicated(what: str, arguments: Sequence[str]) -> int:
    """Run the dedicated server, or a relay; return the exit code."""
    return relay_command.main(arguments) if what == "relay" else command.main(arguments)


def copy_journal(source: str, target: str) -> int:
    """Copy a server's journal; return the exit code."""
    return copying.copy_journal(source, target)


@contextlib.asynccontextmanager
async def hosted(listening: Listening) -> AsyncIterator[Hosted]:
    """Run a server for as long as the block lasts; raise `CouldNot` when it cannot start."""
    server = await _start(listening)
    try:
        door = server.local_port or server.port
        async with alongside(server.failed(), "supervision"):
            yield Hosted(
                addresses=tuple(server.addresses),
                port=server.port,
                fingerprint=server.fingerprint,
                own=Target("127.0.0.1", door, is_plain=True),
                leave=server.host_leaves,
                led=_led(server),
            )
    finally:
        await _stopped(server)


def _led(server: shell.Server) -> Led | None:
    identity = server.identity
    if identity is None or server.fingerprint is None:
        return None

    def signed(text: bytes) -> tuple[bytes, bytes]:
        try:
            return identity.certificate, proof.sign(identity.key, text)
        except (TypeError, ValueError) as problem:
            raise CouldNot(f"The certificate cannot be used with a relay: {problem}.") from problem

    return Led(server.fingerprint, server.port, signed, server.take)


async def _stopped(server: shell.Server) -> None:
    """Stop a server in order, which takes two seconds at most: no signal may cut the goodbye short."""
    stopping = start(server.stop(), "stopping", server.fail)
    while not stopping.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([stopping])
    await stopping


async def _start(listening: Listening) -> shell.Server:
    port = DEFAULT_PORT if listening.port is None else listening.port
    settings = config.Config(
        bind=listening.bind, port=port, db=listening.db or IN_MEMORY, tls=listening.tls, local_listener=True
    )
    try:
        try:
            return await _secured(settings, listening)
        except OSError:
            if listening.port is not None:
                raise
            # Another match is hosted here already; nobody insisted on the usual port.
            return await _secured(replace(settings, port=0), listening)
    except (CannotOpen, CannotSecure, config.BadConfig) as problem:
        raise CouldNot(str(problem)) from problem
    except OSError as problem:
        where = f"port {port}" + (f" of {listening.bind}" if listening.bind else "")
        raise CouldNot(f"Cannot listen on {where}: {problem.strerror or problem}.") from problem


async def _secured(settings: config.Config, listening: Listening) -> shell.Server:
    try:
        return await shell.start(settings)
    except CannotSecure:
        if listening.keeps:
            raise
        # Nothing is kept, so the certificate need not be kept either.
        with tempfile.TemporaryDirectory() as folder:
            return await shell.start(replace(settings, certificate_folder=Path(folder)))
