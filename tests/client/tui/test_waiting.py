"""Whoever waits for a server is told what is awaited, and after a while what can be done."""

import socket

import pytest

from client.flow.wanted import GoBack, Host, HostAt, JoinAt, PlayHere, PlayTwo, WatchAt
from client.net.connection import Target
from client.net.place import Place
from client.tui.waiting import HERE, THERE, OnTheWay, awaited
from tests.client.tui.application import SMALL, new_app, page, text_of, until

AWAY = Target("198.51.100.7", 7557)


@pytest.mark.parametrize(
    ("wanted", "said", "advice"),
    [
        (PlayHere("grid"), "Starting a game on this machine…", HERE),
        (PlayTwo("grid"), "Starting a game on this machine…", HERE),
        (Host("grid"), "Starting a server on this machine…", HERE),
        (HostAt(AWAY, "grid"), "Reaching 198.51.100.7:7557…", THERE),
        (JoinAt(Place(AWAY, "7K3M9QXZ")), "Reaching 198.51.100.7:7557…", THERE),
        (WatchAt(code="7K3M9QXZ"), "Looking for the match 7K3M-9QXZ…", THERE),
        (GoBack(), "Going back to the match…", THERE),
    ],
    ids=str,
)
def test_what_is_awaited_is_named(wanted, said, advice):
    assert awaited(wanted) == (said, advice)


async def test_who_waits_for_long_is_told_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr("client.tui.waiting.LONG_S", 0.001)
    silent = socket.create_server(("127.0.0.1", 0))
    address = f"127.0.0.1:{silent.getsockname()[1]}"
    app = new_app(tmp_path, "join", address, "7K3M-9QXZ")
    with silent:
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: page(app, OnTheWay))
            await until(pilot, lambda: f"Reaching {address}…" in text_of(app))
            await until(pilot, lambda: "This takes long." in text_of(app))
            await pilot.press("escape")
            await until(pilot, lambda: not app.errand.is_under_way)
