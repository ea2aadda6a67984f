"""Announcing and finding servers, on the loopback interface only."""

import asyncio
import json
import secrets
from pathlib import Path

import pytest

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
