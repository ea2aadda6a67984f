"""Strangers who mean harm: noise, lawful frames in unlawful order, guessed codes, stolen and used-up tokens.

They know every code of the world and every token that is void; what they must not do is make a difference to
anybody's match.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from protocol.client_frame import (
    CallOff,
    Chat,
    Claim,
    Create,
    Export,
    Hello,
    Join,
    Leave,
    List,
    Ping,
    Play,
    Rematch,
    Resign,
    Watch,
)
from protocol.codec import encode
from protocol.limit import PROTOCOL_VERSION
from protocol.link import ALPHABET
from tests.simulation.host import Host
from tests.simulation.link import Link

NOISE = (
    b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"\xff\xff\xff\xff",
    b"\x00\x00\x00\x05hello",
    b"\x00\x00\x00\x00",
    b"\x00\x00\x00\x01\x80",
    b"\x00\x00\x00\x09\x81\xa4type\xa4",
    b"\x00\x00",
    b"\x00\x00\x10\x00" + b"\x91" * 4096,
)
PREPARED = 80
"""How many frames one of them sends before it is spent."""


class Hostile:
    """Connects again and again, and each time tries something else."""

    is_careful = False
    is_hostile = True

    def __init__(
        self,
        host: Host,
        name: str,
        seed: str,
        codes: Callable[[], list[str]],
        tokens: Callable[[], list[str]],
    ) -> None:
        self.host = host
        self.name = name
        self.random = Random(f"{seed} {name}")
        self.address = f"203.0.113.{self.random.randrange(1, 3)}"
        self.asked: set[Any] = set()
        self.plays: dict[int, str] = {}
        self.codes = codes
        self.tokens = tokens
        self.is_gone = False
        self.tricks_left = PREPARED
        self._impostors: set[Link] = set()
        host.agenda.after(self.random.uniform(0.1, 2.0), self._come)

    def _come(self) -> None:
        if self.is_gone or self.tricks_left <= 0:
            return
        link = self.host.dial(self, self.address)
        self.host.agenda.after(self.random.uniform(0.2, 3.0), self._come)
        if link is None:
            return
        link.is_deaf = self.random.random() < 0.3
        match self.random.randrange(6):
            case 0:
                self._send(link, self.random.choice(NOISE))
            case 1:
                self._send(link, self.random.randbytes(self.random.randrange(1, 60)))
            case 2:
                self._send(link, encode(self._request()))
            case 3:
                self._impostors.add(link)
                self._send(link, encode(self._greeting(self._guessed_token())))
            case 4:
                link.is_deaf = True
                self._send(link, encode(self._greeting(None)))
                self.host.agenda.after(self.random.uniform(0.3, 1.5), self._gorge, link)
            case _:
                self._send(link, encode(self._greeting(None)))
                for _ in range(self.random.choice((1, 3, 10))):
                    self.host.agenda.after(self.random.uniform(0.05, 1.0), self._pester, link)
        if self.random.random() < 0.5:
            self.host.agenda.after(self.random.uniform(0.1, 3.0), link.reset)

    def _send(self, link: Link, data: bytes) -> None:
        self.tricks_left -= 1
        link.send(data)

    def _greeting(self, token: str | None) -> Hello:
        return Hello(version=PROTOCOL_VERSION, name=self.name, token=token)

    def _guessed_token(self) -> str:
        known = self.tokens()
        if known and self.random.random() < 0.7:
            return self.random.choice(known)
        return "A" * 43

    def _code(self) -> str:
        known = self.codes()
        if known and self.random.random() < 0.8:
            return self.random.choice(known)
        return "".join(self.random.choices(ALPHABET, k=8))

    def _request(self) -> Any:
        code, number = self._code(), self.random.randrange(1, 100)
        simple = (Chat, Claim, CallOff, Export, Join, Leave, Play, Rematch, Resign, Watch, List, Ping, Create)
        kind = self.random.choice(simple)
        fields: dict[str, Any] = {"id": number}
        if kind not in (List, Ping, Create):
            fields["match"] = code
        if kind is Chat:
            fields["text"] = "boo"
        elif kind is Play:
            fields |= {"turn": self.random.randrange(9), "move": {"kind": "attack"}}
        elif kind is Create:
            fields["game"] = "chess"
        elif kind is Join:
            # An open match is anybody's to join; only what is nobody's business is tried here.
            fields["match"] = "00000000"
        return kind.model_validate(fields)

    def _pester(self, link: Link) -> None:
        if self.random.random() < 0.1:
            self._send(link, self.random.choice(NOISE))
            return
        for _ in range(self.random.choice((1, 1, 2, 70))):
            self._send(link, encode(self._request()))

    def _gorge(self, link: Link) -> None:
        """Ask for a whole match again and again, and read none of it."""
        code = self._code()
        for number in range(1, 40):
            self._send(link, encode(Watch(id=number, match=code)))

    def arrived(self, link: Link, data: bytes) -> None: ...

    def lost(self, link: Link) -> None: ...

    def is_impostor(self, link: Link) -> bool:
        """Tell whether a connection tries to be somebody else's."""
        return link in self._impostors

    def seen_on(self, link: Link, code: str) -> int:
        """Tell how many events were known when a connection began."""
        return 0

    def sent_to(self, link: Link, frame: dict[str, Any]) -> None: ...
