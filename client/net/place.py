"""Where to go: a server, and perhaps a match on it, as links, addresses and codes name it."""

from dataclasses import dataclass

from client.net.connection import Target
from protocol.link import SCHEME, BadLink, Link, parse_address, parse_code, parse_link
from protocol.process.usage import Misused


@dataclass(frozen=True, slots=True)
class Place:
    """A server, and perhaps a match on it."""

    target: Target
    code: str | None = None

    @property
    def link(self) -> str:
        """The link that leads there."""
        return str(Link(self.target.host, self.target.port, self.code, self.target.fingerprint))


def parse_place(where: str, code: str | None = None) -> Place:
    """Read a link, or an address and a code; raise `Misused`."""
    try:
        if where.lower().startswith(SCHEME):
            link = parse_link(where)
            target = Target(link.host, link.port, link.fingerprint)
            return Place(target, parse_code(code) if code else link.code)
        host, port = parse_address(where)
        return Place(Target(host, port), parse_code(code) if code else None)
    except BadLink as no:
        raise Misused(str(no)) from no


def parse_words(text: str) -> Place:
    """Read a link, or an address and a code, from one line; raise `Misused`."""
    words = text.split(maxsplit=1)
    if not words:
        raise Misused("Nothing was given to go to.")
    return parse_place(*words)
