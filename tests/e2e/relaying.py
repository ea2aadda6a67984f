"""What two people and a relay between them go through, wherever each of the three is.

A neighbourhood says where that is: here, all on loopback, or in a lab's networks (`tests.lab`).
"""

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from protocol.link import parse_link
from tests.e2e.line import LineClient, line_client
from tests.e2e.process import ServerProcess

WORD = "blue heron"
PROMPT = "Enter the territory number to claim: "
LOOSE = ("--connects-per-minute=100000",)
"""For tests in which one address stands for everybody."""


@dataclass
class Neighbourhood:
    """Where a host, a guest and a relay are, and how each is run there."""

    home: Path
    address: str = "127.0.0.1"
    """The relay's."""
    at_host: tuple[str, ...] = ()
    at_guest: tuple[str, ...] = ()
    at_relay: tuple[str, ...] = ()
    cheat: dict[str, str] = field(default_factory=dict)
    """What the relay does that it should not."""

    @asynccontextmanager
    async def relay(self, *flags: str) -> AsyncIterator[ServerProcess]:
        relay = ServerProcess(
            self.home / "relay",
            *("--bind=0.0.0.0", *flags),
            module="tests.e2e.rigged_relay",
            through=self.at_relay,
            rig=self.cheat,
        )
        try:
            await relay.start()
            yield relay
        finally:
            await relay.kill()

    def named(self, relay: ServerProcess) -> str:
        return f"{self.address}:{relay.port}"

    def client(
        self, name: str, *arguments: str, is_host: bool = False, home: str = ""
    ) -> "AsyncIterator[LineClient]":
        through = self.at_host if is_host else self.at_guest
        if "--resume" not in arguments:
            arguments = (*arguments, "--name", name)
        return line_client(self.home / (home or name), *arguments, through=through)

    def host(self, relay: ServerProcess, *flags: str, word: str = "") -> "AsyncIterator[LineClient]":
        """Ann hosts a match of Conquer in which she begins, for friends who come through the relay."""
        named = f"{word}@{self.named(relay)}" if word else self.named(relay)
        where = () if self.at_host else ("--bind", "127.0.0.1")
        arguments = ("conquer", *where, "--port", "0", "--first", "creator")
        return self.client("Ann", "host", *arguments, "--relay", named, *flags, is_host=True)


async def a_game_is_played_to_its_end(place: Neighbourhood, relay: ServerProcess, game: str) -> None:
    """Two bots play, one of whom hosts."""
    where = () if place.at_host else ("--bind", "127.0.0.1")
    hosting = ("bot", "easy", "--host", game, *where, "--port", "0", "--no-delay")
    async with place.client(
        "Ann", *hosting, "--relay", f"{WORD}@{place.named(relay)}", is_host=True, home=f"ann-{game}"
    ) as ann:
        link = await ann.link()
        assert parse_link(link).host == place.address
        assert parse_link(link).relay
        async with place.client(
            "Bob", "bot", "easy", "--join", link, "--no-delay", home=f"bob-{game}"
        ) as bob:
            for bot in (ann, bob):
                await bot.until("The bot stays 60 seconds for a rematch")
            assert "lost" not in ann.transcript + bob.transcript


@asynccontextmanager
async def seated(
    place: Neighbourhood, *flags: str
) -> AsyncIterator[tuple[ServerProcess, LineClient, LineClient]]:
    """A relay, and Ann and Bob at a match, with Ann to move."""
    async with (
        place.relay(*flags) as relay,
        place.host(relay) as ann,
        place.client("Bob", "join", await ann.link()) as bob,
    ):
        await bob.until("You are Player 2.")
        await ann.until(PROMPT)
        yield relay, ann, bob


