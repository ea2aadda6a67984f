"""Hosting: a server here or elsewhere, what a friend needs to find it, and its end."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.flow.host import host, host_elsewhere
from client.flow.join import join
from client.flow.wanted import Display, Host, HostAt, Terms
from client.local.hosting import Hosted, hosted
from client.local.listening import Listening
from client.net import lan
from client.net.connection import Target
from client.net.place import parse_place
from protocol.link import parse_link
from protocol.process.usage import Misused
from tests.client.people import HOST, LOOPBACK, PROMPT, SECURE, TERMS, Player, hosting


async def test_a_private_match_is_not_announced(ann: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "LOOK_S", 2.5)
    async with hosting(ann) as (_, link):
        found = await lan.look_around(("127.0.0.1",))
        assert parse_link(link).port not in [one.port for one in found]


async def test_a_host_who_keeps_nothing_has_no_way_back(ann: Player, bob: Player) -> None:
    listening = Listening(bind="127.0.0.1", port=0, db=":memory:")
    async with hosting(ann, replace(HOST, listening=listening)) as (hosted, link):
        joined = asyncio.create_task(join(bob.person, parse_place(link)))
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
        async with hosted(SECURE) as server:
            ready.set_result(server)
            await asyncio.Event().wait()

    serving = asyncio.create_task(serve())
    target = Target("127.0.0.1", (await ready).port)
    waiting = asyncio.create_task(host_elsewhere(bob.person, HostAt(target, "conquer", TERMS)))
    await bob.until("Waiting for your friend")
    while not serving.done():
        serving.cancel()
        await asyncio.sleep(0)
    with pytest.raises(
        CouldNot, match=r"^The server has stopped\. The match was not kept, so it has ended\.$"
    ):
        await waiting


async def test_a_match_can_be_opened_on_somebody_elses_server(
    ann: Player, bob: Player, tmp_path: Path
) -> None:
    cid = Player("Cid", tmp_path)
    async with hosting(ann) as (_, text):
        link = parse_link(text)
        target = Target(link.host, link.port)
        opened = asyncio.create_task(host_elsewhere(bob.person, HostAt(target, "conquer", TERMS)))
        said = await bob.until("Waiting for your friend")
        (shown,) = [line.removeprefix("Link: ") for line in said.splitlines() if line.startswith("Link: ")]
        assert parse_link(shown).fingerprint == link.fingerprint
        joined = asyncio.create_task(join(cid.person, parse_place(shown)))
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
        monkeypatch.setattr("client.local.hosting.DEFAULT_PORT", port)
        monkeypatch.setattr("client.flow.host.DEFAULT_PORT", port)
        async with hosting(bob, replace(HOST, listening=Listening(bind="127.0.0.1"))) as (_, other):
            assert parse_link(other).port != port
        assert bob.first_line == f"Port {port} is taken, so this server uses port {parse_link(other).port}."
        with pytest.raises(CouldNot, match=f"Cannot listen on port {port} of 127.0.0.1: "):
            await host(bob.person, Host("conquer", TERMS, Listening(bind="127.0.0.1", port=port)))
        kept = set(bob.store.root.iterdir())
        for public in (("example.org", 0), ("example.org", port)):
            with pytest.raises(CouldNot, match=f"Port {port} is taken, and what --public names leads there"):
                await host(bob.person, Host("conquer", TERMS, Listening(bind="127.0.0.1"), Display(public)))
        assert set(bob.store.root.iterdir()) == kept


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
    task = asyncio.create_task(
        host(ann.person, Host("conquer", TERMS, listening, Display(("example.org", 9000))))
    )
    said = await ann.until("Waiting for your friend")
    (link,) = [parse_link(line[6:]) for line in said.splitlines() if line.startswith("Link: ")]
    (port,) = [line.rpartition(":")[2] for line in said.splitlines() if line.startswith("Listening on")]
    assert (link.host, link.port) == ("example.org", 9000)
    assert (link.fingerprint is not None) == (tls is None)
    needs = f"The link works if example.org:9000 leads to 127.0.0.1:{port}, by port forwarding or a tunnel.\n"
    assert needs + sentence in said
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


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
        await host(ann.person, Host("grid", Terms(options), LOOPBACK))
    assert sentence in str(raised.value)
