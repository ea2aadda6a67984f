"""Whether this process runs for a visitor who came by ssh, and has one server to go to.

`client.ssh` starts such processes and says so in their environment. A visitor reaches that server only, and
writes no file but into the folder that is kept for them.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from client.core.wording import ssh_command
from protocol.limit import SshLimits

LIMITS = SshLimits()
VARIABLE = "CONQUEST_VISIT"
HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Visit:
    """Where a visitor is, and who comes."""

    port: int
    """Where the server listens, on this machine, for this visitor alone."""
    host: str
    """Where everybody else reaches it."""
    server_port: int
    fingerprint: str | None
    ssh_port: int
    code: str = ""
    """The match to go to; empty for the menu."""
    name: str = ""
    """The visitor's name, if they came with one."""
    word: str = ""
    """The word to come back with, for a visitor without a key."""
    memory: int = LIMITS.memory
    file: int = LIMITS.file
    history: int = LIMITS.history
    nice: int = LIMITS.nice
    """What this process may use of the machine: see there."""

    @property
    def way_back(self) -> str:
        """What to type to come back: a key is recognised, whoever has none needs the word."""
        return ssh_command(self.host, self.ssh_port, self.word)

    def text(self) -> str:
        """Write it down for the environment of the visitor's program."""
        return json.dumps(asdict(self))


def visiting(environment: Mapping[str, str] = os.environ) -> Visit | None:
    """Tell which visitor this process runs for, if it does."""
    text = environment.get(VARIABLE)
    return Visit(**json.loads(text)) if text else None


def whereabouts(visit: Visit | None, address: str) -> str:
    """Say where a server is: a visitor knows no other."""
    return "on this server" if visit else f"at {address}"


def may_reach(host: str, port: int) -> bool:
    """Tell whether this process may connect to an address: a visitor's only to their server."""
    visit = visiting()
    return visit is None or (host, port) == (HOST, visit.port)