async def the_match_survives_its_relay(place: Neighbourhood) -> None:
    async with seated(place) as (relay, ann, bob):
        await ann.answer("4")
        await bob.answer("7")
        await ann.until("Player 2 claims territory 7.\n")
        await relay.kill()
        await bob.until("Connection lost, trying again (")
        await ann.until(f"The connection to the relay {place.named(relay)} is lost.")
        await ann.answer("3")
        await relay.start()
        await ann.until(f"The relay {place.named(relay)} leads here again.\n")
        await bob.until("Connected again.\n")
        await bob.until("Back in the match.")
        await bob.answer("5")
        await ann.answer("2")
        for client in (ann, bob):
            await client.until("Player 1 has claimed territories 2, 3, 4.\nPlayer 1 wins!\n")


async def both_come_back_after_being_killed(place: Neighbourhood) -> None:
    async with place.relay(f"--word={WORD}") as relay:
        async with place.host(relay, word=WORD) as ann:
            link = await ann.link()
            async with place.client("Bob", "join", link) as bob:
                await bob.until("You are Player 2.")
                await ann.answer("4")
                await bob.until(PROMPT)
                await bob.killed()
                await ann.killed()
        async with place.client("Ann", "host", "--resume", is_host=True) as ann:
            await ann.until("leads here again.\n")
            async with place.client("Bob", "join", link) as bob:
                await bob.answer("7")
                await ann.until("Player 2 claims territory 7.\n")


async def the_guest_stops_before_a_word_is_said(place: Neighbourhood) -> None:
    """The relay shows a certificate of its own."""
    heard = place.home / "heard"
    place.cheat = {"RIG_CHEAT": "certificate", "RIG_HEARD": str(heard)}
    async with place.relay() as relay, place.host(relay) as ann:
        async with place.client("Bob", "join", await ann.link()) as bob:
            assert await bob.ended() == 1
            assert f"STOP: {place.named(relay)} is not the server it should be." in bob.errors
            assert "Nothing was sent." in bob.errors
        assert heard.read_bytes() == b"", "the handshake was done, and nothing was said under it"
        assert "Bob" not in ann.transcript


async def what_is_changed_on_the_way_is_not_taken(place: Neighbourhood, cheat: str) -> None:
    """The relay flips a bit, or says something twice, in the middle of a match."""
    when = place.home / "now"
    place.cheat = {"RIG_CHEAT": cheat, "RIG_WHEN": str(when)}
    async with seated(place) as (_, ann, bob):
        when.touch()
        await ann.answer("4")
        if cheat.endswith("host"):
            assert await bob.ended() == 1
            assert "STOP: what came was changed on the way." in bob.errors
            assert "Player 1 claims territory 4." not in bob.transcript
            return
        await bob.answer("7")
        await bob.until("Back in the match.")
        await ann.until("Player 2 claims territory 7.\n")
        assert ann.transcript.count("Player 2 claims territory 7.") == 1


FLOOD = """
import socket, sys, time
address = (sys.argv[1], int(sys.argv[2]))
source = (sys.argv[3], 0) if len(sys.argv) > 3 else None
junk = [b"", b"x" * 5000, b"conquest-relay 1 join %s %s\\n" % tuple(map(str.encode, sys.argv[4:6] or "-0"))]
held = []  # As many a second as a stranger might, and no more of this machine than that.
print("flooding", flush=True)
while True:
    for bytes_ in junk:
        time.sleep(0.002)
        try:
            held.append(socket.create_connection(address, 1, source))
            held[-1].sendall(bytes_)
        except OSError:
            pass
    if len(held) > 100:
        for one in held[:50]:
            one.close()
        del held[:50]
"""


@asynccontextmanager
async def flooded(
    place: Neighbourhood, relay: ServerProcess, through: tuple[str, ...] = (), *more: str
) -> AsyncIterator[None]:
    """Have somebody connect as often as they can, for as long as a block lasts."""
    flood = await asyncio.create_subprocess_exec(
        *(*through, sys.executable, "-c", FLOOD, place.address, str(relay.port), *more),
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert flood.stdout is not None
        assert await flood.stdout.readline() == b"flooding\n"
        yield
        assert flood.returncode is None
    finally:
        flood.kill()
        await flood.wait()
