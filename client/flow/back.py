"""Going back to a seat that was left, no matter how one had come to it."""

from collections.abc import Iterator

from client.core.failure import CouldNot
from client.core.wording import going_back, spaced_code
from client.flow.link import arrival_elsewhere
from client.flow.person import Person, WayBack, sit
from client.flow.wanted import Display, GoBack
from client.net.connection import Target
from client.net.place import Place
from client.net.store import SavedSession, Store, Way


async def go_back(person: Person, wanted: GoBack) -> None:
    """Go back to the match that was left last, or to a certain one."""
    code = wanted.code
    fitting = [way for way in person.store.sessions() if code is None or way[1].leads_to(code)]
    if not fitting:
        raise CouldNot("There is no match to go back to." if code is None else _not_known(code))
    await return_to(person, fitting[0], wanted.display)


async def return_to(person: Person, way: Way, display: Display, target: Target | None = None) -> None:
    """Take one's seat again, at another address of its server if that is given."""
    file, saved = way
    if saved.hosting is not None:
        # Only the host needs a server.
        from client.flow.host import host_again

        await host_again(person, file, saved, saved.hosting, display)
        return
    known = target or Target(saved.host, saved.port, saved.fingerprint, saved.is_plain, saved.relay)
    address = (display.outside or known).address
    person.face.say(f"Going back to match {spaced_code(saved.match)} at {address}.")
    await sit(
        person,
        known,
        lambda session: arrival_elsewhere(session, display, code=saved.match),
        WayBack(file, saved.token),
    )


def offer(way: Way | None) -> str | None:
    """Say where a way back leads, for a list to choose from."""
    return None if way is None else going_back(way[1].game, way[1].match)


def left_seat(store: Store, code: str) -> Way | None:
    """Find the seat at a match that was ours, by its code, and that no other process of ours has."""
    return next(_left(store, code), None)


def own_seat(store: Store, place: Place) -> Way | None:
    """Find the seat at a match that was ours, by its code and its server."""
    return next((way for way in _left(store, place.code or "") if _is_there(way[1], place.target)), None)


def _left(store: Store, code: str) -> Iterator[Way]:
    return (way for way in store.sessions() if not way[1].is_in_use and way[1].leads_to(code))


def _is_there(saved: SavedSession, target: Target) -> bool:
    """Tell whether a seat is at a server, which may have several addresses but has one certificate."""
    if saved.hosting is not None:
        return False
    if saved.fingerprint and target.fingerprint:
        return saved.fingerprint == target.fingerprint
    return (saved.host, saved.port) == (target.host, target.port)


def _not_known(code: str) -> str:
    return f"No way back to match {spaced_code(code)} is known here."
