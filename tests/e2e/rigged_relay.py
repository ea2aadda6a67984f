"""A relay, run like `conquest relay`, that can be told to cheat.

RIG_CHEAT says what it does, as soon as there is the file that RIG_WHEN names: `flip guest` changes one bit of
what a guest says, `flip host` of what a host says, `replay guest` and `replay host` say it a second time.
`certificate` shows guests a certificate of its own from the start, and writes down in RIG_HEARD what they say
under it. The relay's own code is what runs.
"""

import asyncio
import os
import sys
from pathlib import Path

from protocol.process.supervision import start
from server import relay_command
from server.io.relay import Caller, RelayServer
from server.io.tls import server_context

CHEAT, _, SIDE = os.environ.get("RIG_CHEAT", "").partition(" ")
WHEN, HEARD = Path(os.environ.get("RIG_WHEN", "")), Path(os.environ.get("RIG_HEARD", ""))

_hosts: set[Caller] = set()
_splice, _pass_on = RelayServer._splice, Caller._pass_on


def splice(relay: RelayServer, guest: Caller, host: Caller) -> None:
    _hosts.add(host)
    _splice(relay, guest, host)
    if CHEAT == "certificate":
        guest.other = host.other = None
        start(pose(guest), "posing", relay.fate.fail)


def pass_on(caller: Caller, data: bytes, other: Caller) -> None:
    """Cheat once, and be honest again."""
    if ("host" if caller in _hosts else "guest") == SIDE and WHEN.is_file():
        WHEN.unlink()
        data = data + data if CHEAT == "replay" else data[:-1] + bytes([data[-1] ^ 1])
    _pass_on(caller, data, other)


class Listener(asyncio.Protocol):
    """Writes down what is said under a certificate of the relay's own."""

    def note(self, data: bytes) -> None:
        with HEARD.open("ab") as file:
            file.write(data)

    data_received = note


async def pose(guest: Caller) -> None:
    context, _ = server_context(Path(os.environ["CONQUEST_HOME"]))
    assert guest.transport is not None
    listener = Listener()
    try:
        await asyncio.get_running_loop().start_tls(guest.transport, listener, context, server_side=True)
    except OSError:
        return
    listener.note(b"")


if __name__ == "__main__":
    RelayServer._splice, Caller._pass_on = splice, pass_on
    sys.exit(relay_command.main())
