"""Hosting, joining and watching over real connections, all in one process."""

import asyncio
import os
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from client.command import back, host, join
from client.command.host import Display, Wish, link_to
from client.command.join import Place
from client.command.person import Person
from client.command.play import practise
from client.core import wording
from client.core.failure import CouldNot
from client.line.play import seat_at
from client.line.terminal import InputOver
from client.local import embedded
from client.local.embedded import Hosted, Listening
from client.net import lan
from client.net.connection import Target
from client.net.store import Store
from protocol.catalogue import TITLES
from protocol.link import parse_link
from protocol.process.usage import Misused
from tests.client.scripted import ScriptedTerminal

LOOPBACK = Listening(bind="127.0.0.1", port=0)
SECURE = Listening(bind="127.0.0.1", port=0, tls=True)
WISH = Wish("conquer", {}, first="creator", private=True)
PROMPT = "Enter the territory number to claim: "


@pytest.fixture(autouse=True)
def _own_home_and_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "server"))
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    # Other tests may be hosting on this machine at the same time.
    monkeypatch.setattr(lan, "SERVICE", f"_t{secrets.token_hex(4)}._tcp.local.")


class Player(ScriptedTerminal):
    """A player with a terminal and a store of their own."""

    def __init__(self, name: str, folder: Path, is_terminal: bool = False) -> None:
        super().__init__(is_terminal)
        self.first_line = ""
        self.store = Store(folder / name)
        self.person = Person(self.terminal, self.store, name, seat_at(self.terminal))

    def hang_up(self) -> None:
        self.terminal.inbox.put_nowait(InputOver())


@pytest.fixture
def ann(tmp_path: Path) -> Player:
    return Player("Ann", tmp_path)


@pytest.fixture
def bob(tmp_path: Path) -> Player:
    return Player("Bob", tmp_path)


