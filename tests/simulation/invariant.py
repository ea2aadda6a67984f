"""What must hold of the server's memory between any two turns of its loop."""

from typing import Any

import msgpack

from server.io.outbox import NEGLIGIBLE
from tests.simulation.shadow import NEGLIGIBLE_S, Shadow, require


def check_structure(server: Any) -> None:
    """See that connections, sessions and matches point at each other and at nothing else."""
    world = server.kernel.world
    require(world.counts["faults"] == 0, "the server makes no mistake", *server.faults)
    for connection in world.connections.values():
        session = connection.session
        is_owner = session is None or session.connection == connection.id
        require(is_owner, "one live connection for each session", connection.id, session)
        require(connection.id in server.outbox.peers, "every connection has a peer", connection.id)
    for session in world.sessions:
        is_there = session.connection is None or session.connection in world.connections
        require(is_there, "a session's connection is there", session)
        for code in session.seated:
            require(code in world.matches, "a seat is at a match", session)
    for match in world.matches.values():
        for seat, member in enumerate(match.members(), start=1):
            if match.seats is not None and seat not in match.left and not match.is_frozen:
                is_absent = match.absent_since[seat - 1] is not None
                is_away = not world.is_present(member)
                require(is_absent == is_away, "presence is known", match.code, seat, is_away)
        for spectator in match.spectators:
            require(world.is_present(spectator), "only who is there is a spectator", match.code)


def check_growth(server: Any) -> None:
    """See that nothing is larger than its limit."""
    world, limits = server.kernel.world, server.limits
    require(len(world.sessions) <= limits.sessions, "sessions are limited", len(world.sessions))
    unwelcomed = sum(1 for connection in world.connections.values() if connection.session is None)
    require(unwelcomed <= limits.connections_unwelcomed, "strangers are limited", unwelcomed)
    require(len(world.budget.matches) <= limits.matches, "matches are limited")
    guests = len(world.connections) - unwelcomed
    require(guests <= limits.connections, "connections are limited", guests)
    held: dict[int, int] = {}
    for _, sends in server.outbox.gate._held:
        for connection, data, _, _ in sends:
            held[connection] = held.get(connection, 0) + len(data)
    for number, size in held.items():
        is_left = number not in server.outbox.peers and size > NEGLIGIBLE
        require(not is_left, "little is held for who is gone", number, size)
    for number, peer in server.outbox.peers.items():
        require(peer.held == held.get(number, 0), "what is held is counted", number, peer.held, held)
        require(peer.held <= limits.outbox, "what is held for one peer is limited", number, peer.held)
        waiting = 0 if peer.transport is None else peer.transport.get_write_buffer_size()
        require(waiting <= limits.outbox, "an outbox is limited", number, waiting)
        require(len(peer.splitter._held) <= limits.frame + 4, "what has arrived is limited", number)
    for name, held, expected in _held(world):
        require(set(held._origins) == expected, "what origins hold is counted", name, expected)


def _held(world: Any) -> list[tuple[str, Any, set[Any]]]:
    """Count again what origins hold."""
    budget, connections, matches = world.budget, world.connections.values(), world.matches.values()
    absent = [each for each in world.sessions if each.connection is None and not each.seated]
    return [
        ("connections", budget.connections, {each.id for each in connections if each.session is not None}),
        ("unwelcomed", budget.unwelcomed, {each.id for each in connections if each.session is None}),
        ("away", budget.away[0], {s.id for s in absent if not s.is_kept}),
        ("away", budget.away[1], {s.id for s in absent if s.is_kept}),
        ("matches", budget.matches, {each.code for each in matches if each.outcome is None}),
        ("waiting", budget.waiting, {each.code for each in matches if each.seats is None}),
        ("finished", budget.finished, {each.code for each in matches if each.outcome is not None}),
    ]


def check_matches(server: Any, witness: Any, is_thorough: bool = False) -> None:
    """See that every match is what its journal says, and that none is missing."""
    world = server.kernel.world
    streams = {match.stream for match in world.matches.values()}
    expected = {stream for stream, shadow in witness.shadows.items() if not shadow.is_retired}
    require(streams == expected, "the journal's matches are there", streams ^ expected)
    for match in world.matches.values():
        shadow = witness.shadows[match.stream]
        _check_match(match, shadow)
        if is_thorough:
            events = [msgpack.unpackb(packed) for packed in match.events]
            require(events == shadow.events, "replayed events are the live ones", match.code)
        elif match.deadline is not None and world.is_saving:
            used_s = witness.uptime(world.now) - shadow.last.turn_began
            left_s = match.deadline - world.now
            is_right = abs(left_s - (match.terms.clock_s - used_s)) < NEGLIGIBLE_S
            require(is_right, "a clock counts up-time", match.code, left_s, used_s)


def _check_match(match: Any, shadow: Shadow) -> None:
    last = shadow.last
    live = (
        match.place,
        match.turn,
        match.moves,
        match.outcome,
        match.score,
        len(match.events),
        match.seats,
        tuple(match.last_ids),
        match.state,
    )
    replayed = (
        len(shadow.entries),
        last.turn,
        last.moves,
        last.outcome,
        last.score,
        last.events,
        shadow.seats,
        last.last_ids,
        last.state,
    )
    require(live == replayed, "replay equals live state", match.code, live, replayed)
    is_clocked = match.terms.clock_s is not None and match.is_running()
    require((match.deadline is not None) == is_clocked, "a running clock has a deadline", match.code)


def fingerprint(server: Any) -> Any:
    """Describe whatever of other people's a stranger must not touch."""
    world = server.kernel.world
    sessions = [
        (session.id, session.connection, session.token_hash, session.old_hash, tuple(session.seated))
        for session in world.sessions
        if session.seated
    ]
    matches = [
        (match.code, match.place, match.deadline, tuple(match.absent_since), tuple(match.offers.items()))
        for match in world.matches.values()
    ]
    return sessions, matches
