"""Announcing and finding servers, on the loopback interface only."""

import asyncio
import secrets

import pytest

from client.net import lan
from client.net.lan import Found, announceable, announced, look_around

LOOPBACK = ("127.0.0.1",)
FINGERPRINT = "A" * 43


@pytest.fixture(autouse=True)
def _own_network(monkeypatch: pytest.MonkeyPatch) -> None:
    # Whoever is heard first ends the search, and other tests announce themselves on this machine, too.
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


def test_loopback_is_announced_only_where_it_was_named() -> None:
    hosts = ["192.0.2.7", "127.0.0.1", "::1", "example.org"]
    assert announceable(hosts, ()) == ("192.0.2.7",)
    assert announceable(hosts, LOOPBACK) == ("192.0.2.7", "127.0.0.1")


def test_interfaces_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CONQUEST_LAN", raising=False)
    assert lan.interfaces() == ()
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1,192.0.2.7")
    assert lan.interfaces() == ("127.0.0.1", "192.0.2.7")
