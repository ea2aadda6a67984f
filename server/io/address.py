"""Where a server listens, and under which addresses friends can reach it."""

import ipaddress
import socket

QUEUE = 1024
"""Connections that wait to be accepted; a system may allow fewer."""


def listen(bind: str | None, port: int) -> list[socket.socket]:
    """Open listening sockets, all on one port; port 0 takes any that is free.

    Raises OSError, whose `filename` names the address and the port.
    """
    try:
        return _opened(bind, port)
    except OSError as error:
        where = f"port {port}" + (f" of {bind}" if bind else "")
        raise OSError(error.errno, error.strerror, where) from error


def _opened(bind: str | None, port: int) -> list[socket.socket]:
    if bind is not None:
        family, _, _, _, address = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
        return [_listening(family, (str(address[0]), port))]
    sockets = [_listening(socket.AF_INET, ("0.0.0.0", port))]
    if socket.has_ipv6:
        try:
            sockets.append(_listening(socket.AF_INET6, ("::", sockets[0].getsockname()[1])))
        except OSError:
            # A machine without IPv6, or whose IPv6 port is taken, is still reachable by IPv4.
            return sockets
    return sockets


def _listening(family: int, address: tuple[str, int]) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind(address)
        made.listen(QUEUE)
        made.setblocking(False)
    except OSError:
        made.close()
        raise
    return made


def is_loopback(host: str) -> bool:
    """Tell whether an address can only be reached from this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def reachable(bind: str | None) -> list[str]:
    """List the addresses under which others reach what is bound here, the likeliest first."""
    if bind is not None and not ipaddress_is_any(bind):
        return [bind]
    found: list[str] = []
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        outward = _outward(family, target)
        if outward is not None and outward not in found:
            found.append(outward)
    for host in _own_names():
        if host not in found:
            found.append(host)
    return found or ["127.0.0.1"]


def ipaddress_is_any(host: str) -> bool:
    """Tell whether an address stands for all of this machine's."""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


def _outward(family: int, target: str) -> str | None:
    """Ask the system which of its addresses would be used for a far target; nothing is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((target, 9))
            host = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if is_loopback(host) else host


def _own_names() -> list[str]:
    try:
        infos = socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM)
    except OSError:
        return []
    hosts = dict.fromkeys(str(info[4][0]) for info in infos)
    return [host for host in hosts if not is_loopback(host) and "%" not in host]
