"""The link that a friend needs, and how one comes to a match of one's own on somebody else's server."""

from functools import partial

from client.core.games.renderer import Lines
from client.core.qr import qr_lines
from client.core.seat import Arrival
from client.core.wording import WAITING, spaced_code, ssh_command
from client.flow.wanted import Display
from client.net.connection import Target
from client.net.session import Session
from protocol.link import Link


def link_to(server: Target, display: Display, code: str) -> Link:
    """Make the link that a friend needs."""
    known = display.outside or server
    where, port = display.public or (known.host, 0)
    return Link(where, port or known.port, code, known.fingerprint, known.relay)


def ssh_line(display: Display, code: str) -> Lines:
    """Say what a friend types who has nothing but ssh, where that leads here."""
    return (ssh_command(*display.ssh, spaced_code(code)),) if display.ssh else ()


def link_lines(link: Link, display: Display) -> Lines:
    """Say how a friend comes to a match that waits."""
    picture = qr_lines(str(link), display.is_ascii) if display.is_qr else ()
    code = spaced_code(link.code or "")
    near = " (on the same network; from outside it takes the link)" if link.relay else ""
    by_ssh = (f"By ssh alone: {line}" for line in ssh_line(display, link.code or ""))
    return (f"Link: {link}", *picture, f"Code: {code}{near}", *by_ssh, f"{WAITING} /quit gives up.")


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
        by_ssh=partial(ssh_line, display),
        says_goodbye=True,
    )
