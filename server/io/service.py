"""What a service manager hears from a server: that it is ready, alive, about to stop.

It is the protocol of systemd, a datagram on the socket that the environment names. Where there is none,
nobody wants to know.
"""

import contextlib
import os
import socket

READY = "READY=1"
ALIVE = "WATCHDOG=1"
STOPPING = "STOPPING=1"


def tell(state: str) -> None:
    """Tell the service manager something, if there is one; a server never waits for it or fails by it."""
    address = os.environ.get("NOTIFY_SOCKET")
    if not address or not hasattr(socket, "AF_UNIX"):
        return
    # A name that begins with @ is no file: it stands for a zero byte.
    name = f"\0{address[1:]}" if address.startswith("@") else address
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.setblocking(False)
        made.sendto(state.encode(), name)
