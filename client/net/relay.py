"""Connections that a relay leads on: how one asks it for that, and why it says no.

It works on a bare socket, so that not a byte which comes after the relay's answer is taken with it.
"""

import asyncio
import socket
from dataclasses import dataclass

from protocol.link import BadLink, address_text, parse_address
from protocol.process.usage import Misused
from protocol.relay import FROM_RELAY, LINE_LEN, BadLine, Join, No, Ok, Take, parse_line, written

WHY_NOT = {
    "absent": "Your friend is not at the relay {relay} just now.",
    "full": "The relay {relay} leads nobody more to your friend just now; try again in a while.",
    "busy": "The relay {relay} has as much to do as it can take; try again in a while.",
    "late": "The relay {relay} could not lead to your friend in time.",
    "gone": "The relay {relay} knows nothing of that guest any more.",
    "name": "The relay {relay} calls itself otherwise; name it as its owner does.",
    "word": "The relay {relay} is only for those who know its word: --relay WORD@HOST.",
    "proof": "The relay {relay} does not accept the proof of this server's certificate.",
    "replaced": "This server has come to the relay {relay} a second time, and is led to from there.",
    "stopping": "The relay {relay} stops.",
}
NO_RELAY = "What answers at {relay} is no relay of this version."


@dataclass(frozen=True, slots=True)
class RelayAddress:
    """A relay as a host names it."""

    host: str
    port: int
    word: str = ""

    def __str__(self) -> str:
        return address_text(self.host, self.port)

    @property
    def whole(self) -> str:
        """The address with the word, as `parse_relay` reads it."""
        return f"{self.word}@{self}"


class TurnedAway(Exception):
    """A relay has said no; the message says why."""

    def __init__(self, code: str, relay: str) -> None:
        super().__init__(WHY_NOT.get(code, NO_RELAY).format(relay=relay))
        self.code = code


def parse_relay(text: str) -> RelayAddress:
    """Read [WORD@]HOST[:PORT]; raise `Misused`.

    >>> parse_relay("blue heron@example.org")
    RelayAddress(host='example.org', port=7717, word='blue heron')
    """
    word, _, address = text.rpartition("@")
    try:
        return RelayAddress(*parse_address(address), word)
    except BadLink as no:
        raise Misused(str(no)) from no


async def ask(connected: socket.socket, line: Join | Take, relay: str) -> None:
    """Ask a relay to be led on; raise `TurnedAway` or OSError."""
    loop, answer = asyncio.get_running_loop(), b""
    await loop.sock_sendall(connected, written(line))
    while not answer.endswith(b"\n") and len(answer) < LINE_LEN:
        # What comes behind the line is not ours to read.
        byte = await loop.sock_recv(connected, 1)
        if not byte:
            raise ConnectionResetError
        answer += byte
    try:
        said = parse_line(answer[:-1], FROM_RELAY)
    except BadLine:
        raise TurnedAway("", relay) from None
    if isinstance(said, No):
        raise TurnedAway(said.code, relay)
    if not isinstance(said, Ok):
        raise TurnedAway("", relay)
