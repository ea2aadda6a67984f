"""Who is there: connections are let in, closed with a reason and forgotten; players come and go with them."""

from protocol.client_frame import Depart
from protocol.codec import encode
from protocol.refusal import CloseCode
from protocol.server_frame import Closed
from server.core import tell, watch
from server.core.rate import origin_of
from server.core.session import Session
from server.core.world import Connection, World


def let_in(world: World, number: int, address: str) -> None:
    """Take a new connection, or turn it away when there are too many."""
    budget, origin = world.budget, origin_of(address)
    world.counts["connections"] += 1
    connection = Connection(number, address, origin, world.now, world.limits)
    if (
        budget.connections.is_full()
        or budget.connections.count(origin) >= world.limits.connections_per_address
        or budget.unwelcomed.is_full()
    ):
        text = "The server has as many connections as it can take; try again in a while."
        close(world, connection, CloseCode.FULL, text)
    else:
        world.connections[number] = connection
        budget.connections.add(number, origin)
        budget.unwelcomed.add(number, origin)


def close(world: World, connection: Connection, code: CloseCode, text: str, is_kept: bool = True) -> None:
    """End a connection and say why; the player's seats are kept, unless the server keeps nothing."""
    # One that was never welcomed depends on nothing, and must not pile up while the disk is slow; while
    # nothing can be saved, what was to be said before could not be said anyway.
    is_urgent = connection.session is None or not world.is_saving
    data = encode(Closed(code=code, text=text, kept=is_kept))
    world.effects.send(connection.id, data, is_urgent, is_last=True)
    world.effects.note("closed", connection=connection.id, address=connection.address, code=code.value)
    world.counts[f"closed.{code.value}"] += 1
    forget(world, connection, on_purpose=code is CloseCode.DEPARTED)


def depart(world: World, session: Session, request: Depart) -> None:
    """End a connection at its player's own wish; that is the answer."""
    if session.connection is not None:
        connection = world.connections[session.connection]
        close(world, connection, CloseCode.DEPARTED, "Goodbye; your seats are kept.")


def forget(world: World, connection: Connection, on_purpose: bool = False) -> None:
    """Let go of a connection; its player is absent from now on."""
    world.connections.pop(connection.id, None)
    world.budget.connections.discard(connection.id)
    world.budget.unwelcomed.discard(connection.id)
    session = connection.session
    if session is None or session.connection != connection.id:
        return
    session.connection = None
    session.gone_at = world.now
    if session.seated:
        world.pages.clear()
    if world.is_ending:
        # They are gone because the server goes; those who are still there are told that, and not of them.
        return
    for code in session.seated:
        match = world.matches[code]
        seat = match.seat_of(session.id)
        if seat is not None and seat not in match.left:
            match.absent_since[seat - 1] = world.now
            tell.show_presence(world, match, seat, on_purpose)
    for code in session.watching:
        if code in world.matches:
            watch.count_out(world, world.matches[code], session)


def close_silent(world: World) -> None:
    """Close the connections that have not said hello in time, or have said nothing for too long."""
    limits = world.limits
    for connection in list(world.connections.values()):
        if connection.session is None and world.now - connection.opened_at >= limits.hello_timeout_s:
            close(world, connection, CloseCode.HELLO_LATE, "No hello came in time.")
        elif world.now - connection.heard_at >= limits.dead_s:
            close(world, connection, CloseCode.SILENT, "Nothing was heard from you for too long.")
