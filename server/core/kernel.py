"""The middle of the server: one input at a time goes in, effects come out, and nothing is awaited between.

The same kernel runs under asyncio and under a simulator. It takes the time from its caller, luck from
`randbelow`, and never touches a socket or a disk. Our own bugs end here, and nowhere else in the middle.
"""

import traceback
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from protocol.client_frame import ClientFrame, Depart, Hello, Ping, Request
from protocol.codec import encode
from protocol.limit import Limits
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Noticed, Ponged
from server.core import export, greeting, lobby, offer, play, presence, remember, restart, tell, upkeep, watch
from server.core.effect import Effects
from server.core.entry import Entry, Fact
from server.core.greeting import CANNOT_SAVE_TEXT
from server.core.input import (
    Fetched,
    Garbled,
    Gone,
    Input,
    Leaving,
    Opened,
    Received,
    Recovered,
    Stalled,
    Stopping,
    Ticked,
)
from server.core.match import Match
from server.core.refuse import Refuse, require
from server.core.world import Connection, World

HANDLERS: dict[type, Callable[..., None]] = {
    **lobby.HANDLERS,
    **watch.HANDLERS,
    **play.HANDLERS,
    **offer.HANDLERS,
    **export.HANDLERS,
    Depart: presence.depart,
}
"""What does each request."""

_STOPPING_TEXTS = {
    CloseCode.STOPPING: "The server is stopping.",
    CloseCode.HOST_LEFT: "The host has left, so the server is stopping.",
    CloseCode.FAULT: "The server made a mistake of its own and has to stop.",
}
_KEPT_TEXT = "What you were shown is saved; come back when it runs again."
_NOT_SAVED_TEXT = "It could not save what happened last; come back when it runs again."
_NOT_KEPT_TEXT = "It keeps nothing, so your matches end with it."


