"""What the server says to players: frames are put among the effects, for those who are connected.

What a frame may show is settled in `visible`; here it is settled who gets it.
"""

from collections.abc import Iterable

from protocol.codec import encode
from protocol.model import SEATS, Seat
from protocol.refusal import RefusalCode
from protocol.server_frame import Noticed, Refused, ServerFrame
from server.core import visible
from server.core.match import Match
from server.core.world import World
from server.games.game import Events


def send(world: World, session_id: int, frame: ServerFrame) -> None:
    """Send a frame to a player."""
    send_packed(world, (session_id,), encode(frame))


def send_all(world: World, session_ids: Iterable[int], frame: ServerFrame) -> None:
    """Send the same frame to several players."""
    send_packed(world, session_ids, encode(frame))


def send_packed(world: World, session_ids: Iterable[int], data: bytes) -> None:
    """Send a frame that is packed already to several players."""
    for connection in map(world.sessions.connection_of, session_ids):
        if connection is not None:
            world.effects.send(connection, data)


def send_to_match(world: World, match: Match, frame: ServerFrame) -> None:
    """Send the same frame to the players and the spectators of a match."""
    send_all(world, [*match.players(), *match.spectators], frame)


def send_notice(world: World, frame: Noticed) -> None:
    """Tell everybody who is connected something about the server itself, ahead of all else."""
    data = encode(frame)
    for connection in world.connections.values():
        if connection.session is not None:
            world.effects.send(connection.id, data, is_urgent=True)


def refuse(
    world: World, connection: int, re: int, code: RefusalCode, text: str, is_urgent: bool = False
) -> None:
    """Answer a request with a no."""
    world.counts[f"refused.{code.value}"] += 1
    world.effects.send(connection, encode(Refused(re=re, code=code, text=text)), is_urgent=is_urgent)


def show(
    world: World, match: Match, events: Events = (), re: int | None = None, mover: Seat | None = None
) -> None:
    """Show a match to everybody there, each as they may see it; `re` answers the mover's request."""
    scene, sends = visible.scene(match, world.now, len(events)), world.effects.sends
    members = match.members()
    for seat in SEATS:
        connection = world.sessions.connection_of(members[seat - 1])
        if connection is not None:
            data = visible.shown(match, seat, scene, re if seat == mover else None)
            sends.append((connection, data, False, False))
    if match.spectators:
        send_packed(world, match.spectators, visible.shown(match, None, scene))


def show_one(world: World, match: Match, session_id: int, events: Events = (), re: int | None = None) -> None:
    """Show a match to one of those who are there."""
    scene = visible.scene(match, world.now, len(events))
    send_packed(world, (session_id,), visible.shown(match, match.seat_of(session_id), scene, re))


def show_terms(world: World, match: Match, session_id: int, re: int | None = None) -> None:
    """Show one of those who are there what is played, by whom, and in which seat."""
    send(world, session_id, visible.seated(match, session_id, world.is_present, re))


def show_whole(world: World, match: Match, session_id: int, re: int | None = None, seen: int = 0) -> None:
    """Show a match with its history to somebody who comes to it, or back to it having seen some events."""
    show_terms(world, match, session_id, re)
    if match.seats is None or match.is_frozen:
        return
    for piece in visible.told(match, seen):
        send_packed(world, (session_id,), piece)
    show_one(world, match, session_id)
    show_absences(world, match, session_id)
    for offer in visible.offers(match):
        send(world, session_id, offer)
    if match.outcome is not None:
        send(world, session_id, visible.ended(match))


def show_absences(world: World, match: Match, session_id: int) -> None:
    """Tell one of those who are there which players are away."""
    for absence in visible.absences(match, world.now, world.limits.grace_s):
        send(world, session_id, absence)


def show_presence(world: World, match: Match, seat: Seat, on_purpose: bool = False) -> None:
    """Tell everybody else at a match whether a player is there, or has gone on purpose."""
    frame = visible.sighted(match, seat, world.now, world.limits.grace_s, on_purpose)
    others = [player for player in match.players() if player != match.members()[seat - 1]]
    send_all(world, [*others, *match.spectators], frame)


def show_end(world: World, match: Match, re: int | None = None, by: int | None = None) -> None:
    """Tell everybody there that a match is over; `by` is the session whose request `re` ended it."""
    everybody = [*match.members(), *match.spectators]
    send_all(world, [member for member in everybody if member != by], visible.ended(match))
    if by is not None:
        send(world, by, visible.ended(match, re))
