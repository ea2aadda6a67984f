"""What a relay and those who come to it say to each other: lines of ASCII, until two connections become one.

One table is read and written by. Nothing secret is in a line but what is good for once; what passes after
the last of them is encrypted end to end and not known here, nor is what any line leads to.
"""

import hmac
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from protocol.link import url_text

LINE_LEN = 4096
"""Bytes in the longest line, without its end: a proof with a large certificate."""
BEAT_S = 20.0
"""How often a quiet host says that it is still there."""
NO_WORD = "-"
GREETING = b"conquest-relay 1 "
"""How whatever is said first to a relay begins."""


class BadLine(ValueError):
    """Bytes that are no line which could be said here."""


@dataclass(frozen=True, slots=True)
class Join:
    """A guest wants to be led to a host, and says nothing more until it is answered."""

    fingerprint: str
    port: int
    """The port on which the host listens at home: it tells the servers of one certificate apart."""


@dataclass(frozen=True, slots=True)
class Host:
    """A host wants its guests led to it."""

    fingerprint: str
    port: int
    relay: str
    """The relay as the host knows it, so that a proof for one relay is of no use at another."""


@dataclass(frozen=True, slots=True)
class Prove:
    """The relay wants to see that the fingerprint is the host's own."""

    challenge: str
    needs: str
    """`word` where a shared word is asked for too, else `free`."""


@dataclass(frozen=True, slots=True)
class Proof:
    """The host's certificate, and what only its owner can make."""

    certificate: str
    signature: str
    code: str
    """What only one who knows the shared word can make, or `NO_WORD`."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody waits for the host, who is to take them by another connection."""

    ticket: str
    origin: str
    """The same for all who come from one address; nobody can tell the address by it."""


@dataclass(frozen=True, slots=True)
class Take:
    """The host takes the guest who waits with this ticket."""

    ticket: str


@dataclass(frozen=True, slots=True)
class Ping:
    """The host is still there."""


@dataclass(frozen=True, slots=True)
class Pong:
    """So is the relay."""


@dataclass(frozen=True, slots=True)
class Ok:
    """The host is listed; or, to a guest and a host's second connection: from here on you hear each other."""


@dataclass(frozen=True, slots=True)
class No:
    """That cannot be, and the connection ends."""

    code: str


Line = Join | Host | Prove | Proof | Guest | Take | Ping | Pong | Ok | No
Table = Mapping[type[Line], str]

TO_RELAY: Table = {
    Join: "conquest-relay 1 join {fingerprint} {port}",
    Host: "conquest-relay 1 host {fingerprint} {port} {relay}",
    Take: "conquest-relay 1 take {ticket}",
    Proof: "proof {certificate} {signature} {code}",
    Ping: "ping",
}
FROM_RELAY: Table = {
    Prove: "prove {challenge} {needs}",
    Guest: "guest {ticket} {origin}",
    Ok: "ok",
    No: "no {code}",
    Pong: "pong",
}
_SPELLED = {**TO_RELAY, **FROM_RELAY}
_KEY = "[A-Za-z0-9_-]{43}"
"""32 bytes in URL-safe base 64, unpadded."""
_FIELDS = {
    "fingerprint": _KEY,
    "challenge": _KEY,
    "ticket": _KEY,
    "port": "[1-9][0-9]{0,4}",
    "relay": r"[!-~]{1,300}",
    "needs": "free|word",
    "certificate": "[A-Za-z0-9_-]+",
    "signature": "[A-Za-z0-9_-]+",
    "origin": "[A-Za-z0-9_-]{1,43}",
    "code": "[A-Za-z0-9_-]{1,43}",
}
_READ = {
    kind: re.compile(re.sub(r"\{(\w+)\}", lambda name: f"(?P<{name[1]}>{_FIELDS[name[1]]})", shape).encode())
    for kind, shape in _SPELLED.items()
}


def parse_line(text: bytes, table: Table) -> Line:
    """Read a line that one side says; raise `BadLine`.

    >>> parse_line(b"no absent", FROM_RELAY)
    No(code='absent')
    """
    for kind in table:
        if found := _READ[kind].fullmatch(text):
            fields: dict[str, Any] = {name: value.decode() for name, value in found.groupdict().items()}
            if "port" in fields:
                fields["port"] = int(fields["port"])
            return kind(**fields)
    raise BadLine(f"{len(text)} bytes that are no line of a relay's")


def written(line: Line) -> bytes:
    """Write a line down, with its end.

    >>> written(Take("a" * 43))[:30]
    b'conquest-relay 1 take aaaaaaaa'
    """
    return f"{_SPELLED[type(line)].format(**asdict(line))}\n".encode()


def can_begin(first: bytes) -> bool:
    """Tell whether these can be the first bytes that a visitor says: a browser or a TLS client says others.

    >>> can_begin(b"conq"), can_begin(b"GET /")
    (True, False)
    """
    return first.startswith(GREETING[: len(first)])


class Lines:
    """Bytes in any pieces, made into lines."""

    def __init__(self, most: int = LINE_LEN) -> None:
        self._most = most
        self.rest = b""
        """What has come of the next line."""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that some bytes complete; raise `BadLine` when one is too long."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        if max(map(len, (*lines, self.rest))) > self._most:
            self.rest = b""
            raise BadLine("a line is too long")
        return lines


def to_sign(host: Host, challenge: str) -> bytes:
    """Say what a host signs with its certificate's key: nothing that is ever signed for anything else."""
    return f"conquest-relay 1 proof {challenge} {host.fingerprint} {host.port} {host.relay}".encode()


def word_code(word: str, host: Host, challenge: str) -> str:
    """Make what shows that one knows the shared word, without saying it."""
    return url_text(hmac.digest(word.encode(), to_sign(host, challenge), "sha256"))
