"""The server with one part that fails, run like `python -m server`, to show that nothing dies unnoticed.

FAULT names the part; FAULT_WHEN names a file: once it exists, that part raises what nobody has foreseen.
"""

import inspect
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from server import command
from server.io import shell, status
from server.io.listener import Listeners
from server.io.outbox import Outbox
from server.io.peer import Peer
from server.io.sqlite import SqliteJournal

PARTS: dict[str, tuple[Any, str]] = {
    "the journal's thread, committing": (SqliteJournal, "_commit"),
    "the journal's thread, reporting": (shell.Server, "_durable"),
    "the journal's thread, making a record": (shell, "fetched"),
    "the ticker": (shell.Server, "tick"),
    "accepting": (Peer, "__init__"),
    "a handshake": (Listeners, "_meet"),
    "carrying out a step": (Outbox, "send"),
    "writing to connections": (Outbox, "_flush"),
    "the counts": (status, "counts"),
    "starting": (shell.Server, "restore"),
    "stopping": (shell.Server, "_until_closed"),
    "closing the journal": (SqliteJournal, "close"),
}


class Unforeseen(Exception):
    """What no part of the server knows."""


def spoil(owner: Any, name: str, when: Path) -> None:
    """Make a function raise from a moment on."""
    real: Callable[..., Any] = getattr(owner, name)

    def spoilt(*arguments: Any, **keywords: Any) -> Any:
        if when.exists():
            raise Unforeseen("nobody thought of this")
        return real(*arguments, **keywords)

    async def spoilt_task(*arguments: Any, **keywords: Any) -> Any:
        return await spoilt(*arguments, **keywords)

    setattr(owner, name, spoilt_task if inspect.iscoroutinefunction(real) else spoilt)


if __name__ == "__main__":
    spoil(*PARTS[os.environ["FAULT"]], Path(os.environ["FAULT_WHEN"]))
    sys.exit(command.main())