@asynccontextmanager
async def hosting(
    ann: Player, wish: Wish = WISH, listening: Listening = SECURE, display: Display | None = None
) -> AsyncIterator[tuple[asyncio.Task[None], str]]:
    """Ann hosts; gives her task and the link that she sees."""
    task = asyncio.create_task(host.host(ann.person, wish, listening, display or Display()))
    try:
        text = await ann.until("Waiting for your friend")
        (link,) = [line.removeprefix("Link: ") for line in text.splitlines() if line.startswith("Link: ")]
        ann.first_line = text.splitlines()[0]
        assert "Listening on 127.0.0.1:" in text
        yield task, link
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_friend_joins_by_link_and_both_play_to_the_end(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (hosted, link):
        joined = asyncio.create_task(join.join(bob.person, join.parse_place(link)))
        await ann.type("4", "3", "2")
        await bob.type("7", "5")
        assert "Player 1 has claimed territories 2, 3, 4.\nPlayer 1 wins!\n" in await ann.until("> ")
        assert "Player 1 has claimed territories 2, 3, 4.\nPlayer 1 wins!\n" in await bob.until("> ")
        bob.hang_up()
        await joined
        ann.hang_up()
        await hosted
    assert bob.store.sessions() == []
    assert ann.store.sessions() == []
    assert not list(ann.store.root.glob("hosted-*"))


async def test_a_friend_joins_by_address_and_code(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        joined = asyncio.create_task(
            join.join(bob.person, join.parse_place(f"{link.host}:{link.port}", link.code))
        )
        said = await bob.until("You are Player 2.")
        assert f"This is the first time at 127.0.0.1:{link.port}" in said
        assert link.fingerprint is not None
        assert link.fingerprint in said
        joined.cancel()
    assert bob.store.fingerprint(link.host, link.port) == link.fingerprint


async def test_a_friend_with_only_an_address_chooses_from_what_is_open(ann: Player, bob: Player) -> None:
    wish = Wish("grid", {"size": "4"}, first="creator", clock_s=90)
    async with hosting(ann, wish) as (_, text):
        link = parse_link(text)
        await bob.type("1")
        joined = asyncio.create_task(
            join.choose_and_join(bob.person, bob.terminal, Place(Target(link.host, link.port)))
        )
        said = await bob.until("You are Player 2.")
        assert "1. Grid Conquest against Ann, size=4, 90 seconds a move\n" in said
        joined.cancel()


async def test_a_server_with_nothing_open_says_so(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        with pytest.raises(CouldNot, match=r"No match waits at 127\.0\.0\.1:.* conquest host --at 127"):
            await join.choose_and_join(
                bob.person, bob.terminal, Place(Target(link.host, link.port, link.fingerprint))
            )


async def test_a_friend_on_the_same_network_finds_the_match(ann: Player, bob: Player) -> None:
    async with hosting(ann, Wish("duel", {}, first="creator")) as (_, text):
        joined = asyncio.create_task(join.choose_and_join(bob.person, bob.terminal, None))
        line = f". Command Line Conquer against Ann, at 127.0.0.1:{parse_link(text).port}\n"
        said = await bob.until(line)
        await bob.type(said.splitlines()[-1].partition(".")[0])
        await bob.until("You are Player 2.")
        joined.cancel()


async def test_a_private_match_is_not_announced(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "LOOK_S", 2.5)
    async with hosting(ann) as (_, link):
        found = await lan.look_around(("127.0.0.1",))
        assert parse_link(link).port not in [one.port for one in found]


async def test_who_finds_nothing_is_asked_for_the_link(
    ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(named: object) -> list[lan.Found]:
        return []

    monkeypatch.setattr(lan, "look_around", nothing)
    async with hosting(ann) as (_, link):
        await bob.type(link)
        joined = asyncio.create_task(join.choose_and_join(bob.person, bob.terminal, None))
        said = await bob.until("You are Player 2.")
        assert "No open match was found on this network.\n" in said
        joined.cancel()


async def test_a_wrong_code_is_a_sentence(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        with pytest.raises(CouldNot, match="There is no match with that code"):
            await join.join(bob.person, Place(Target(link.host, link.port, link.fingerprint), "ZZZZZZZZ"))


async def test_a_full_match_is_a_sentence_and_can_be_watched(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    cid = Player("Cid", tmp_path)
    async with hosting(ann) as (_, link):
        place = join.parse_place(link)
        joined = asyncio.create_task(join.join(bob.person, place))
        await bob.until("You are Player 2.")
        with pytest.raises(CouldNot, match="Both seats of that match are taken"):
            await join.join(cid.person, place)
        watching = asyncio.create_task(join.watch(cid.person, place))
        await cid.until("You are watching.")
        await ann.type("4")
        assert await cid.until("Player 1 claims territory 4.")
        assert await ann.until("1 person is watching.")
        for task in (joined, watching):
            task.cancel()


async def test_watching_needs_a_code(bob: Player) -> None:
    with pytest.raises(Misused, match="whole link"):
        await join.watch(bob.person, Place(Target("127.0.0.1", 7717)))


async def test_a_wrong_fingerprint_is_a_loud_sentence(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        with pytest.raises(CouldNot, match=r"^STOP: "):
            await join.join(bob.person, Place(Target(link.host, link.port, "A" * 43), link.code))


async def test_a_guest_who_left_goes_back_to_the_seat(ann: Player, bob: Player, tmp_path: Path) -> None:
    async with hosting(ann) as (_, link):
        joined = asyncio.create_task(join.join(bob.person, join.parse_place(link)))
        await bob.until("You are Player 2.")
        await ann.type("4")
        await bob.until(PROMPT)
        bob.hang_up()
        await joined
        assert "Your seat is kept. The way back: conquest join --resume\n" in bob.take()
        assert "Bob (Player 2) has lost the connection." in await ann.until("/claim the win")
        code = parse_link(link).code or ""
        bob = Player("Bob", tmp_path)
        with pytest.raises(CouldNot, match="No way back to match ZZZZ-ZZZZ is known here"):
            await back.resume(bob.person, "ZZZZZZZZ", Display())
        returned = asyncio.create_task(back.resume(bob.person, code.lower(), Display()))
        said = await bob.until(PROMPT)
        assert "So far:\nPlayer 1 claims territory 4.\n" in said
        await ann.until("Bob (Player 2) is back.")
        returned.cancel()


async def left_by(bob: Player, ann: Player, link: str) -> None:
    """Let Bob join by a link, and lose him while it is his turn."""
    joined = asyncio.create_task(join.join(bob.person, join.parse_place(link)))
    await bob.until("You are Player 2.")
    await ann.type("4")
    await bob.until(PROMPT)
    joined.cancel()
    await asyncio.gather(joined, return_exceptions=True)
    await ann.until("Bob (Player 2) has lost the connection.")


@pytest.mark.parametrize("is_by_link", [True, False])
async def test_a_guest_who_uses_the_link_or_the_code_again_gets_the_seat_back(
    ann: Player, bob: Player, tmp_path: Path, is_by_link: bool
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        link = parse_link(text)
        place = join.parse_place(text if is_by_link else f"{link.host}:{link.port}", link.code)
        bob = Player("Bob", tmp_path)
        returned = asyncio.create_task(join.join(bob.person, place))
        assert "So far:\nPlayer 1 claims territory 4.\n" in await bob.until(PROMPT)
        await ann.until("Bob (Player 2) is back.")
        returned.cancel()


async def test_a_guest_gets_the_seat_back_by_another_address_of_the_same_server(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        link = parse_link(text)
        bob = Player("Bob", tmp_path)
        place = Place(Target("localhost", link.port, link.fingerprint), link.code)
        returned = asyncio.create_task(join.join(bob.person, place))
        assert f" at localhost:{link.port}.\n" in await bob.until(PROMPT)
        returned.cancel()


async def test_a_seat_that_another_process_of_ours_holds_is_not_taken_by_a_link(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        ((file, saved),) = bob.store.sessions()
        file.save(replace(saved, pid=os.getppid()))
        with pytest.raises(CouldNot, match="Both seats of that match are taken"):
            await join.join(Player("Bob", tmp_path).person, join.parse_place(text))


async def test_a_seat_that_the_server_does_not_know_any_more_is_a_sentence_and_is_forgotten(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        ((file, saved),) = bob.store.sessions()
        file.save(replace(saved, token="unknown"))
        with pytest.raises(CouldNot, match="The server does not know you any more"):
            await join.join(Player("Bob", tmp_path).person, join.parse_place(text))
        assert bob.store.sessions() == []


async def test_who_looks_around_is_offered_the_way_back(
    ann: Player, bob: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(named: object) -> list[lan.Found]:
        return []

    monkeypatch.setattr(lan, "look_around", nothing)
    async with hosting(ann) as (_, text):
        await left_by(bob, ann, text)
        bob = Player("Bob", tmp_path)
        await bob.type("0")
        returned = asyncio.create_task(join.choose_and_join(bob.person, bob.terminal, None))
        code = wording.spaced_code(parse_link(text).code or "")
        said = await bob.until(PROMPT)
        assert f"0. Go back to your match (Conquer, {code})\n" in said
        returned.cancel()


async def test_the_way_back_stands_before_the_matches_that_were_found(
    ann: Player, bob: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cid = Player("Cid", tmp_path)
    async with hosting(ann) as (_, text), hosting(cid, replace(WISH, private=False)) as (_, other):
        await left_by(bob, ann, text)
        link = parse_link(other)

        async def one(named: object) -> list[lan.Found]:
            return [lan.Found((link.host,), link.port, link.fingerprint, "")]

        monkeypatch.setattr(lan, "look_around", one)
        bob = Player("Bob", tmp_path)
        await bob.type("0")
        returned = asyncio.create_task(join.choose_and_join(bob.person, bob.terminal, None))
        said = await bob.until(PROMPT)
        assert "\n0. Go back to your match (Conquer, " in said
        assert f"\n1. Conquer against Cid, at 127.0.0.1:{link.port}\nEnter a number from 0 to 1: 0\n" in said
        returned.cancel()


async def test_a_waiting_match_elsewhere_is_gone_back_to_with_its_link(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        opened = asyncio.create_task(
            host.host_elsewhere(bob.person, WISH, Target(link.host, link.port), Display())
        )
        shown = (await bob.until("Waiting for your friend")).splitlines()
        opened.cancel()
        await asyncio.gather(opened, return_exceptions=True)
        bob = Player("Bob", tmp_path)
        returned = asyncio.create_task(back.resume(bob.person, "", Display()))
        again = (await bob.until("Waiting for your friend")).splitlines()
        assert [line for line in again if line.startswith("Link: ")] == [
            line for line in shown if line.startswith("Link: ")
        ]
        returned.cancel()


async def test_there_must_be_something_to_go_back_to(ann: Player) -> None:
    with pytest.raises(CouldNot, match="There is no match to go back to"):
        await back.resume(ann.person, "", Display())
    with pytest.raises(Misused, match="is not a join code"):
        await back.resume(ann.person, "xyz", Display())


async def test_a_host_who_left_starts_the_server_again_and_the_friend_carries_on(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    async with hosting(ann) as (hosted, link):
        joined = asyncio.create_task(join.join(bob.person, join.parse_place(link)))
        await bob.until("You are Player 2.")
        await ann.type("4")
        await bob.type("7")
        await ann.until(f"Available territories: 1, 2, 3, 5, 6\n{PROMPT}")
        ann.hang_up()
        await hosted
    assert "The way back: conquest host --resume\n" in ann.take()
    await bob.until("The host has left. The match is kept, and goes on when the host is back")
    await bob.until("Waiting for the host, trying again")
    ann = Player("Ann", tmp_path)
    returned = asyncio.create_task(back.resume(ann.person, "", Display()))
    said = await ann.until(PROMPT)
    assert "Available territories: 1, 2, 3, 5, 6\n" in said
    await bob.until("Connected again.")
    await ann.type("3", "2")
    await bob.type("5")
    await bob.until("Player 1 wins!")
    await ann.until("> ")
    bob.hang_up()
    await joined
    ann.hang_up()
    await returned
    assert not list(ann.store.root.glob("hosted-*"))


async def test_a_host_who_keeps_nothing_has_no_way_back(ann: Player, bob: Player) -> None:
    listening = Listening(bind="127.0.0.1", port=0, db=":memory:")
    async with hosting(ann, listening=listening) as (hosted, link):
        joined = asyncio.create_task(join.join(bob.person, join.parse_place(link)))
        await ann.until(PROMPT)
        ann.hang_up()
        await hosted
    assert "The match ends here, with its server.\n" in ann.take()
    assert ann.store.sessions() == []
    with pytest.raises(CouldNot, match=r"^The host has left\. The match was not kept, so it has ended\.$"):
        await joined
    assert "lost the connection" not in bob.take()
    assert bob.store.sessions() == []


async def test_a_server_that_is_to_stop_at_once_says_goodbye_all_the_same(bob: Player) -> None:
    ready: asyncio.Future[Hosted] = asyncio.get_running_loop().create_future()

    async def serve() -> None:
        async with embedded.hosted(SECURE) as server:
            ready.set_result(server)
            await asyncio.Event().wait()

    serving = asyncio.create_task(serve())
    target = Target("127.0.0.1", (await ready).port)
    waiting = asyncio.create_task(host.host_elsewhere(bob.person, WISH, target, Display()))
    await bob.until("Waiting for your friend")
    while not serving.done():
        serving.cancel()
        await asyncio.sleep(0)
    with pytest.raises(
        CouldNot, match=r"^The server has stopped\. The match was not kept, so it has ended\.$"
    ):
        await waiting


async def test_a_hosted_match_whose_journal_is_gone_cannot_be_gone_back_to(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (hosted, link):
        joined = asyncio.create_task(join.join(bob.person, join.parse_place(link)))
        await ann.until(PROMPT)
        ann.hang_up()
        await hosted
        joined.cancel()
    for path in list(ann.store.root.glob("hosted-*")):
        path.unlink()
    with pytest.raises(CouldNot, match="was not kept"):
        await back.resume(ann.person, "", Display())


async def test_a_match_can_be_opened_on_somebody_elses_server(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    cid = Player("Cid", tmp_path)
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        target = Target(link.host, link.port)
        opened = asyncio.create_task(host.host_elsewhere(bob.person, WISH, target, Display()))
        said = await bob.until("Waiting for your friend")
        (shown,) = [line.removeprefix("Link: ") for line in said.splitlines() if line.startswith("Link: ")]
        assert parse_link(shown).fingerprint == link.fingerprint
        joined = asyncio.create_task(join.join(cid.person, join.parse_place(shown)))
        await bob.until(PROMPT)
        bob.hang_up()
        await opened
        assert "Your seat is kept. The way back: conquest join --resume\n" in bob.take()
        joined.cancel()


async def test_the_usual_port_gives_way_but_a_demanded_one_does_not(
    ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosting(ann) as (_, text):
        port = parse_link(text).port
        monkeypatch.setattr("client.local.embedded.DEFAULT_PORT", port)
        monkeypatch.setattr("client.command.host.DEFAULT_PORT", port)
        async with hosting(bob, listening=Listening(bind="127.0.0.1")) as (_, other):
            assert parse_link(other).port != port
        assert bob.first_line == f"Port {port} is taken, so this server uses port {parse_link(other).port}."
        with pytest.raises(CouldNot, match=f"Cannot listen on port {port} of 127.0.0.1: "):
            await host.host(bob.person, WISH, Listening(bind="127.0.0.1", port=port), Display())
        kept = set(bob.store.root.iterdir())
        for public in (("example.org", 0), ("example.org", port)):
            with pytest.raises(CouldNot, match=f"Port {port} is taken, and what --public names leads there"):
                await host.host(bob.person, WISH, Listening(bind="127.0.0.1"), Display(public))
        assert set(bob.store.root.iterdir()) == kept


async def test_a_qr_code_and_a_public_address_can_be_shown(ann: Player) -> None:
    display = Display(public=("example.org", 0), is_qr=True, is_ascii=True)
    async with hosting(ann, display=display) as (_, link):
        assert link.startswith("conquest://example.org:")


@pytest.mark.parametrize(
    ("tls", "sentence"),
    [
        (None, "What goes through it is encrypted.\n"),
        (False, "What goes through it is not encrypted: others on the way could read along.\n"),
    ],
)
async def test_a_public_link_to_this_machine_alone_says_what_it_needs_and_is_encrypted(
    ann: Player, tls: bool | None, sentence: str
) -> None:
    listening = Listening(bind="127.0.0.1", port=0, tls=tls)
    task = asyncio.create_task(host.host(ann.person, WISH, listening, Display(("example.org", 9000))))
    said = await ann.until("Waiting for your friend")
    (link,) = [parse_link(line[6:]) for line in said.splitlines() if line.startswith("Link: ")]
    (port,) = [line.rpartition(":")[2] for line in said.splitlines() if line.startswith("Listening on")]
    assert (link.host, link.port) == ("example.org", 9000)
    assert (link.fingerprint is not None) == (tls is None)
    needs = f"The link works if example.org:9000 leads to 127.0.0.1:{port}, by port forwarding or a tunnel.\n"
    assert needs + sentence in said
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


def test_the_link_names_the_port_that_the_outside_world_uses() -> None:
    server = Target("192.0.2.7", 40000, "A" * 43)
    assert str(link_to(server, Display(), "7K3M9QXZ")) == f"conquest://192.0.2.7:40000/7K3M9QXZ#fp={'A' * 43}"
    assert link_to(server, Display(("example.org", 7717)), "7K3M9QXZ").port == 7717
    assert link_to(server, Display(("example.org", 0)), "7K3M9QXZ").port == 40000


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"siez": "4"}, "Did you mean 'size'?"),
        ({"size": "9"}, "The option size cannot be '9'; it can be 2, 3, 4, 5, 6."),
    ],
)
async def test_an_option_that_does_not_exist_is_a_sentence(
    ann: Player, options: dict[str, str], sentence: str
) -> None:
    with pytest.raises(Misused) as raised:
        await host.host(ann.person, Wish("grid", options), LOOPBACK, Display())
    assert sentence in str(raised.value)


@pytest.mark.parametrize("game", TITLES)
async def test_the_computer_plays_every_game(ann: Player, game: str) -> None:
    wish = Wish(game, {}, first="guest", private=True)
    task = asyncio.create_task(practise(ann.person, wish, "easy", LOOPBACK, is_hasty=True))
    await ann.until("You are Player 2.")
    text = await ann.until(": ")
    assert "Computer" not in text
    await ann.type("/resign")
    assert "Player 1 (Computer) wins!" in await ann.until("> ")
    await ann.type("/rematch")
    await ann.until("You are Player 1.")
    ann.hang_up()
    with pytest.raises(CouldNot, match=r"^The input ended before the game did\.$"):
        await task
    assert "The game with the computer ends here.\n" in ann.take()


async def test_the_computer_agrees_to_call_a_match_off(ann: Player) -> None:
    task = asyncio.create_task(practise(ann.person, WISH, "perfect", LOOPBACK, is_hasty=True))
    await ann.until(PROMPT)
    await ann.type("/calloff")
    await ann.until("Both players agreed to call the match off.")
    await ann.type("/quit")
    await task


async def test_the_computer_takes_its_time_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.command.play.PAUSE_S", (0.0, 0.0))
    ann = Player("Ann", tmp_path)
    task = asyncio.create_task(practise(ann.person, WISH, "perfect", LOOPBACK, is_hasty=False))
    await ann.until(PROMPT)
    await ann.type("4")
    await ann.until(PROMPT)
    await ann.type("/resign", "/quit")
    await task
