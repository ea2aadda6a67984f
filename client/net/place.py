"""Where to go: a server, and perhaps a match on it, as links, addresses and codes name it."""

import contextlib
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
        target = self.target
        return str(Link(target.host, target.port, self.code, target.fingerprint, target.relay))


def parse_place(where: str, code: str | None = None) -> Place:
    """Read a link, or an address and a code; raise `Misused`."""
    try:
        if where.lower().startswith(SCHEME):
            link = parse_link(where)
            target = Target(link.host, link.port, link.fingerprint, relay=link.relay)
            return Place(target, parse_code(code) if code else link.code)
        host, port = parse_address(where)
        return Place(Target(host, port), parse_code(code) if code else None)
    except BadLink as no:
        raise Misused(str(no)) from no


def parse_lone_code(where: str, code: str = "") -> str | None:
    """Read a code that stands alone, in one word or two; None for what says where to go.

    A word of letters alone is a computer's name: every code has a digit that cannot be typed as a letter.

    >>> parse_lone_code("7k3m-9qxz"), parse_lone_code("7K3M", "9QXZ"), parse_lone_code("gamehost")
    ('7K3M9QXZ', '7K3M9QXZ', None)
    """
    words = f"{where} {code}".strip()
    if words.isalpha():
        return None
    with contextlib.suppress(BadLink):
        return parse_code(words)
    return None


def parse_words(text: str) -> tuple[Place | None, str | None]:
    """Read a link, an address and a code, or a code alone, from one line; raise `Misused`."""
    words = text.split(maxsplit=1)
    if not words:
        raise Misused("Nothing was given to go to.")
    code = parse_lone_code(*words)
    return (None, code) if code else (parse_place(*words), None)
