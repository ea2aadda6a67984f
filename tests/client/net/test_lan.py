"""Announcing and finding servers, on the loopback interface only."""

import asyncio
import json
import secrets
from pathlib import Path
from typing import Any

import pytest
from zeroconf import ServiceStateChange

from client.core.failure import CouldNot
from client.net import lan
from client.net.lan import Found, announceable, announced, look_around
from client.net.store import SavedSession, Store
from client.net.survey import find_match
from tests.client.tui.application import Opponent, running

LOOPBACK = ("127.0.0.1",)
FINGERPRINT = "A" * 43


@pytest.fixture(autouse=True)
def _own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whoever is heard first ends the search, and other tests announce themselves on this machine, too.
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    monkeypatch.setattr(lan, "SERVICE", f"_t{secrets.token_hex(4)}._tcp.local.")


async def test_what_is_announced_is_found_and_gone_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    complaints: list[str] = []
    async with announced(["127.0.0.1"], 40001, FINGERPRINT, complaints.append, LOOPBACK):
        found = await look_around(LOOPBACK)
        assert Found(("127.0.0.1",), 40001, FINGERPRINT, "1") in found
    monkeypatch.setattr(lan, "LOOK_S", 0.3)
    assert 40001 not in [one.port for one in await look_around(LOOPBACK)]
    assert complaints == []


async def test_a_fingerprint_that_is_none_is_not_believed() -> None:
    async with announced(["127.0.0.1"], 40002, "<script>", lambda text: None, LOOPBACK):
        found = {one.port: one for one in await look_around(LOOPBACK)}
    assert found[40002].fingerprint is None


async def test_a_network_without_multicast_is_a_sentence_and_no_failure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(named: object) -> None:
        raise OSError(101, "Network is unreachable")

    monkeypatch.setattr(lan, "_radio", broken)
    complaints: list[str] = []
    async with announced(["127.0.0.1"], 40003, None, complaints.append, LOOPBACK):
        await asyncio.sleep(0)
    assert complaints == [
        "This network does not let the match be announced (Network is unreachable); use the link."
    ]
    assert await look_around(LOOPBACK) == []


class Radio:
    """A network on which somebody announces a new name whenever another one was asked after."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, answers: bool) -> None:
        self.asked = 0
        self._answers = answers
        monkeypatch.setattr(lan, "_radio", lambda named: self)
        monkeypatch.setattr(lan, "_silence", self.silence)
        monkeypatch.setattr(lan, "_ask", self.ask)
        monkeypatch.setattr("zeroconf.asyncio.AsyncServiceBrowser", self.browse)
        self.zeroconf = None

    def browse(self, zeroconf: object, types: list[str], handlers: list[Any]) -> "Radio":
        self.announce = handlers[0]
        self.call(5 * lan.MOST_HEARD)
        return self

    def call(self, names: int) -> None:
        for number in range(names):
            self.announce(None, lan.SERVICE, f"{self.asked}-{number}", ServiceStateChange.Added)

    async def ask(self, radio: object, name: str) -> Found | None:
        self.asked += 1
        found = Found(("192.0.2.1",), self.asked % 60_000 + 1, None, "1")
        await asyncio.sleep(0)
        self.call(1)
        return found if self._answers else None

    async def async_cancel(self) -> None: ...

    async def silence(self, radio: object) -> None: ...


@pytest.mark.parametrize("answers", [True, False])
async def test_new_names_without_end_keep_nobody_looking_and_fill_no_list(
    monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    monkeypatch.setattr(lan, "LOOK_S", 0.3)
    radio = Radio(monkeypatch, answers)
    found = await look_around(LOOPBACK)
    assert len(found) == (lan.MOST_FOUND if answers else 0)
    assert radio.asked > lan.MOST_HEARD, "it went on and on"


async def test_names_are_asked_after_together_and_a_server_is_listed_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    radio = Radio(monkeypatch, answers=True)
    together = asyncio.Barrier(lan.MOST_HEARD)

    async def ask(radio: object, name: str) -> Found:
        await together.wait()
        return Found(("192.0.2.1",), 40004, None, "1")

    monkeypatch.setattr(lan, "_ask", ask)
    async with lan.Lookout(LOOPBACK) as lookout:
        assert await lookout.change(1)
        assert lookout.servers() == [Found(("192.0.2.1",), 40004, None, "1")]
    assert radio.asked == 0


async def test_a_match_is_found_by_its_code_alone_on_a_server_that_announces_itself(tmp_path: Path) -> None:
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel", private=True)
        async with announced(LOOPBACK, server.port, None, pytest.fail, LOOPBACK):
            place = await find_match("Ann", Store(tmp_path / "ann"), code)
    assert (place.target.host, place.target.port, place.code) == ("127.0.0.1", server.port, code)


async def test_a_match_that_is_nowhere_is_a_sentence_that_says_where_it_was_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lan, "LOOK_S", 0.3)
    store = Store(tmp_path)
    async with running() as server:
        there, away = f"127.0.0.1:{server.port}", "127.0.0.1:1"
        (tmp_path / "known_servers.json").write_text(json.dumps({"a b": "", away: ""}))
        saved = SavedSession("127.0.0.1", server.port, None, True, "token", "Ann", "00000000", "grid")
        store.new_session_file().save(saved)
        with pytest.raises(CouldNot) as raised:
            await find_match("Ann", store, "7K3M9QXZ")
    assert str(raised.value) == (
        "Match 7K3M-9QXZ was not found on this network (0 servers) or among the servers known from before"
        f" ({there}, {away}). There was no answer from {away}. Ask your friend for the"
        " whole link, or for the address as well."
    )


def test_loopback_is_announced_only_where_it_was_named() -> None:
    hosts = ["192.0.2.7", "127.0.0.1", "::1", "example.org"]
    assert announceable(hosts, ()) == ("192.0.2.7",)
    assert announceable(hosts, LOOPBACK) == ("192.0.2.7", "127.0.0.1")


def test_interfaces_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONQUEST_LAN", raising=False)
    assert lan.interfaces() == ()
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1,192.0.2.7")
    assert lan.interfaces() == ("127.0.0.1", "192.0.2.7")
