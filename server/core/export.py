"""Records of finished matches, handed out to those who played or watched."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from protocol.client_frame import Export
from protocol.refusal import RefusalCode
from server.core import find, tell
from server.core.effect import Fetch
from server.core.entry import Entry
from server.core.input import Fetched
from server.core.match import Damaged
from server.core.refuse import Refuse, require
from server.core.session import Session
from server.core.transcript import Transcript, pieces, transcribe
from server.core.world import Connection, World

NO_RECORD_TEXT = "There is no finished match of yours with that code."


def export(world: World, session: Session, request: Export) -> None:
    """Have the record of a finished match read, one at a time; `hand_out` answers.

    Whoever may not see it is answered just like somebody who asks for what never was: the journal is asked,
    and the code counts as a guess. No answer, nor its time or order, tells whether a code lives.
    """
    connection = _connection(world, session)
    match = world.matches.get(request.match)
    if match is not None and not (session.id in match.members() or match.code in session.watching):
        match = None
    if match is not None and match.outcome is None:
        raise Refuse(RefusalCode.NOT_OVER, "The match is not over yet; its record is sealed until then.")
    if connection.is_awaiting_record:
        text = "The record that you asked for before is still being read."
        raise Refuse(RefusalCode.ONE_AT_A_TIME, text)
    if match is None:
        find.require_guess_left(world, session)
    require(world.budget.exports.take(session.origin, world.now))
    if match is None:
        world.budget.guesses.spend(session.origin, world.now)
    connection.is_awaiting_record = True
    outcome = None if match is None else match.outcome
    must_be = session.id if match is None else None
    world.effects.fetches += (Fetch(connection.id, request.id, request.match, must_be, outcome),)


def _connection(world: World, session: Session) -> Connection:
    if session.connection is None:
        raise LookupError("a request comes by a connection")
    return world.connections[session.connection]


def hand_out(world: World, connection: Connection, re: int, piece: bytes | None, is_last: bool) -> None:
    """Answer a request for a record with what was read."""
    connection.is_awaiting_record = not is_last
    if piece is None:
        tell.refuse(world, connection.id, re, RefusalCode.NO_SUCH_MATCH, NO_RECORD_TEXT)
    else:
        world.effects.send(connection.id, piece)


def fetched(fetch: Fetch, entries: Sequence[Entry]) -> Iterator[Fetched]:
    """Answer a wish with the history that was read; that takes its time, and is done beside the loop."""
    record: Transcript | None = None
    with suppress(Damaged):
        record = transcribe(entries, fetch.outcome)
    if record is None:
        yield Fetched(fetch.connection, fetch.re, None)
        return
    for piece, is_last in pieces(record, fetch.re):
        yield Fetched(fetch.connection, fetch.re, piece, is_last)


HANDLERS: dict[type, Callable[..., None]] = {Export: export}
