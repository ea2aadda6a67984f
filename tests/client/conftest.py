"""Two players on a network of their own."""

import secrets
from pathlib import Path

import pytest

from client.net import lan
from tests.client.people import Player


@pytest.fixture
def _own_home_and_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "server"))
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    # Other tests may be hosting on this machine at the same time.
    monkeypatch.setattr(lan, "SERVICE", f"_t{secrets.token_hex(4)}._tcp.local.")


@pytest.fixture
def ann(_own_home_and_network: None, tmp_path: Path) -> Player:
    return Player("Ann", tmp_path)


@pytest.fixture
def bob(_own_home_and_network: None, tmp_path: Path) -> Player:
    return Player("Bob", tmp_path)
