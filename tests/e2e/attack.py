"""Attacks on a server from several addresses of 127.0.0.0/8: one function each, until it is cancelled.

`python -m tests.e2e.neighbour NAME` measures what one costs the others, `test_neighbour.py` runs all of them
for a moment. An attack gets the server and one address, and has no more than any stranger has; the same runs
from each address at once. To add one, write a function and put `@attack` before it; those
that need a hello are in `attack_as_guest.py`.
"""

import argparse
import asyncio
import contextlib
import socket
import sys
from collections import Counter, deque
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass

from protocol.client_frame import Ping
from tests.e2e.client import Lost, Player, Wire, met

Attack = Callable[["Target", str], Awaitable[None]]
ATTACKS: dict[str, Attack] = {}
"""Every attack, by the name of its function."""
CONNECTS_PER_S = 200
HELD = 100
"""Connections that one address keeps open; older ones are let go."""
taken: Counter[str] = Counter()
"""How many turns attacks have had at their pace."""
CLIENT_HELLO = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
"""How a TLS handshake begins."""


@dataclass(frozen=True)
class Target:
    """A server, as anybody knows it."""

    port: int
    fingerprint: str | None


def attack(function: Attack) -> Attack:
    """Add a function to the attacks."""
    ATTACKS[function.__name__] = function
    return function


@attack
async def silent_connections(target: Target, address: str) -> None:
    """Connect 200 times a second, and say nothing."""
    await _connect(target, address, b"")


@attack
async def half_handshakes(target: Target, address: str) -> None:
    """Connect 200 times a second, and begin what is never ended."""
    await _connect(target, address, CLIENT_HELLO if target.fingerprint else b"\x00")


@attack
async def noise(target: Target, address: str) -> None:
    """Connect 200 times a second, and send what is no frame: each costs the server a line."""
    await _connect(target, address, b"GET / HTTP/1.1\r\n\r\n")


@attack
async def strangers(target: Target, address: str) -> None:
    """Connect with a whole handshake, and say no hello."""
    held: deque[Wire] = deque()
    async for _ in paced(20):
        with contextlib.suppress(Lost, OSError):
            held.append(await Wire.open(target, address))
        if len(held) > HELD:
            held.popleft().cut()


@attack
async def guests(target: Target, address: str) -> None:
    """Take all the connections that one may have, stay by pinging, and do nothing."""
    await asyncio.gather(*(_stay(target, address) for _ in range(40)))


async def _stay(target: Target, address: str) -> None:
    while True:
        with contextlib.suppress(Lost, OSError, AssertionError):
            guest = await met(target, "Mallory", address)
            while True:
                await guest.ask(Ping)
                await asyncio.sleep(5)
        await asyncio.sleep(0.2)


@attack
async def coming_and_going(target: Target, address: str) -> None:
    """Say hello and go again, as fast as the server answers."""
    player = Player(target, "Mallory", address)
    while True:
        with contextlib.suppress(Lost, OSError, AssertionError):
            player.token = None
            await player.connect()
            player.cut()
        await asyncio.sleep(0)


async def _connect(target: Target, address: str, first_bytes: bytes) -> None:
    """Connect again and again, and send the same each time."""
    held: deque[socket.socket] = deque()
    try:
        async for _ in paced(CONNECTS_PER_S):
            held.append(made := _socket(address))
            with contextlib.suppress(OSError):
                await asyncio.get_running_loop().sock_connect(made, ("127.0.0.1", target.port))
                made.send(first_bytes)
            if len(held) > HELD:
                held.popleft().close()
    finally:
        for each in held:
            each.close()


def _socket(address: str) -> socket.socket:
    made = socket.socket()
    made.setblocking(False)
    made.bind((address, 0))
    return made


async def paced(per_s: float) -> AsyncIterator[None]:
    """Give a turn so many times a second, as far as this machine can."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    while True:
        yield
        taken["turns"] += 1
        due = max(due + 1 / per_s, loop.time() - 1)
        await asyncio.sleep(max(0.0, due - loop.time()))


async def assault(name: str, target: Target, addresses: list[str]) -> None:
    """Run an attack from each address at once."""
    async with asyncio.TaskGroup() as group:
        for address in addresses:
            group.create_task(run(ATTACKS[name], target, address))


async def run(attacking: Attack, target: Target, address: str) -> None:
    """Run an attack from one address; a bug in it shows, since nothing else ends it."""
    await attacking(target, address)
    raise AssertionError(f"{attacking} has ended by itself")


def addresses(count: int) -> list[str]:
    """List addresses from which nobody else comes."""
    return [f"127.0.{1 + number // 250}.{1 + number % 250}" for number in range(count)]


def main() -> int:
    """Attack until this process is interrupted; the first line says that it has begun, the last how often."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.attack", description=__doc__)
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("port", type=int)
    parser.add_argument("--fingerprint")
    parser.add_argument("--addresses", type=int, default=8)
    given = parser.parse_args()
    print("attacking", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        target = Target(given.port, given.fingerprint)
        asyncio.run(assault(given.attack, target, addresses(given.addresses)))
    print(taken["turns"], flush=True)
    return 0


if __name__ == "__main__":
    # The attacks are kept in the module of this file's name, which is not this one now.
    from tests.e2e import attack, attack_as_guest  # noqa: F401

    sys.exit(attack.main())
