"""What a process of ours that listens needs of the server's edge: sockets to listen on, and a log."""

import socket

from client.core.failure import CouldNot
from client.local.fault import log_to_file
from server.io import address
from server.io.log import set_up


def listen(bind: str | None, port: int) -> list[socket.socket]:
    """Open listening sockets, all on one port; raise `CouldNot`."""
    try:
        return address.listen(bind, port)
    except OSError as problem:
        raise CouldNot(f"Cannot listen on {problem.filename}: {problem.strerror or problem}.") from problem


def set_up_log(kind: str) -> None:
    """Write the log as the server beside us does: to standard error, or into a player's file."""
    if kind == "file":
        log_to_file()
    else:
        set_up(is_json=kind == "json")
