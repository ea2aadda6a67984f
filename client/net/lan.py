"""Finding friends on the same network: a host announces its server by multicast DNS, a client looks around.

What is announced is an address and a certificate's fingerprint; which matches are open is asked of the
server itself. Everything heard is untrusted. `CONQUEST_LAN` names the interfaces to use, for tests.
"""

import asyncio
import contextlib
import ipaddress
import logging
import os
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from protocol.limit import PROTOCOL_VERSION
from protocol.link import is_fingerprint
from protocol.process.supervision import start, stop

if TYPE_CHECKING:
    from zeroconf import Zeroconf
    from zeroconf.asyncio import AsyncZeroconf

SERVICE = "_conquest._tcp.local."
LOOK_S = 4.0
"""How long to look around, at most."""
SETTLE_S = 0.6
"""How long to wait for more after the last answer."""
ASK_S = 1.0
MOST_FOUND = 32
"""How many servers are listed. Whoever announces more than that wants no match."""
MOST_HEARD = 64
"""How many names may wait to be asked after; what comes beyond that is not heard."""
MOST_HOSTS = 4
"""How many of a server's addresses are tried."""

log = logging.getLogger("conquest.lan")


@dataclass(frozen=True, slots=True)
class Found:
    """A server that announced itself."""

    hosts: tuple[str, ...]
    port: int
    fingerprint: str | None
    version: str


def interfaces() -> tuple[str, ...]:
    """List the interfaces to use; none for all of them."""
    return tuple(name for name in os.environ.get("CONQUEST_LAN", "").split(",") if name)


def announceable(hosts: Sequence[str], named: Sequence[str]) -> tuple[str, ...]:
    """Pick the addresses that make sense to others: loopback only where that is all there is."""
    found = []
    for host in hosts:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            continue
        if not address.is_loopback or host in named:
            found.append(host)
    return tuple(found)


@contextlib.asynccontextmanager
async def announced(
    hosts: Sequence[str],
    port: int,
    fingerprint: str | None,
    complain: Callable[[str], None],
    named: Sequence[str] = (),
) -> AsyncIterator[None]:
    """Announce a server in the background for as long as the block lasts; a match can do without."""

    def could_not(fault: BaseException) -> None:
        log.error("The match cannot be announced.", exc_info=fault)
        complain("The match could not be announced on this network; use the link.")

    task = start(_announce(hosts, port, fingerprint, complain, named), "announcing", could_not)
    try:
        yield
    finally:
        await stop(task)


async def _announce(
    hosts: Sequence[str],
    port: int,
    fingerprint: str | None,
    complain: Callable[[str], None],
    named: Sequence[str],
) -> None:
    """Register, and stay until cancelled."""
    from zeroconf import ServiceInfo

    number = secrets.token_hex(4)
    properties = {"v": str(PROTOCOL_VERSION)} | ({"fp": fingerprint} if fingerprint else {})
    info = ServiceInfo(
        SERVICE,
        f"conquest-{number}.{SERVICE}",
        parsed_addresses=list(hosts),
        port=port,
        properties=properties,
        server=f"conquest-{number}.local.",
    )
    try:
        radio = _radio(named)
    except OSError as problem:
        complain(f"This network does not let the match be announced ({problem.strerror}); use the link.")
        return
    try:
        await (await radio.async_register_service(info))
        await asyncio.get_running_loop().create_future()
    finally:
        await _silence(radio)


async def look_around(named: Sequence[str] = ()) -> list[Found]:
    """List the servers on this network; a little after the last one was heard, or when time is up."""
    loop = asyncio.get_running_loop()
    async with Lookout(named) as lookout:
        ends_at, patience_s = loop.time() + LOOK_S, LOOK_S
        while lookout.is_listening and patience_s > 0 and await lookout.change(patience_s):
            left_s = ends_at - loop.time()
            patience_s = min(SETTLE_S, left_s) if lookout.found else left_s
        return lookout.servers()


class Lookout:
    """The servers on this network, as they come and go. Use as `async with Lookout(...)`."""

    def __init__(self, named: Sequence[str] = ()) -> None:
        self.found: dict[str, Found] = {}
        self._named = named
        self._heard: asyncio.Queue[tuple[str, bool]] = asyncio.Queue(MOST_HEARD)
        self._radio: AsyncZeroconf | None = None

    async def __aenter__(self) -> Self:
        from zeroconf import ServiceStateChange
        from zeroconf.asyncio import AsyncServiceBrowser

        def changed(
            zeroconf: "Zeroconf", service_type: str, name: str, state_change: ServiceStateChange
        ) -> None:
            with contextlib.suppress(asyncio.QueueFull):
                self._heard.put_nowait((name, state_change is not ServiceStateChange.Removed))

        with contextlib.suppress(OSError):
            self._radio = _radio(self._named)
            self._browser = AsyncServiceBrowser(self._radio.zeroconf, [SERVICE], handlers=[changed])
        return self

    async def __aexit__(self, *raised: object) -> None:
        if self._radio is not None:
            await self._browser.async_cancel()
            await _silence(self._radio)

    @property
    def is_listening(self) -> bool:
        """Whether anything can be heard: there are networks without multicast."""
        return self._radio is not None

    def servers(self) -> list[Found]:
        """List what is there now, each server once, under whatever names."""
        return list(dict.fromkeys(self.found.values()))

    async def change(self, patience_s: float) -> bool:
        """Wait until a server has come or gone; return False if none did for so long."""
        try:
            async with asyncio.timeout(patience_s):
                heard = [await self._heard.get()]
        except TimeoutError:
            return False
        # A name that nobody answers to must not keep others waiting.
        heard += [self._heard.get_nowait() for _ in range(self._heard.qsize())]
        await asyncio.gather(*(self._note(name, is_there) for name, is_there in dict(heard).items()))
        return True

    async def _note(self, name: str, is_there: bool) -> None:
        one = await _ask(self._radio, name) if is_there and self._radio is not None else None
        if one is None:
            self.found.pop(name, None)
        elif name in self.found or len(self.found) < MOST_FOUND:
            self.found[name] = one


async def _ask(radio: "AsyncZeroconf", name: str) -> Found | None:
    from zeroconf.asyncio import AsyncServiceInfo

    info = AsyncServiceInfo(SERVICE, name)
    if not await info.async_request(radio.zeroconf, ASK_S * 1000) or not info.port:
        return None
    properties = info.decoded_properties
    fingerprint = properties.get("fp") or ""
    return Found(
        hosts=tuple(info.parsed_scoped_addresses()[:MOST_HOSTS]),
        port=info.port,
        fingerprint=fingerprint if is_fingerprint(fingerprint) else None,
        version=properties.get("v") or "",
    )


def _radio(named: Sequence[str]) -> "AsyncZeroconf":
    from zeroconf import InterfaceChoice
    from zeroconf.asyncio import AsyncZeroconf

    return AsyncZeroconf(interfaces=list(named) or InterfaceChoice.All)


async def _silence(radio: "AsyncZeroconf") -> None:
    # Saying goodbye may fail on a network that is going away; there is nobody left to tell.
    with contextlib.suppress(OSError, TimeoutError):
        await asyncio.shield(asyncio.wait_for(_goodbye(radio), 3.0))


async def _goodbye(radio: "AsyncZeroconf") -> None:
    await radio.async_unregister_all_services()
    await radio.async_close()
