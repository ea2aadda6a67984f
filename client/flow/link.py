"""The link that a friend needs, and how one comes to a match of one's own on somebody else's server."""

from client.core.games.renderer import Lines
from client.core.qr import qr_lines
from client.core.seat import Arrival
from client.core.wording import WAITING, spaced_code
from client.flow.wanted import Display
from client.net.connection import Target
from client.net.session import Session
from protocol.link import Link


def link_to(server: Target, display: Display, code: str) -> Link:
    """Make the link that a friend needs."""
    where, port = display.public or (server.host, 0)
    return Link(where, port or server.port, code, server.fingerprint, server.relay)


def link_lines(link: Link, display: Display) -> Lines:
    """Say how a friend comes to a match that waits."""
    picture = qr_lines(str(link), display.is_ascii) if display.is_qr else ()
    code = spaced_code(link.code or "")
    near = " (on the same network; from outside it takes the link)" if link.relay else ""
    return (f"Link: {link}", *picture, f"Code: {code}{near}", f"{WAITING} /quit gives up.")


def arrival_elsewhere(
    session: Session, display: Display, request: int | None = None, code: str | None = None
) -> Arrival:
    """Say how one comes to a match of one's own on somebody else's server."""

    def link(code: str) -> Link:
        return link_to(session.target, display, code)

    return Arrival(
        request,
        code,
        on_open=lambda code: link_lines(link(code), display),
        link=link,
        says_goodbye=True,
    )
