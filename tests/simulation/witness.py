"""Sees everything that reaches the disk and everything that leaves the server, and holds it to the promises.

Nothing may leave that is not on disk; what leaves must be what the receiver may see of some prefix of the
journal, and never an earlier one than the receiver has seen. It asks the server only who somebody is.
"""

from collections.abc import Callable
from typing import Any

import msgpack

from protocol.client_frame import Hello
from protocol.limit import Limits
from server.core.entry import CREATED, MOVED, Entry, Fact, Write
from server.core.input import Garbled, Received, Recovered, Stalled
from server.core.pause import ALIVE
from server.core.session import PREFIX, hash_token
from server.core.visible import HISTORY_CHUNK
from tests.simulation import invariant
from tests.simulation.shadow import NEGLIGIBLE_S, Shadow, packed_sight, plain, require

FORGIVEN_S = 3.0
"""Up-time that a restart may forget: the server writes the time down at every tick."""
LAWFUL_REFUSALS = {"match_over", "cannot_save", "no_such_match", "not_seated"}
"""What a careful player's move may be refused with."""


class Witness:
    """Compares what the server does with what it promised."""

    def __init__(self, limits: Limits, note: Callable[[str, Any], None]) -> None:
        self.limits = limits
        self.note = note
        self.shadows: dict[int, Shadow] = {}
        self.streams: dict[str, int] = {}
        """The newest stream of each code."""
        self.players: dict[int, Any] = {}
        """The clients, by session."""
        self.frames_checked = 0
        self._sessions: dict[Any, int] = {}
        self._welcomed: set[Any] = set()
        self._floors: dict[tuple[int, str], int] = {}
        self._seated: set[tuple[int | None, str]] = set()
        """Who was told the terms of which match, to play or to watch."""
        self._hashes: set[str] = set()
        self._kept: set[str] = set()
        self._applied: set[tuple[int, str, int]] = set()
        self._uptime = 0.0
        self._since: float | None = None
        self._paused_at = 0.0
        self._alive_uptime = 0.0
        self._alive_pending: list[float] = []

    def find(self, code: str) -> Shadow | None:
        """Find a match by its code."""
        return self.shadows.get(self.streams.get(code, -1))

    # Time.

    def uptime(self, now: float) -> float:
        """Tell for how long the server has been up and able to save."""
        if self._since is None:
            # What was decided just before the pause is appended in it.
            return self._uptime - max(0.0, self._paused_at - now)
        return self._uptime + now - self._since

    def _pause(self, now: float) -> None:
        self._uptime, self._since, self._paused_at = self.uptime(now), None, now

    # What the disk does.

    def appended(self, writes: list[Write]) -> None:
        """Take writes that are on their way to the disk."""
        for write in writes:
            if isinstance(write, Entry):
                self._take(write)
            elif write.key == ALIVE:
                self._alive_pending.append(self.uptime(write.body["at"]))  # type: ignore[index]

    def _take(self, entry: Entry) -> None:
        shadow = self.shadows.get(entry.stream)
        if shadow is None:
            shadow = self.shadows[entry.stream] = Shadow(entry)
            self.streams[shadow.code] = entry.stream
            self._check_series(shadow)
            return
        uptime = self.uptime(entry.body.get("at", 0.0))
        shadow.take(entry, uptime, self.limits.moves_per_match)
        if entry.kind == MOVED:
            self._check_mover(shadow, entry)
        elif shadow.previous is not None and len(shadow.entries) == 2:
            self._check_swap(shadow)

    def _check_mover(self, shadow: Shadow, entry: Entry) -> None:
        body = entry.body
        session = (shadow.seats or (0, 0))[body["seat"] - 1]
        player = self.players.get(session)
        require(player is not None, "only players whom the server knows move", body)
        asked = (shadow.code, body["id"], tuple(sorted(body["move"].items())))
        require(asked in player.asked, "each move was asked for by the player in that seat", body)
        applied = (session, shadow.code, body["id"])
        if player.is_careful:
            require(applied not in self._applied, "each move is applied at most once", body)
        self._applied.add(applied)

    def _check_series(self, shadow: Shadow) -> None:
        before = None if shadow.previous is None else self.find(shadow.previous)
        score = (0, 0) if before is None else before.last.score[::-1]
        require(shadow.last.score == score, "a rematch carries the score on", shadow.entries)

    def _check_swap(self, shadow: Shadow) -> None:
        before = self.find(shadow.previous or "")
        require(before is not None and before.seats is not None, "a rematch has a match before it")
        require(shadow.seats == before.seats[::-1], "a rematch swaps seats", shadow.entries)  # type: ignore

    def synced(self, writes: list[Write]) -> None:
        """Take writes that are durable from now on."""
        for write in writes:
            if isinstance(write, Entry):
                self.shadows[write.stream].durable += 1
            elif write.key == ALIVE:
                self._alive_uptime = self._alive_pending.pop(0)
            elif write.body is not None:
                self._kept.add(write.key)
                self._hashes.update({write.body["token"], write.body["old"]} - {None})

    def lost(self, writes: list[Write]) -> None:
        """Take note of writes that never became durable."""
        for write in writes:
            if isinstance(write, Fact):
                continue
            shadow = self.shadows.get(write.stream)
            if shadow is None:
                # Its creation was lost before it.
                continue
            if write.kind == CREATED:
                del self.shadows[write.stream], self.streams[shadow.code]
            elif write.place < len(shadow.entries):
                self._unapply(shadow, write.place)
                shadow.lose(write.place)

    def _unapply(self, shadow: Shadow, place: int) -> None:
        for entry in shadow.entries[place:]:
            if entry.kind == MOVED:
                session = (shadow.seats or (0, 0))[entry.body["seat"] - 1]
                self._applied.discard((session, shadow.code, entry.body["id"]))

    # What the server does.

    def crashed(self, server: Any) -> None:
        """Take note that the server is no more."""
        self._pause(server.now())

    def restored(self, server: Any) -> None:
        """Check what a server has made of the disk."""
        self._alive_pending = []
        self._since = server.now()
        invariant.check_matches(server, self, is_thorough=True)
        for match in server.kernel.world.matches.values():
            shadow = self.shadows[match.stream]
            if match.deadline is not None:
                self._check_clock(shadow, match.deadline - server.now(), server.now())

    def _check_clock(self, shadow: Shadow, left_s: float, now: float) -> None:
        """See that a restart cost no player any time, and gave only a little."""
        last = shadow.last
        exact = shadow.terms.clock_s - (self.uptime(now) - last.turn_began)  # type: ignore[operator]
        forgotten = self.uptime(now) - max(self._alive_uptime, last.turn_began)
        facts = (shadow.code, left_s, exact, forgotten)
        require(left_s >= exact - NEGLIGIBLE_S, "a restart costs nobody time", *facts)
        require(left_s <= exact + forgotten + NEGLIGIBLE_S, "a restart gives nobody a new clock", *facts)
        shadow.snapshots[-1] = last._replace(turn_began=last.turn_began + left_s - exact)

    def before(self, server: Any, given: Any) -> Any:
        """Look at the server before a step."""
        if isinstance(given, Received | Garbled):
            peer = server.outbox.peers.get(given.connection)
            client = None if peer is None or peer.transport is None else peer.transport.client
            if client is not None and client.is_hostile:
                return invariant.fingerprint(server)
        elif isinstance(given, Stalled):
            self._pause(server.now())
        return None

    def after(self, server: Any, given: Any, before: Any) -> None:
        """Look at the server after a step."""
        if isinstance(given, Recovered):
            self._since = server.now()
        elif isinstance(given, Received) and isinstance(given.frame, Hello):
            self._introduced(server, given.connection)
        if before is not None:
            after = invariant.fingerprint(server)
            require(after == before, "no stranger touches anybody's match or session", given, before, after)

    def _introduced(self, server: Any, number: int) -> None:
        connection, peer = server.kernel.world.connections.get(number), server.outbox.peers.get(number)
        if connection is not None and connection.session is not None and peer is not None:
            self._sessions[peer.transport] = connection.session.id
            self.players[connection.session.id] = peer.transport.client

    def check(self, server: Any) -> None:
        """Check everything that must hold between two turns of the loop."""
        invariant.check_structure(server)
        invariant.check_growth(server)
        invariant.check_matches(server, self)

    # What leaves.

    def leaving(self, link: Any, data: bytes) -> None:
        """Check bytes that leave the server."""
        at = 0
        while at < len(data):
            end = at + 4 + int.from_bytes(data[at : at + 4], "big")
            frame = msgpack.unpackb(data[at + 4 : end])
            self.frames_checked += 1
            self.note(f"{frame['type']} to {link.client.name}", frame)
            check = getattr(self, f"_check_{frame['type']}", None)
            if check is not None:
                check(link, self._sessions.get(link), frame)
            link.client.sent_to(link, frame)
            at = end

    def _check_welcome(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        require(session is not None and link not in self._welcomed, "one welcome a connection", frame)
        require(not link.client.is_impostor(link), "no guessed or used-up token is a way in", frame)
        self._welcomed.add(link)
        if f"{PREFIX}{session}" in self._kept:
            is_durable = hash_token(frame["token"]) in self._hashes
            require(is_durable, "a token is durable before it is handed out", frame)

    def _check_refused(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        client = link.client
        code = client.plays.get(frame["re"])
        if code is None or not client.is_careful:
            return
        require(frame["code"] in LAWFUL_REFUSALS, "a careful player's move is not refused", frame)
        if frame["code"] not in ("cannot_save", "no_such_match"):
            is_applied = (session, code, frame["re"]) in self._applied
            require(not is_applied, "what was refused was not done", frame)

    def _durable(self, frame: dict[str, Any]) -> Shadow:
        shadow = self.find(frame["match"])
        require(shadow is not None and shadow.durable > 0, "only durable matches are shown", frame)
        return shadow  # type: ignore[return-value]

    def _check_seated(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        shadow = self._durable(frame)
        self._seated.add((session, shadow.code))
        is_begun = frame["begun"]
        require(not is_begun or shadow.durable > 1, "what is said to have begun is durable", frame)
        seat = (shadow.seat_of(session) or 0) if is_begun else 0
        require(frame["seat"] == seat, "everybody is told their own seat", frame, shadow.seats, session)
        names = list(shadow.names) if is_begun else [shadow.names[0] if shadow.seats is None else None, ""]
        require(frame["names"] == names or not is_begun, "the names are right", frame, names)
        scores = [list(snapshot.score) for snapshot in shadow.snapshots[: shadow.durable]]
        require(frame["score"] in scores, "a score is durable", frame)

    def _check_shown(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        shadow = self._durable(frame)
        viewer = shadow.seat_of(session)
        first, events = frame["first_event"], frame["events"]
        count = first + len(events)
        wanted = packed_sight(frame["turn"], frame["view"], frame["legal"], count)
        floor = self._floors.get((session or 0, shadow.code), 1)
        for place in range(floor, shadow.durable):
            if shadow.seen(place, viewer) == wanted:
                break
        else:
            seen = [msgpack.unpackb(shadow.seen(place, viewer)) for place in range(floor, shadow.durable)]
            require(
                False, "what is shown is the viewer's view of a durable prefix", viewer, frame, *seen[-2:]
            )
        self._floors[session or 0, shadow.code] = place
        require(events == shadow.events[first:count], "events are the journal's", frame)
        clock_s = shadow.terms.clock_s
        if frame["left_ms"] is not None:
            is_possible = clock_s is not None and frame["left_ms"] <= (clock_s + FORGIVEN_S) * 1000
            require(is_possible, "a clock shows what is left", frame)

    def _check_told(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        shadow = self._durable(frame)
        first, events = frame["first_event"], frame["events"]
        count = first + len(events)
        require(count <= shadow.snapshots[shadow.durable - 1].events, "only durable events are told", frame)
        require(events == shadow.events[first:count], "events are the journal's", frame)
        # Who joins or watches hears everything; who comes back, what was missed.
        is_due = first in (0, link.client.seen_on(link, frame["match"]))
        require(is_due or first % HISTORY_CHUNK == 0, "one hears what one missed", frame)

    def _check_ended(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        last = self._durable(frame)
        snapshot = last.snapshots[last.durable - 1]
        told = [frame["outcome"], frame["score"]]
        require(told == plain([snapshot.outcome, snapshot.score]), "an end is durable", frame, snapshot)

    def _check_chatted(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        is_member = session in self._durable(frame).members()
        require(is_member, "what players say to each other is theirs", frame)

    def _check_exported(self, link: Any, session: int | None, frame: dict[str, Any]) -> None:
        shadow = self._durable(frame)
        require(
            (session, shadow.code) in self._seated,
            "a record is handed only to those who played or watched",
            frame,
        )
        is_over = shadow.snapshots[shadow.durable - 1].outcome is not None
        require(is_over, "a record is sealed while the match goes on", frame)
        moves = [entry.body["move"] for entry in shadow.entries if entry.kind == MOVED]
        first = frame["first"]
        kept = moves[first : first + len(frame["moves"])]
        require([turned["move"] for turned in frame["moves"]] == kept, "a record is the journal's", frame)
