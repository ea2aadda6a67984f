"""A relay's only contact with the world: sockets and the clock. What is to happen is decided in server/core.

Of two spliced connections each is read only as fast as the other takes it, and as fast as is allowed; so
nothing gathers here.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from functools import partial
from typing import cast

from protocol.link import url_text
from protocol.process.supervision import Fate, guarded
from protocol.relay import BadLine, Lines, can_begin, written
from server.core.budget import Held
from server.core.rate import Allowance
from server.core.relay import End, Note, Relay, Rules, Say, Splice
from server.io import address, proof
from server.io.listener import Listeners
from server.io.log import finish_minute
from server.io.peer import Incoming

TICK_S = 1.0
FAREWELL_S = 2.0
"""How long a connection that was told to end may take to read why."""

log = logging.getLogger("conquest.relay")


class Caller(Incoming, asyncio.Protocol):
    """One connection to the relay."""

    __slots__ = ("_has_begun", "_is_fast", "_is_full", "_lines", "_relay", "allowance", "other")

    def __init__(self, relay: "RelayServer", host: str) -> None:
        super().__init__(host)
        self._relay = relay
        self._lines = Lines(relay.rules.limits.line)
        self._has_begun = self._is_full = self._is_fast = False
        self.allowance: Allowance | None = None
        self.other: Caller | None = None
        """The connection that this one is spliced to."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.set_write_buffer_limits(high=self._relay.rules.limits.bytes_burst)
        self._relay.connected(self)

    def data_received(self, data: bytes) -> None:
        if self.other is not None:
            self._pass_on(data, self.other)
            return
        try:
            lines = self._lines.feed(data)
        except BadLine:
            self._relay.garbled(self)
            return
        for line in lines:
            self._has_begun = True
            self._relay.heard(self, line)
        # Whoever takes this for something else is told at once, instead of being waited for.
        if not (self._has_begun or can_begin(self._lines.rest)):
            self._relay.garbled(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self.other is not None:
            self.other.close()
        self._relay.lost(self)

    def pause_writing(self) -> None:
        if self.other is not None:
            self.other.hold_back(is_full=True)

    def resume_writing(self) -> None:
        if self.other is not None:
            self.other.hold_back(is_full=False)

    def write(self, data: bytes) -> None:
        """Write something, unless the connection is at its end."""
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(data)

    def has_spoken_early(self) -> bool:
        """Tell whether something has come that nobody has asked for."""
        return bool(self._lines.rest)

    def hold_back(self, is_full: bool | None = None, is_fast: bool | None = None) -> None:
        """Read no further while the other side is full or this one is too fast."""
        self._is_full = self._is_full if is_full is None else is_full
        self._is_fast = self._is_fast if is_fast is None else is_fast
        if self.transport is None or self.transport.is_closing():
            return
        if self._is_full or self._is_fast:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    def _pass_on(self, data: bytes, other: "Caller") -> None:
        other.write(data)
        wait_s = self._relay.passed(self, len(data))
        if wait_s:
            self.hold_back(is_fast=True)
            go_on = guarded(partial(self.hold_back, is_fast=False), self._relay.fate.fail)
            asyncio.get_running_loop().call_later(wait_s, go_on)


class RelayServer:
    """A running relay."""

    def __init__(self, rules: Rules, loop: asyncio.AbstractEventLoop) -> None:
        self.rules = rules
        self.port = 0
        self.addresses: list[str] = []
        """Where it can be reached."""
        self._loop = loop
        self._relay = Relay(rules, lambda: url_text(secrets.token_bytes(32)), proof.is_signed)
        self._callers: dict[int, Caller] = {}
        self._next_number = 1
        self.fate = Fate("relay", log)
        self._all_left = asyncio.Event()
        self._ticker: asyncio.TimerHandle | None = None
        self._step = guarded(self._happen, self.fate.fail)
        self._listeners = Listeners(loop, partial(Caller, self), self.fate.fail, Held(0, 0))

    def listen(self, bind: str | None, port: int) -> None:
        """Open the listeners; raise OSError."""
        listeners = address.listen(bind, port)
        self.port = listeners[0].getsockname()[1]
        self.addresses = address.reachable(bind)
        for listener in listeners:
            self._listeners.open(listener, None, 0.0)
        self._tick()

    # From the world to the relay.

    def connected(self, caller: Caller) -> None:
        """Take a new connection."""
        caller.number = self._next_number
        self._next_number += 1
        self._callers[caller.number] = caller
        self._step(self._relay.opened, time.monotonic(), caller.number, caller.host)

    def heard(self, caller: Caller, line: bytes) -> None:
        """Take a line from a connection."""
        self._step(self._relay.heard, time.monotonic(), caller.number, line)

    def garbled(self, caller: Caller) -> None:
        """Take note of what is no line."""
        self._step(self._relay.garbled, caller.number)

    def passed(self, caller: Caller, amount: int) -> float:
        """Take note of what a spliced connection has said; return for how long it is to be silent now."""
        now = time.monotonic()
        self._relay.moved(now, caller.number)
        return caller.allowance.spend(amount, now) if caller.allowance else 0.0

    def lost(self, caller: Caller) -> None:
        """Take note that a connection is gone."""
        self._callers.pop(caller.number, None)
        self._step(self._relay.gone, caller.number)
        if not self._callers:
            self._all_left.set()

    def _tick(self) -> None:
        self._step(self._relay.ticked, time.monotonic())
        finish_minute(time.time())
        self._ticker = self._loop.call_later(TICK_S, self._tick)

    def _happen(self, what: Callable[..., None], *facts: object) -> None:
        """Let the relay decide about what has happened, and carry that out."""
        what(*facts)
        effects, self._relay.effects = self._relay.effects, []
        for effect in effects:
            match effect:
                case Say(number, line) if number in self._callers:
                    self._callers[number].write(written(line))
                case Splice(guest, host) if guest in self._callers and host in self._callers:
                    self._splice(self._callers[guest], self._callers[host])
                case Splice(guest, host):
                    for number in {guest, host} & self._callers.keys():
                        self._callers[number].close()
                case End(number) if number in self._callers:
                    self._callers[number].close()
                    self._loop.call_later(FAREWELL_S, self._callers[number].abort)
                case Note(event, number, host, code):
                    reason = {"code": code} if code else {}
                    log.info(event, extra={"facts": {"connection": number, "address": host} | reason})

    def _splice(self, guest: Caller, host: Caller) -> None:
        limits, now = self.rules.limits, time.monotonic()
        for one, other in ((guest, host), (host, guest)):
            one.other = other
            one.allowance = Allowance(limits.bytes_per_s, limits.bytes_burst, now)
            if one.has_spoken_early():
                # Who cannot wait is not understood: those bytes were no line.
                one.close()

    # The end.

    async def stop(self) -> None:
        """Accept nobody any more, say goodbye to hosts, and let go."""
        if self._ticker is not None:
            self._ticker.cancel()
        await self._listeners.close()
        self._step(self._relay.stop)
        leaving = list(self._callers.values())
        if leaving:
            try:
                async with asyncio.timeout(FAREWELL_S / 2):
                    await self._all_left.wait()
            except TimeoutError:
                log.info("Not everybody has left by themselves.")
        for caller in leaving:
            caller.abort()
        await asyncio.sleep(0)
