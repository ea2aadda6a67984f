"""What hostile peers send: noise, MessagePack that is no frame, frames with a flaw, and frames out of place.

One seed gives one endless stream. It knows how frames are described, and nothing of what they do.
"""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgpack

from protocol.model import Model
from tests.fuzz.maker import NUMBERS, Known, lawful, text

OPENINGS = (
    b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
    b"SSH-2.0-OpenSSH_9.2\r\n",
    b"\xff\xff\xff\xff",
    b"\x00\x00",
    b"\x00\x01\x00\x01",
)
BITES = (
    b"\xdc\x01\x00",
    b"\xdd\xff\xff\xff\xff",
    b"\xde\x00\x40\xa1a",
    b"\xdf\xff\xff\xff\xff\xa1a",
    b"\x91",
    b"\x9f",
    b"\x90",
    b"\x81\xa1a",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xc9\xff\xff\xff\xff\x01",
    b"\xd6\xff\x00\x00\x00\x00",
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    b"\xc1",
)
"""Beginnings of values that claim more than they hold, or that are none."""


class Corpus:
    """An endless stream of bodies, of which some are frames."""

    def __init__(self, random: Random, kinds: Sequence[type[Model]], known: Known, longest: int) -> None:
        self.random = random
        self.known = known
        self._kinds = tuple(kinds)
        self._longest = longest
        self._keys = sorted({name for kind in kinds for name in kind.model_fields})

    def lawful(self, *kinds: type[Model]) -> bytes:
        """Make up a frame that is one, of one of some kinds."""
        return packed(lawful(self.random.choice(kinds or self._kinds), self.random, self.known))

    def flawed(self) -> bytes:
        """Make up a body that is probably no frame."""
        make = self.random.choice((self._noise, self._bomb, self._tree, self._wrong, self._mutated))
        return make()[: self._longest]

    def stray(self) -> bytes:
        """Make up bytes that are not even cut into bodies."""
        random = self.random
        match random.randrange(4):
            case 0:
                return random.choice(OPENINGS)
            case 1:
                return random.randbytes(random.randrange(1, 200))
            case 2:
                return random.choice((0, self._longest, self._longest + 1, 2**24 - 1)).to_bytes(4, "big")
            case _:
                whole = framed(self.lawful())
                return whole[: random.randrange(1, len(whole))]

    def _noise(self) -> bytes:
        return self.random.randbytes(self.random.randrange(self.random.choice((4, 40, 400))))

    def _bomb(self) -> bytes:
        bite = self.random.choice(BITES)
        return b"\x81\xa1a" + bite * self.random.choice((1, 3, 100, self._longest // len(bite)))

    def _tree(self) -> bytes:
        return packed({self._key(): self._value(4) for _ in range(self.random.randrange(9))})

    def _wrong(self) -> bytes:
        """Take a frame and exchange, remove or add one thing."""
        frame = lawful(self.random.choice(self._kinds), self.random, self.known)
        place = self.random.choice(list(frame))
        match self.random.randrange(4):
            case 0:
                del frame[place]
            case 1:
                frame[self._key()] = self._value(3)
            case _:
                frame[place] = self._value(3)
        return packed(frame)

    def _mutated(self) -> bytes:
        """Take a frame's bytes and change some."""
        random, body = self.random, bytearray(self.lawful())
        for _ in range(random.choice((1, 1, 2, 5))):
            at = random.randrange(len(body) + 1)
            match random.randrange(4):
                case 0:
                    body[at:at] = random.choice(BITES)
                case 1:
                    del body[at : at + random.randrange(1, 9)]
                case 2:
                    body[at : at + 8] = self.lawful()[at : at + 8]
                case _:
                    body[at : at + 1] = random.randbytes(1)
        return bytes(body)

    def _key(self) -> str:
        return self.random.choice(self._keys) if self.random.random() < 0.9 else text(self.random, 8)

    def _value(self, depth: int) -> Any:
        random = self.random
        match random.randrange(9 if depth else 6):
            case 0:
                return random.choice((None, True, False))
            case 1:
                return random.choice(NUMBERS)
            case 2:
                return random.choice((0.0, -1.5, 1e308, float("inf"), float("nan")))
            case 3:
                return random.randbytes(random.randrange(9))
            case 4:
                return text(random, 64)
            case 5:
                known = self.known.get(self._key())
                return random.choice(known) if known else "hello"
            case 6:
                return [self._value(depth - 1) for _ in range(random.randrange(5))]
            case _:
                return {self._key(): self._value(depth - 1) for _ in range(random.randrange(5))}


packed = msgpack.Packer().pack


def framed(body: bytes) -> bytes:
    """Put the length before a body."""
    return len(body).to_bytes(4, "big") + body
