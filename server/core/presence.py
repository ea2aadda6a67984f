"""Who is there: connections are let in, closed with a reason and forgotten; players come and go with them."""

from protocol.client_frame import Depart
from protocol.codec import encode
from protocol.refusal import CloseCode
from protocol.server_frame import Closed
from server.core import remember, tell, watch
from server.core.rate import origin_of
from server.core.session import Session
from server.core.world import Connection, World

OLD_S = 1.0
"""After this time a connection without a hello gives way to a new one if there is no room."""
FULL_TEXT = "The server has as many connections as it can take; try again in a while."


def let_in(world: World, number: int, address: str) -> None:
    """Take a new connection; when there is no room for it, another gives way, or it is turned away."""
    origin = origin_of(address)
    world.counts["connections"] += 1
    connection = Connection(number, address, origin, world.now, world.limits)
    for strangers in world.budget.unwelcomed_of(origin):
        if strangers.fits(origin):
            continue
        old = strangers.gives_way(origin, lambda each: world.connections[each].opened_at <= world.now - OLD_S)
        turned_away = connection if old is None else world.connections[old]
        close(world, turned_away, CloseCode.FULL, FULL_TEXT)
        if turned_away is connection:
            return
    world.connections[number] = connection
    for strangers in world.budget.unwelcomed_of(origin):
        strangers.add(number, origin)


def has_place(world: World, connection: Connection, has_seat: bool) -> bool:
    """See that there is room for somebody who has said hello: another may have to go, or it is turned away.

    Whoever has a seat comes back to it also beyond what one address may have.
    """
    guests, origin = world.budget.connections, connection.origin
    is_within = has_seat or guests.count(origin) < guests.most_each
    is_within = is_within and world.budget.has_share(origin)
    leaving = _first_to_leave(world, origin, has_seat) if is_within and not guests.fits(origin) else None
    if leaving is None and not (is_within and not guests.is_full()):
        close(world, connection, CloseCode.FULL, FULL_TEXT)
        return False
    if leaving is not None:
        close(world, leaving, CloseCode.FULL, FULL_TEXT)
    return True


def _first_to_leave(world: World, origin: str, has_seat: bool) -> Connection | None:
    """Choose a neighbour's connection that gives way: of the largest one's, first those who play nothing."""
    guests = world.budget.connections
    is_others = guests.is_full() and guests.first_to_go(origin) is not None
    there = [world.connections[each] for each in guests.of(guests.largest() if is_others else origin)]
    idle = [each for each in there if each.session is not None and not each.session.seated]
    if is_others:
        return (idle or there)[0]
    return idle[0] if idle and has_seat else None


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
    world.budget.let_go(connection.id)
    session = connection.session
    if session is None or session.connection != connection.id:
        return
    session.connection = None
    session.gone_at = world.now
    remember.set_away(world, session)
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
