"""`conquest doctor`: looks at everything a match needs, says what is wrong and what to do about it."""

import os
import platform
import shutil
import socket
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from client.core.failure import CouldNot
from client.line.terminal import Terminal
from client.local.hosting import Hosted, hosted
from client.local.listening import Listening
from client.net import lan, survey
from client.net.connection import Glance, Target
from client.net.relay import RelayAddress
from client.net.relayed import relayed
from client.net.store import Store
from protocol.limit import DEFAULT_PORT, PROTOCOL_VERSION
from protocol.link import address_text
from protocol.process.home import home
from protocol.process.stream import is_ascii_only
from protocol.version import VERSION

PACKAGES = ("pydantic", "msgpack", "cryptography", "zeroconf", "platformdirs", "segno")
NARROW = 80
BIND: str | None = None
"""The address to try a server on; None for all of them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    state: Literal["ok", "note", "WRONG"]
    text: str


def ok(text: str) -> Finding:
    """Find something in order."""
    return Finding("ok", text)


def note(text: str) -> Finding:
    """Find something worth knowing."""
    return Finding("note", text)


def wrong(text: str) -> Finding:
    """Find something that will keep somebody from playing."""
    return Finding("WRONG", text)


async def examine(terminal: Terminal, relay: RelayAddress | None = None) -> None:
    """Look at everything; raise `CouldNot` when something is wrong."""
    problems = 0
    async for finding in _everything(terminal, relay):
        terminal.say(f"{finding.state:>5}  {finding.text}")
        problems += finding.state == "WRONG"
    if problems:
        raise CouldNot(f"The lines above say what is wrong and what to do ({problems}).")
    terminal.say("Everything needed to play is there.")


async def _everything(terminal: Terminal, relay: RelayAddress | None) -> AsyncIterator[Finding]:
    for each in (*versions(), *display(terminal.is_terminal, os.environ, shutil.get_terminal_size())):
        yield each
    yield encoding(sys.stdout.encoding, os.environ if terminal.is_terminal else {})
    store = Store(home())
    yield memory(store)
    yield usual_port()
    try:
        async with hosted(Listening(bind=BIND, port=0, tls=True)) as server:
            async for each in _network(server):
                yield each
            if relay is not None:
                yield await _led_to(server, relay)
    except CouldNot as problem:
        yield wrong(f"A server cannot be started here. {problem}")


def versions() -> Iterator[Finding]:
    """Name the versions of everything that takes part."""
    yield ok(
        f"conquest {VERSION}, protocol {PROTOCOL_VERSION}, Python {platform.python_version()},"
        f" {platform.system()} {platform.release()}"
    )
    found, missing = [], []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            missing.append(package)
    yield ok(", ".join(found))
    if missing:
        yield wrong(f"Missing: {', '.join(missing)}. Install conquest again.")


def display(is_terminal: bool, environment: Mapping[str, str], size: os.terminal_size) -> Iterator[Finding]:
    """Look at the terminal and its colours."""
    if not is_terminal:
        yield note("This is no terminal but a pipe or a file: line mode it is.")
        return
    kind = environment.get("TERM", "")
    yield ok(f"Terminal {kind or 'unknown'}, {size.columns} columns, {size.lines} lines")
    if size.columns < NARROW:
        yield note(f"The terminal is narrower than {NARROW} columns; long lines will wrap.")
    if environment.get("NO_COLOR"):
        yield note("NO_COLOR is set: no colours. Nothing is told by colour alone.")
    elif kind in ("", "dumb"):
        yield note("The terminal shows no colours and no full screen; line mode works.")
    elif environment.get("COLORTERM") in ("truecolor", "24bit"):
        yield ok("Colours: all of them")
    else:
        yield ok("Colours: the usual ones (COLORTERM does not say more)")


def encoding(name: str | None, environment: Mapping[str, str]) -> Finding:
    """Look at whether names can be shown."""
    if is_ascii_only(environment, "utf-8"):
        return note("Characters: plain ASCII by itself, as this terminal's locale or kind has no others.")
    if (name or "").lower().replace("-", "") == "utf8":
        return ok("Characters: UTF-8")
    return note(f"Characters: {name}, not UTF-8; if names look odd, set LANG=C.UTF-8 or use --ascii.")


def memory(store: Store) -> Finding:
    """Look at where names, certificates and ways back are kept."""
    try:
        store.check()
    except OSError as problem:
        return wrong(
            f"{store.root} cannot be written ({problem.strerror}), so no way back to a match can be kept."
            " Set CONQUEST_HOME to a folder that can."
        )
    who = store.name()
    return ok(f"Kept in {store.root}; your name is {who}" if who else f"Kept in {store.root}; no name yet")


def usual_port() -> Finding:
    """Look at whether the usual port is free."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", DEFAULT_PORT))
        except OSError as problem:
            return note(
                f"Port {DEFAULT_PORT} is taken ({problem.strerror}); conquest host will use another one."
            )
    return ok(f"Port {DEFAULT_PORT} is free")


async def _network(server: Hosted) -> AsyncIterator[Finding]:
    if server.fingerprint is None:
        yield wrong("The server would not encrypt.")
    else:
        yield ok(f"Certificate: {server.fingerprint}")
    outside = lan.announceable(server.addresses, lan.interfaces())
    if not outside:
        yield wrong("This machine has no address but its own loopback; connect it to a network.")
        return
    for host in outside:
        yield await _reached(Target(host, server.port, server.fingerprint))
    yield await _discovered(server, outside)
    yield note(
        "Friends outside your network come through a relay (conquest host --relay), or need port"
        f" {DEFAULT_PORT} forwarded to this machine by your router, and a link made with --public."
    )


async def _reached(target: Target) -> Finding:
    try:
        await survey.list_matches("Doctor", Glance(), target)
    except CouldNot as problem:
        return wrong(f"{target.host} is this machine's, but a server there cannot be reached. {problem}")
    return ok(f"Address {address_text(target.host, DEFAULT_PORT)} can be reached from here")


async def _led_to(server: Hosted, relay: RelayAddress) -> Finding:
    """Look at whether a relay leads to a server here."""
    if server.led is None:
        return wrong(f"The relay {relay} was not tried, as the server would not encrypt.")
    target = Target(relay.host, relay.port, server.fingerprint, relay=server.port)
    try:
        async with relayed(server.led, relay, lambda line: None, is_patient=False):
            await survey.list_matches("Doctor", Glance(), target)
    except CouldNot as problem:
        return wrong(f"The relay {relay} does not lead here. {problem}")
    return ok(f"The relay {relay} leads here")


async def _discovered(server: Hosted, outside: tuple[str, ...]) -> Finding:
    named, complaints = lan.interfaces(), list[str]()
    async with lan.announced(outside, server.port, server.fingerprint, complaints.append, named):
        found = await lan.look_around(named)
    if any(one.port == server.port and one.fingerprint == server.fingerprint for one in found):
        return ok("Discovery on this network works")
    why = f" {complaints[0]}" if complaints else ""
    return note(f"Discovery on this network does not work here; friends can still join by link.{why}")
