"""How often a connection may send, and for whom an address is counted."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

NETWORK_BITS = 56
"""What an IPv6 household is given, at most: all addresses in it are one neighbour's."""
TRANSLATED = IPv6Network("64:ff9b::/96")
"""Where IPv4 addresses stand in IPv6, for machines that have nothing else (NAT64)."""
BY_RELAY = "relay:"
"""What stands instead of the address of those whom a relay leads here, before what it tells them apart by."""


def origin_of(address: str) -> str:
    """Tell for whom an address is counted: itself, or the household of an IPv6 address.

    >>> origin_of("192.0.2.7"), origin_of("2001:db8:0:12::1"), origin_of("::ffff:192.0.2.7")
    ('192.0.2.7', '2001:db8::/56', '192.0.2.7')

    On a link each machine stands for itself, and behind NAT64 each IPv4 address.

    >>> origin_of("fe80::1%eth0"), origin_of("64:ff9b::c000:207")
    ('fe80::1%eth0', '192.0.2.7')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address) or parsed.is_link_local:
        return address
    if parsed in TRANSLATED:
        return str(IPv4Address(parsed.packed[-4:]))
    if parsed.ipv4_mapped is not None:
        return str(parsed.ipv4_mapped)
    return str(IPv6Network((int(parsed), NETWORK_BITS), strict=False))


class Bucket:
    """Allows `per_s` events a second in the long run, and `burst` at once."""

    __slots__ = ("_burst", "_filled_at", "_per_s", "_tokens")

    def __init__(self, per_s: float, burst: int, now: float) -> None:
        self._per_s = per_s
        self._burst = float(burst)
        self._tokens = float(burst)
        self._filled_at = now

    def take(self, now: float) -> bool:
        """Use up one token; False when there is none."""
        tokens = self._tokens + (now - self._filled_at) * self._per_s
        if tokens > self._burst:
            tokens = self._burst
        self._filled_at = now
        if tokens < 1.0:
            self._tokens = tokens
            return False
        self._tokens = tokens - 1.0
        return True


class Allowance:
    """Allows `per_s` in the long run, and `burst` at once; more than that has to be waited for."""

    __slots__ = ("_at", "_burst", "_left", "_per_s")

    def __init__(self, per_s: float, burst: float, now: float) -> None:
        self._per_s, self._burst = per_s, burst
        self._left, self._at = burst, now

    def spend(self, amount: float, now: float) -> float:
        """Use some up, and return for how many seconds nothing more may be spent."""
        self._left = min(self._burst, self._left + (now - self._at) * self._per_s) - amount
        self._at = now
        return max(0.0, -self._left / self._per_s)
