"""A service manager hears that the server is ready and alive, and costs it nothing where there is none."""

import socket

import pytest

from server.io import service


@pytest.fixture(params=["a file", "no file"])
def manager(request, tmp_path, monkeypatch):
    name = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as made:
        made.bind(name if request.param == "a file" else f"\0{name}")
        made.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", name if request.param == "a file" else f"@{name}")
        yield made


def test_the_manager_hears_what_it_is_told(manager):
    service.tell(service.READY)
    service.tell(service.ALIVE)
    assert [manager.recv(100) for _ in range(2)] == [b"READY=1", b"WATCHDOG=1"]


def test_a_manager_that_does_not_listen_holds_nobody_up(manager):
    for _ in range(5000):
        service.tell(service.ALIVE)
    assert manager.recv(100) == b"WATCHDOG=1"


@pytest.mark.parametrize("name", [None, "", "/nowhere/at/all"])
def test_where_there_is_no_manager_nothing_happens(monkeypatch, name):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    if name is not None:
        monkeypatch.setenv("NOTIFY_SOCKET", name)
    assert service.tell(service.ALIVE) is None
