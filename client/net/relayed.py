"""A host's standing connection to a relay: listed there, told of guests, and back by itself when it is lost.

Each guest is taken by a connection of their own, which is handed to the server as it is: what passes there is
between the two of them. The server is known here by what it can do, and so is the player by being told.
"""

import asyncio
import contextlib
import random
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

from client.core.failure import CouldNot
from client.net import backoff
from client.net.connection import CONNECT_TIMEOUT_S, Target, Unreachable, explained, reached
from client.net.relay import RelayAddress, TurnedAway, ask
from protocol import relay as wire
from protocol.link import url_text
from protocol.process.supervision import OnFault, alongside, answerable, start, stop

BEAT_S = wire.BEAT_S
MOST_AT_ONCE = 16
"""How many guests are taken at the same time; others are left to come again."""
FOR_GOOD = frozenset({"name", "proof", "replaced", "word"})
"""Why a relay says no for which it will say no again."""

LOST = "The connection to the relay {} is lost. Who is here plays on; the others come back with it."


@dataclass(frozen=True, slots=True)
class Led:
    """A server that a relay is to lead to."""

    fingerprint: str
    port: int
    sign: Callable[[bytes], tuple[bytes, bytes]]
    """Gives the certificate, and a signature with its key."""
    take: Callable[[socket.socket, str], None]
    """Takes a guest's connection, and what the relay tells guests apart by."""


@contextlib.asynccontextmanager
async def relayed(
    server: Led, relay: RelayAddress, say: Callable[[str], None], is_patient: bool
) -> AsyncIterator[None]:
    """Have a relay lead to a server for as long as a block lasts.

    Raises `CouldNot` when the relay does not do so from the start, unless one is patient.
    """
    async with answerable() as report:
        standing = _Standing(server, relay, say, report)
        try:
            first = None if is_patient else await standing.listed()
        except (Unreachable, TurnedAway) as problem:
            raise CouldNot(str(problem)) from problem
        try:
            async with alongside(standing.run(first), "relay"):
                yield
        finally:
            await standing.close()


class _Standing:
    def __init__(self, server: Led, relay: RelayAddress, say: Callable[[str], None], report: OnFault) -> None:
        self._server = server
        self._relay = relay
        self._target = Target(relay.host, relay.port)
        self._say = say
        self._report = report
        self._taking: set[asyncio.Task[object]] = set()

    async def listed(self) -> "_Wire":
        """Come to the relay and be listed there; raise `Unreachable` or `TurnedAway`."""
        relay = self._relay
        with explained(self._target):
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                reader, writer = await asyncio.open_connection(
                    sock=await reached(relay.host, relay.port), limit=wire.LINE_LEN
                )
                line = _Wire(reader, writer, str(relay))
                try:
                    await self._introduce(line)
                except BaseException:
                    writer.transport.abort()
                    raise
        return line

    async def _introduce(self, line: "_Wire") -> None:
        host = wire.Host(self._server.fingerprint, self._server.port, str(self._relay))
        line.send(host)
        asked = await line.receive()
        if not isinstance(asked, wire.Prove):
            raise TurnedAway("", str(self._relay))
        is_known = asked.needs != "word"
        if not (is_known or self._relay.word):
            raise TurnedAway("word", str(self._relay))
        code = wire.NO_WORD if is_known else wire.word_code(self._relay.word, host, asked.challenge)
        certificate, signature = self._server.sign(wire.to_sign(host, asked.challenge))
        line.send(wire.Proof(url_text(certificate), url_text(signature), code))
        if not isinstance(await line.receive(), wire.Ok):
            raise TurnedAway("", str(self._relay))

    async def run(self, line: "_Wire | None") -> None:
        """Stay at the relay; come back when the connection is lost, until the relay says no for good."""
        failures, has_said = 0, False
        while True:
            try:
                if line is None:
                    line = await self.listed()
                    self._say(f"The relay {self._relay} leads here again.")
                failures, has_said = 0, False
                await self._attend(line)
            except (Unreachable, TurnedAway) as problem:
                if isinstance(problem, TurnedAway) and problem.code in FOR_GOOD:
                    self._say(str(problem))
                    return
                if not has_said:
                    self._say(LOST.format(self._relay) if line else f"{problem} Trying again until it works.")
                has_said = True
            line = None
            await asyncio.sleep(backoff.delay(failures, random.random()))
            failures += 1

    async def _attend(self, line: "_Wire") -> None:
        """Take the guests that the relay tells of, until the connection is lost."""
        loop = asyncio.get_running_loop()
        beat_at, is_waiting = loop.time() + BEAT_S, False
        with explained(self._target), contextlib.closing(line):
            while True:
                try:
                    async with asyncio.timeout_at(beat_at):
                        said = await line.receive()
                except TimeoutError:
                    if is_waiting:
                        raise
                    line.send(wire.Ping())
                    beat_at, is_waiting = loop.time() + BEAT_S, True
                    continue
                if isinstance(said, wire.Guest) and len(self._taking) < MOST_AT_ONCE:
                    taking = start(self._take(said), "guest", self._report)
                    self._taking.add(taking)
                    taking.add_done_callback(self._taking.discard)
                is_waiting = is_waiting and not isinstance(said, wire.Pong)

    async def _take(self, guest: wire.Guest) -> None:
        connected: socket.socket | None = None
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                connected = await reached(self._relay.host, self._relay.port)
                await ask(connected, wire.Take(guest.ticket), str(self._relay))
        except BaseException as problem:
            if connected is not None:
                connected.close()
            # The guest comes again by themselves.
            if isinstance(problem, OSError | TurnedAway):
                return
            raise
        self._server.take(connected, guest.origin)

    async def close(self) -> None:
        """Leave off taking guests."""
        for taking in list(self._taking):
            await stop(taking)


class _Wire:
    """Lines to and from a relay."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, relay: str) -> None:
        self._reader, self._writer, self._relay = reader, writer, relay

    def send(self, line: wire.Line) -> None:
        self._writer.write(wire.written(line))

    async def receive(self) -> wire.Line:
        """Wait for a line; raise `TurnedAway`, or OSError when the connection is gone."""
        try:
            said = wire.parse_line((await self._reader.readuntil(b"\n"))[:-1], wire.FROM_RELAY)
        except asyncio.IncompleteReadError:
            raise ConnectionResetError from None
        except (wire.BadLine, asyncio.LimitOverrunError):
            raise TurnedAway("", self._relay) from None
        if isinstance(said, wire.No):
            raise TurnedAway(said.code, self._relay)
        return said

    def close(self) -> None:
        self._writer.transport.abort()
