"""Going back to a match that was left, whichever way one had come to it."""

from client.command import host
from client.command.host import Display
from client.command.person import Person, WayBack, sit
from client.core.failure import CouldNot
from client.core.wording import going_back, spaced_code
from client.net.connection import Target
from client.net.store import Way
from protocol.link import BadLink, parse_code
from protocol.process.usage import Misused


async def resume(person: Person, code: str, display: Display) -> None:
    """Go back to the match that was left last, or to a certain one."""
    wanted = _parsed(code) if code else None
    fitting = [way for way in person.store.sessions() if wanted is None or way[1].leads_to(wanted)]
    if not fitting:
        raise CouldNot("There is no match to go back to." if wanted is None else _not_known(wanted))
    await go_back(person, fitting[0], display)


async def go_back(person: Person, way: Way, display: Display, target: Target | None = None) -> None:
    """Go back to one's seat, at another address of its server if that is given."""
    file, saved = way
    if saved.hosting is not None:
        await host.resume(person, file, saved, saved.hosting, display)
        return
    known = target or Target(saved.host, saved.port, saved.fingerprint, saved.is_plain)
    person.face.say(f"Going back to match {spaced_code(saved.match)} at {known.address}.")
    await sit(
        person,
        known,
        lambda session: host.arrival_elsewhere(session, display, code=saved.match),
        WayBack(file, saved.token),
    )


def offer(way: Way | None) -> str | None:
    """Say where a way back leads, for a list to choose from."""
    return None if way is None else going_back(way[1].game, way[1].match)


def _not_known(code: str) -> str:
    return f"No way back to match {spaced_code(code)} is known here."


def _parsed(text: str) -> str:
    try:
        return parse_code(text)
    except BadLink as no:
        raise Misused(str(no)) from no
