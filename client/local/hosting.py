"""A server that runs inside this process, for as long as its host plays, or as a dedicated one."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

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

T = TypeVar("T")


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
    admit: Callable[[str], int]
    """Opens a plain port of this machine for somebody elsewhere, for whom its connections are counted."""
    dismiss: Callable[[int], None]
    """Closes such a port."""


Beside = Callable[[Hosted], contextlib.AbstractAsyncContextManager[T]]
"""Runs beside a server, and for a moment longer."""
Settings = config.Config
DedicatedBeside = Callable[[Hosted, Settings], contextlib.AbstractAsyncContextManager[Sequence[str]]]


def run_dedicated(what: str, arguments: Sequence[str], beside: DedicatedBeside) -> int:
    """Run the dedicated server, with what is wanted beside it, or a relay; return the exit code."""

    @contextlib.asynccontextmanager
    async def run(server: shell.Server, settings: Settings) -> AsyncIterator[Sequence[str]]:
        try:
            async with beside(_known(server), settings) as lines:
                yield lines
        except CouldNot as problem:
            raise config.BadConfig(str(problem)) from problem

    return relay_command.main(arguments) if what == "relay" else command.main(arguments, run)


def copy_journal(source: str, target: str) -> int:
    """Copy a server's journal; return the exit code."""
    return copying.copy_journal(source, target)


@contextlib.asynccontextmanager
async def hosted(listening: Listening) -> AsyncIterator[Hosted]:
    """Run a server for as long as the block lasts; raise `CouldNot` when it cannot start."""
    async with hosted_beside(listening, lambda server: contextlib.nullcontext()) as (server, _):
        yield server


@contextlib.asynccontextmanager
async def hosted_beside(listening: Listening, beside: Beside[T]) -> AsyncIterator[tuple[Hosted, T]]:
    """Run a server, and something beside it that ends after it."""
    server = await _start(listening)
    async with contextlib.AsyncExitStack() as stack:
        try:
            known = _known(server)
            more = await stack.enter_async_context(beside(known))
            async with alongside(server.failed(), "supervision"):
                yield known, more
        finally:
            await _stopped(server)


def _known(server: shell.Server) -> Hosted:
    return Hosted(
        addresses=tuple(server.addresses),
        port=server.port,
        fingerprint=server.fingerprint,
        own=Target("127.0.0.1", server.local_port or server.port, is_plain=True),
        leave=server.host_leaves,
        led=_led(server),
        admit=server.admit,
        dismiss=server.dismiss,
    )


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
