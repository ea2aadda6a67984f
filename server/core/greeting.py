"""The first frame of a connection: a newcomer is met, and a known player comes back to what they played."""

from protocol.client_frame import ClientFrame, Hello
from protocol.limit import PROTOCOL_VERSION
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Welcome
from protocol.text import Unclean, clean_name
from server.core import presence, remember, tell, watch
from server.core.session import Session
from server.core.world import Connection, World

CAPABILITIES = ("watch", "export")
CANNOT_SAVE_TEXT = (
    "The server cannot save just now, so it takes no moves. Nothing that it showed is lost; it goes on "
    "by itself as soon as it can save again."
)


def greet(world: World, connection: Connection, frame: ClientFrame) -> None:
    """Take the first frame of a connection, which must be a hello."""
    if not isinstance(frame, Hello):
        presence.close(world, connection, CloseCode.HELLO_EXPECTED, "The first frame must be a hello.")
    elif not world.is_saving:
        tell.refuse(world, connection.id, 0, RefusalCode.CANNOT_SAVE, CANNOT_SAVE_TEXT, is_urgent=True)
    elif frame.token is None:
        _meet(world, connection, frame)
    else:
        session = world.sessions.find(frame.token)
        if session is None:
            text = "The server does not know you any more; say hello without the old token."
            presence.close(world, connection, CloseCode.BAD_TOKEN, text)
        else:
            _resume(world, connection, session, frame.token, frame.seen)


def _meet(world: World, connection: Connection, frame: Hello) -> None:
    try:
        name = clean_name(frame.name)
    except Unclean as no:
        tell.refuse(world, connection.id, 0, RefusalCode.BAD_NAME, str(no))
        return
    if not presence.has_place(world, connection, has_seat=False):
        return
    if len(world.sessions) >= world.limits.sessions and not remember.make_room(world):
        presence.close(world, connection, CloseCode.FULL, "The server knows as many players as it can.")
        return
    session, token = world.sessions.open(name, connection.origin)
    _welcome(world, connection, session, token)


def _resume(world: World, connection: Connection, session: Session, used: str, seen: dict[str, int]) -> None:
    if session.connection is None and not presence.has_place(world, connection, bool(session.seated)):
        return
    token = world.sessions.rotate(session, used)
    session.origin = connection.origin
    remember.keep(world, session)
    was_present = session.connection is not None
    if session.connection is not None:
        old = world.connections[session.connection]
        session.connection = None
        text = "You connected again from elsewhere; this connection ends."
        presence.close(world, old, CloseCode.REPLACED, text)
    _welcome(world, connection, session, token)
    since = told_since(world, session, seen)
    for code in session.seated:
        match = world.touched = world.matches[code]
        seat = match.seat_of(session.id)
        if seat is not None:
            match.absent_since[seat - 1] = None
        tell.show_whole(world, match, session.id, None, since[code])
        if seat is not None and not was_present:
            tell.show_presence(world, match, seat)
    for code in list(session.watching):
        watch.watch_again(world, session, code, since[code])


def _welcome(world: World, connection: Connection, session: Session, token: str) -> None:
    connection.session = session
    world.budget.welcome(connection.id, connection.origin)
    if session.seated:
        world.pages.clear()
    session.connection = connection.id
    remember.set_away(world, session)
    tell.send(
        world,
        session.id,
        Welcome(
            version=PROTOCOL_VERSION,
            capabilities=CAPABILITIES,
            server=world.banner,
            name=session.name,
            token=token,
            heartbeat_s=max(1, int(world.limits.heartbeat_s)),
            dead_s=max(1, int(world.limits.dead_s)),
            matches=tuple(session.seated),
        ),
    )
    world.effects.note("welcomed", connection=connection.id, address=connection.address)


def told_since(world: World, session: Session, seen: dict[str, int]) -> dict[str, int]:
    """Tell, for each match of somebody who comes back, from which event on it is told.

    A client that remembers little is told the latest of each match, the newest match first, as far as half an
    outbox holds it: more would end the connection as a slow reader's, and at the next return again.
    """
    room, since = world.limits.outbox // 2, {}
    for code in reversed([*session.seated, *session.watching]):
        events = world.matches[code].events if code in world.matches else []
        start = len(events)
        while start > seen.get(code, 0) and len(events[start - 1]) <= room:
            start -= 1
            room -= len(events[start])
        since[code] = start
    return since
