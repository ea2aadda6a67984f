"""Join codes, addresses and join links: what a host reads out or pastes, and a guest types.

A link is `conquest://HOST:PORT/CODE#fp=FINGERPRINT`. The fingerprint, of the server's certificate,
lets the guest's client recognize the right server before it says anything. `?relay=PORT` before the `#` says
that HOST is a relay, which leads to the server of that certificate and that port.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from protocol.limit import DEFAULT_PORT

SCHEME = "conquest://"
CODE_LEN = 8
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no letter that looks or sounds like another."""

CODE_PATTERN = f"^[{ALPHABET}]{{{CODE_LEN}}}$"

_DASHES_AND_SPACES = "-_ \t\u00a0\u2010\u2011\u2013\u2014\u2212"
_ALIKE = str.maketrans({"I": "1", "L": "1", "O": "0"} | dict.fromkeys(_DASHES_AND_SPACES))
"""What people and their word processors make of a code."""
_CLEAR_DIGITS = frozenset("23456789")

_FINGERPRINT = re.compile(r"[A-Za-z0-9_-]{43}")
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(?:\.{_LABEL})*\.?")
_IPV6 = re.compile(r"[0-9A-Fa-f:.]+(%[A-Za-z0-9._-]+)?")


class BadLink(ValueError):
    """Not a link, an address or a code; the message is a sentence that says what is wrong."""


@dataclass(frozen=True, slots=True)
class Link:
    """Where a match is to be found."""

    host: str
    port: int = DEFAULT_PORT
    code: str | None = None
    fingerprint: str | None = None
    """SHA-256 of the server's certificate in URL-safe base 64, unpadded; None for a plain connection."""
    relay: int = 0
    """The port on which the server listens at home, where `host` is a relay that leads to it; else 0."""

    def __str__(self) -> str:
        """Write the link as it is passed on.

        >>> str(Link("fd00::7", 7717, "7K3M9QXZ"))
        'conquest://[fd00::7]:7717/7K3M9QXZ'
        """
        relay = f"?relay={self.relay}" if self.relay else ""
        fingerprint = f"#fp={self.fingerprint}" if self.fingerprint else ""
        return f"{SCHEME}{address_text(self.host, self.port)}/{self.code or ''}{relay}{fingerprint}"


def parse_code(text: str) -> str:
    """Read a code as people type it: in any case, with dashes, with O for 0.

    >>> parse_code("7k3m-9qxz")
    '7K3M9QXZ'
    """
    code = text.strip().upper().translate(_ALIKE)
    if not re.fullmatch(CODE_PATTERN, code):
        raise BadLink(f"{text.strip()!r} is not a join code; one looks like 7K3M-9QXZ.")
    return code


def make_code(randbelow: Callable[[int], int]) -> str:
    """Draw a new join code; a digit in it that no letter looks like tells it from a computer's name."""
    code = ""
    while not set(code) & _CLEAR_DIGITS:
        code = "".join(ALPHABET[randbelow(len(ALPHABET))] for _ in range(CODE_LEN))
    return code


def parse_link(text: str) -> Link:
    """Read a join link; raise `BadLink` when it is none."""
    text = text.strip()
    if not text.lower().startswith(SCHEME):
        raise BadLink(f"A join link begins with {SCHEME}.")
    rest, hash_sign, fragment = text[len(SCHEME) :].partition("#")
    rest, question_mark, query = rest.partition("?")
    address, _, code = rest.partition("/")
    fingerprint = None
    # Half a link must not pass for one to a server that is not encrypted.
    if hash_sign:
        key, _, fingerprint = fragment.partition("=")
        if key != "fp" or not is_fingerprint(fingerprint):
            raise BadLink("The part of the link behind # is damaged; copy the whole link again.")
    key, _, relay = query.partition("=")
    # Who is reached through a relay is known by the fingerprint alone.
    if question_mark and not (key == "relay" and _is_port(relay) and fingerprint):
        raise BadLink("The part of the link behind ? is damaged; copy the whole link again.")
    host, port = parse_address(address)
    return Link(host, port, parse_code(code) if code else None, fingerprint, int(relay or 0))


def parse_address(text: str) -> tuple[str, int]:
    """Read HOST, HOST:PORT, [IPV6] or [IPV6]:PORT; the port defaults to the usual one.

    >>> parse_address("[::1]:9000")
    ('::1', 9000)
    """
    text = text.strip()
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        port = rest.removeprefix(":")
        is_address = _is_ipv6(host) and bracket != "" and (not rest or rest.startswith(":"))
    elif text.count(":") > 1:
        host, port = text, ""
        is_address = _is_ipv6(host)
    else:
        host, _, port = text.partition(":")
        is_address = _NAME.fullmatch(host) is not None
    if not is_address:
        raise BadLink(
            f"{text!r} is not an address; one looks like 192.168.1.20 or example.org:{DEFAULT_PORT}."
        )
    if not port:
        return host, DEFAULT_PORT
    if not _is_port(port):
        raise BadLink(f"{port!r} is not a port; ports are 1 to 65535.")
    return host, int(port)


def address_text(host: str, port: int) -> str:
    """Write an address as people do.

    >>> address_text("fd00::7", 7717)
    '[fd00::7]:7717'
    """
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def fingerprint_of(certificate: bytes) -> str:
    """Return the fingerprint of a certificate in DER form, as links spell it."""
    import hashlib

    return url_text(hashlib.sha256(certificate).digest())


def url_text(data: bytes) -> str:
    """Write bytes in URL-safe base 64, unpadded."""
    import base64

    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_url_text(text: str) -> bytes:
    """Read bytes in URL-safe base 64, unpadded; raise ValueError."""
    import base64

    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def is_fingerprint(text: str) -> bool:
    """Tell whether a text can be the fingerprint of a certificate."""
    return _FINGERPRINT.fullmatch(text) is not None


def _is_port(text: str) -> bool:
    return re.fullmatch("[0-9]{1,5}", text) is not None and 1 <= int(text) <= 65535


def _is_ipv6(host: str) -> bool:
    if not _IPV6.fullmatch(host):
        return False
    from ipaddress import AddressValueError, IPv6Address

    try:
        IPv6Address(host)
    except AddressValueError:
        return False
    return True
