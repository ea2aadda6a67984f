"""`conquest join`: a seat at a match of somebody else's, or the one again that is ours."""

from client.core.seat import Arrival
from client.flow.back import own_seat, return_to
from client.flow.person import Person, WayBack, sit
from client.flow.wanted import Display
from client.net.place import Place
from client.net.session import Session
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
