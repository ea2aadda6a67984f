"""Plays a written conversation against the real kernel: everybody must get exactly what is written."""

import json
import re
from collections import defaultdict
from itertools import count
from typing import Any

import msgpack

from protocol.codec import Splitter, decode_client
from protocol.limit import Limits
from protocol.link import ALPHABET
from server.core.input import Gone, Input, Opened, Received
from server.core.kernel import Kernel

MATCH = "7K3M9QXZ"
PEOPLE = ("Alice", "Bob")
START = 1_700_000_000.0


class Luck:
    """Draws the join code that stands in the text, and everything else by counting."""

    def __init__(self) -> None:
        self._letters = iter(MATCH)
        self._numbers = count(1)

    def below(self, n: int) -> int:
        return ALPHABET.index(next(self._letters)) if n == len(ALPHABET) else next(self._numbers) % n


class Conversation:
    """People who talk to a server, line by line.

    Given a game, Alice and Bob already sit in a match of it, Alice being Player 1.
    """

    def __init__(self, game: str | None = None) -> None:
        self._kernel = Kernel(Limits(), Luck().below, START)
        self._numbers = count(1)
        self._connections: dict[str, int] = {}
        self._tokens: dict[str, str] = {}
        self._got: dict[str, list[dict[str, Any]]] = defaultdict(list)
        if game is not None:
            self._sit_down(game)

    def _sit_down(self, game: str) -> None:
        for person in PEOPLE:
            self._send(person, {"type": "hello", "version": 1, "name": person})
        self._send("Alice", {"type": "create", "id": 1, "game": game, "first": "creator"})
        self._send("Bob", {"type": "join", "id": 1, "match": MATCH})
        self._got.clear()

    def follow(self, line: str) -> None:
        """Do what a line says, or check it."""
        if lost := re.fullmatch(r"(\w+) loses the connection", line):
            self._step(Gone(self._connections.pop(lost[1])))
        elif said := re.fullmatch(r"(\w+) +> (.*)", line):
            self._send(said[1], json.loads(said[2]))
        elif got := re.fullmatch(r"(\w+) +< (.*)", line):
            assert self._got[got[1]], f"{got[1]} got nothing more before: {line}"
            assert_within(json.loads(got[2]), self._got[got[1]].pop(0))
        else:
            assert not line, f"what does this mean: {line}"

    def assert_nothing_unsaid(self) -> None:
        """Check that nobody got a frame that the text does not have."""
        assert not any(self._got.values()), dict(self._got)

    def _send(self, person: str, raw: dict[str, Any]) -> None:
        if raw.get("token") == "TOKEN":
            raw["token"] = self._tokens[person]
        if person not in self._connections:
            number = self._connections[person] = next(self._numbers)
            self._step(Opened(number, "192.0.2.1"))
        self._step(Received(self._connections[person], decode_client(msgpack.packb(raw))))

    def _step(self, given: Input) -> None:
        people = {number: person for person, number in self._connections.items()}
        effects = self._kernel.step(START, given)
        assert not effects.faults, effects.faults
        for number, data, _, _ in effects.sends:
            (body,) = Splitter().feed(data)
            frame = msgpack.unpackb(body)
            self._got[people[number]].append(frame)
            self._tokens[people[number]] = frame.get("token", self._tokens.get(people[number], ""))


def assert_within(written: Any, got: Any) -> None:
    """Check that a frame is as written; fields that are not written do not matter."""
    if isinstance(written, dict):
        assert written.keys() <= got.keys(), (written, got)
        for key in written:
            assert_within(written[key], got[key])
    else:
        assert written == got, (written, got)
