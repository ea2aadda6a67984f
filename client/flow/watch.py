"""`conquest watch`: a match of others, seen by somebody without a seat."""

from client.core.seat import Arrival
from client.core.wording import NOT_BEGUN_YET
from client.flow.person import Person, sit
from client.net.place import Place
from client.net.session import Session
from protocol.client_frame import Watch
from protocol.process.usage import Misused


async def watch(person: Person, place: Place) -> None:
    """Watch a match; raise `Misused` where it is not said which."""
    if place.code is None:
        raise Misused("To watch a match, give its whole link, its code, or an address and a code.")

    def begin(session: Session) -> Arrival:
        request = session.send(Watch, match=place.code)
        return Arrival(request, way_back="", on_open=lambda code: (NOT_BEGUN_YET,))

    await sit(person, place.target, begin)