class Kernel:
    """The authoritative server, without I/O."""

    def __init__(
        self, limits: Limits, randbelow: Callable[[int], int], now: float, banner: str = "Conquest"
    ) -> None:
        self.world = World(limits, randbelow, now, banner)
        self._dispatch: dict[type, Callable[[Any], None]] = {
            Opened: self._opened,
            Received: self._received,
            Garbled: self._garbled,
            Gone: self._gone,
            Ticked: self._ticked,
            Fetched: self._fetched,
            Stalled: self._stalled,
            Recovered: self._recovered,
            Leaving: self._leaving,
            Stopping: self._stopping,
        }

    def restore(self, facts: Iterable[Fact], histories: Iterable[Sequence[Entry]]) -> tuple[int, list[str]]:
        """Bring back what the journal holds; return how many matches, and what is damaged.

        The time of the next step must not be before `world.now`, which may have been moved on.
        """
        return restart.restore(self.world, facts, histories)

    def step(self, now: float, given: Input) -> Effects:
        """Take one input and return what it leads to."""
        self.world.now = now
        return self._attempt(given, self._dispatch[type(given)], given)

    def _attempt(self, given: Input, work: Callable[[Any], None], subject: object) -> Effects:
        """Do a piece of work wholly or not at all, and return what it leads to."""
        world = self.world
        world.touched = None
        world.effects = Effects()
        try:
            work(subject)
        except Exception:  # noqa: BLE001 - the one place where our own bugs end
            self._contain_fault(given)
        return world.effects

    def _attempt_each(
        self, given: Input, work: Callable[[World, Match], None], matches: Iterable[Match]
    ) -> None:
        """Do the same to several matches, each on its own: a bug of ours in one costs the others nothing."""
        world, together = self.world, self.world.effects
        for match in matches:
            together.add(self._attempt(given, partial(work, world), match))
        world.effects = together

    def _contain_fault(self, given: Input) -> None:
        """Freeze the match in which our bug showed itself; everybody else plays on."""
        world = self.world
        world.effects = Effects()
        world.effects.faults = (traceback.format_exc(),)
        world.counts["faults"] += 1
        if world.touched is not None:
            world.touched.is_frozen = True
            world.clocked.pop(world.touched.code, None)
            # A restart brings it back as it was before the fault, so it is not put away until then.
            world.budget.waiting.discard(world.touched.code)
            world.budget.finished.discard(world.touched.code)
        connection = world.connections.get(getattr(given, "connection", -1))
        if connection is None:
            return
        if isinstance(given, Received) and isinstance(given.frame, Request):
            text = "The server made a mistake; what you asked for was not done."
            tell.refuse(world, connection.id, given.frame.id, RefusalCode.MATCH_FROZEN, text)
        else:
            presence.close(world, connection, CloseCode.FAULT, "The server made a mistake; connect again.")

    def _opened(self, given: Opened) -> None:
        presence.let_in(self.world, given.connection, given.address)

    def _received(self, given: Received) -> None:
        world = self.world
        connection = world.connections.get(given.connection)
        if connection is None:
            return
        self._take(connection, given.frame)
        if world.effects.writes:
            world.budget.written[connection.origin] += len(world.effects.writes)

    def _take(self, connection: Connection, frame: ClientFrame) -> None:
        world = self.world
        if not connection.bucket.take(world.now):
            presence.close(world, connection, CloseCode.TOO_FAST, "Your client sends too much at once.")
            return
        connection.heard_at = world.now
        session = connection.session
        if session is None:
            greeting.greet(world, connection, frame)
            return
        if session.old_hash is not None and world.is_saving:
            world.sessions.confirm(session)
            remember.keep(world, session)
        handler = HANDLERS.get(type(frame))
        if handler is not None and world.is_saving:
            try:
                if world.budget.overdrawn:
                    require(connection.origin not in world.budget.overdrawn or handler is presence.depart)
                handler(world, session, frame)
            except Refuse as no:
                tell.refuse(world, connection.id, frame.id, no.code, no.text)  # type: ignore[union-attr]
        elif isinstance(frame, Ping):
            world.effects.send(connection.id, encode(Ponged(re=frame.id)), is_urgent=True)
        elif isinstance(frame, Hello):
            text = "You have said hello already."
            tell.refuse(world, connection.id, 0, RefusalCode.ALREADY_WELCOMED, text)
        else:
            code = RefusalCode.CANNOT_SAVE
            tell.refuse(world, connection.id, frame.id, code, CANNOT_SAVE_TEXT, is_urgent=True)

    def _garbled(self, given: Garbled) -> None:
        connection = self.world.connections.get(given.connection)
        if connection is not None:
            presence.close(self.world, connection, given.code, given.text)

    def _gone(self, given: Gone) -> None:
        connection = self.world.connections.get(given.connection)
        if connection is not None:
            presence.forget(self.world, connection)

    def _fetched(self, given: Fetched) -> None:
        connection = self.world.connections.get(given.connection)
        if connection is not None:
            export.hand_out(self.world, connection, given.re, given.piece, given.is_last)

    def _ticked(self, given: Ticked) -> None:
        world = self.world
        presence.close_silent(world)
        if not world.is_saving:
            return
        self._attempt_each(given, upkeep.end_late, upkeep.late(world))
        if world.clocked:
            oldest = min(match.turn_began_at for match in world.clocked.values())
            world.effects.writes.append(world.pauses.to_fact(world.now, oldest))
        self._attempt_each(given, upkeep.put_away, upkeep.outdated(world))
        remember.forget_idle(world)
        upkeep.forget_tries(world)
        watch.tell_counts(world)

    def _stalled(self, given: Stalled) -> None:
        world = self.world
        world.is_saving = False
        world.pauses.begin(world.now)
        tell.send_notice(world, Noticed(code="cannot_save", text=CANNOT_SAVE_TEXT))
        world.counts["stalls"] += 1

    def _recovered(self, given: Recovered) -> None:
        world = self.world
        world.is_saving = True
        paused_s = world.pauses.end(world.now)
        for match in world.matches.values():
            match.postpone(paused_s, world.now)
        text = "The server can save again; the match goes on."
        tell.send_notice(world, Noticed(code="saving_again", text=text))

    def _leaving(self, given: Leaving) -> None:
        self.world.is_ending = True

    def _stopping(self, given: Stopping) -> None:
        world = self.world
        world.is_ending = True
        kept = _KEPT_TEXT if world.is_saving else _NOT_SAVED_TEXT
        text = f"{_STOPPING_TEXTS[given.code]} {kept if given.is_kept else _NOT_KEPT_TEXT}"
        for connection in list(world.connections.values()):
            presence.close(world, connection, given.code, text, given.is_kept)
