"""What a visitor by ssh may want: all that their server offers, and nothing of its machine."""

from dataclasses import replace

from client.flow.back import left_seat
from client.flow.wanted import (
    Display,
    GoBack,
    GoOn,
    Host,
    HostAt,
    JoinAt,
    LookBack,
    ShowAgain,
    Wanted,
    WatchAt,
)
from client.net.connection import Target
from client.net.place import Place
from client.net.store import Store
from client.net.visit import HOST, Visit
from protocol.process.usage import Misused

ONLY_HERE = "By ssh you reach the matches of this server only. For others, install Conquest."
NOT_BY_SSH = "That needs Conquest on your own machine; by ssh you play others on this server."


def server_of(visit: Visit) -> Target:
    """Say how the visitor's program reaches the server."""
    return Target(HOST, visit.port, is_plain=True)


def outside_of(visit: Visit) -> Target:
    """Say how everybody else reaches it."""
    return Target(visit.host, visit.server_port, visit.fingerprint)


def locked(visit: Visit, store: Store, wanted: Wanted) -> Wanted:
    """Turn what a visitor wants into the same at their server; raise `Misused` where it leads elsewhere."""
    display = Display(outside=outside_of(visit), ssh=(visit.host, visit.ssh_port))
    match wanted:
        case Host(game=game, terms=terms) | HostAt(game=game, terms=terms):
            return HostAt(server_of(visit), game, terms, display)
        case JoinAt(place=place, code=code):
            here = _here(visit, place, code)
            is_ours = here.code is not None and left_seat(store, here.code) is not None
            return GoBack(here.code, display) if is_ours else JoinAt(here)
        case WatchAt(place=place, code=code):
            return WatchAt(_here(visit, place, code))
        case GoBack():
            return replace(wanted, display=display)
        case GoOn() | LookBack() | ShowAgain():
            return wanted
        case _:
            raise Misused(NOT_BY_SSH)


def _here(visit: Visit, place: Place | None, code: str | None) -> Place:
    """Read a link or an address that may lead to the server in the words of everybody else."""
    if place is None:
        return Place(server_of(visit), code)
    target, server, outside = place.target, server_of(visit), outside_of(visit)
    is_same = target == server or (target.host, target.port) == (outside.host, outside.port)
    if not is_same and (target.fingerprint is None or target.fingerprint != outside.fingerprint):
        raise Misused(ONLY_HERE)
    return Place(server, place.code)
