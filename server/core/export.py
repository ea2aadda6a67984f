"""Records of finished matches, handed out to those who played or watched."""

from collections.abc import Callable

from protocol.client_frame import Export
from protocol.codec import encode
from protocol.refusal import RefusalCode
from server.core import tell, transcript
from server.core.effect import Fetch
from server.core.refuse import Refuse
from server.core.session import Session
from server.core.transcript import Transcript
from server.core.world import Connection, World

NO_RECORD_TEXT = "There is no finished match of yours with that code."


def export(world: World, session: Session, request: Export) -> None:
    """Have the record of a finished match read, one at a time; `hand_out` answers.

    For a match put away, whether it is theirs to see is checked when it is there.
    """
    match = world.matches.get(request.match)
    if match is not None:
        if session.id not in match.members() and match.code not in session.watching:
            raise Refuse(RefusalCode.NO_SUCH_MATCH, NO_RECORD_TEXT)
        if match.outcome is None:
            raise Refuse(RefusalCode.NOT_OVER, "The match is not over yet; its record is sealed until then.")
    if session.connection is None:
        return
    connection = world.connections[session.connection]
    if connection.is_awaiting_record:
        text = "The record that you asked for before is still being read."
        raise Refuse(RefusalCode.ONE_AT_A_TIME, text)
    connection.is_awaiting_record = True
    world.effects.fetches += (Fetch(session.connection, request.id, request.match),)


def hand_out(world: World, connection: Connection, re: int, record: Transcript | None) -> None:
    """Answer a request for a record with what was read, if it is theirs to see."""
    session = connection.session
    if session is None:
        return
    connection.is_awaiting_record = False
    if record is None or (session.id not in record.seats and record.code not in session.watching):
        tell.refuse(world, connection.id, re, RefusalCode.NO_SUCH_MATCH, NO_RECORD_TEXT)
        return
    for piece in transcript.pieces(record, re):
        world.effects.send(connection.id, encode(piece))


HANDLERS: dict[type, Callable[..., None]] = {Export: export}
