"""`conquest join`: a seat at a match of somebody else's, or the one again that is ours."""

from client.core.seat import Arrival
from client.core.wording import spaced_code
from client.flow.back import left_seat, own_seat, return_to
from client.flow.person import Person, WayBack, sit
from client.flow.wanted import Display
from client.net.place import Place
from client.net.session import Session
from client.net.survey import find_match
from protocol.client_frame import Join


async def join(person: Person, place: Place) -> None:
    """Take a free seat at a match, or the one again that is ours."""
    if (way := own_seat(person.store, place)) is not None:
        known = place.target if place.target.fingerprint else None
        await return_to(person, way, Display(), known)
        return

    def begin(session: Session) -> Arrival:
        return Arrival(request=session.send(Join, match=place.code), says_goodbye=True)

    await sit(person, place.target, begin, WayBack(person.store.new_session_file()))


async def join_by_code(person: Person, code: str) -> None:
    """Take a seat at a match of which only the code is known."""
    if (way := left_seat(person.store, code)) is not None:
        await return_to(person, way, Display())
    else:
        await join(person, await located(person, code))


async def located(person: Person, code: str) -> Place:
    """Find the server of a match of which only the code is known; raise `CouldNot`."""
    person.face.say(
        f"Looking for match {spaced_code(code)} on this network and on the servers known from before…"
    )
    return await find_match(person.name, person.store, code)
