"""The live list of the join page: real servers that announce themselves on the loopback interface."""

import contextlib
import secrets

import pytest

from client.net import lan
from client.net.lan import announced
from client.tui.dialog import Confirm
from client.tui.join import JoinPage
from client.tui.log import LogLines
from client.tui.table import Rows
from protocol.link import parse_link
from tests.client.people import Player, hosting
from tests.client.tui.application import LARGE, SMALL, Opponent, at_board, new_app, running, text_of, until

LOOPBACK = ("127.0.0.1",)


@pytest.fixture(autouse=True)
def network(monkeypatch):
    """Give each test a network of its own: others announce themselves on this machine, too."""
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    monkeypatch.setattr(lan, "SERVICE", f"_t{secrets.token_hex(4)}._tcp.local.")


def on_air(server):
    """Announce a server, as a host does."""
    return announced(LOOPBACK, server.port, None, pytest.fail, LOOPBACK)


def listed(app, name):
    """Find a player's match in the list: its place, or None."""
    found = app.screen._found
    return next((at for at, one in enumerate(found) if one.match.creator == name), None)


async def test_matches_appear_change_and_disappear_by_themselves(tmp_path):
    app = new_app(tmp_path / "ann")
    async with app.run_test(size=SMALL) as pilot, contextlib.AsyncExitStack() as hosts:
        await pilot.press("7")
        await until(pilot, lambda: isinstance(app.screen, JoinPage) and "Looking for matches" in text_of(app))
        assert listed(app, "Bob") is None
        server = await hosts.enter_async_context(running())
        on_the_air = await hosts.enter_async_context(contextlib.AsyncExitStack())
        await on_the_air.enter_async_context(on_air(server))
        bob = await hosts.enter_async_context(Opponent(server, tmp_path / "bob", "Bob"))
        code = await bob.open("duel")
        await until(pilot, lambda: listed(app, "Bob") is not None)
        eve = await hosts.enter_async_context(Opponent(server, tmp_path / "eve", "Eve"))
        await eve.open("grid", options={"size": "4"})
        await until(pilot, lambda: listed(app, "Eve") is not None)
        await pilot.pause()
        assert "size 4" in text_of(app)
        eve.join(code)
        await until(pilot, lambda: listed(app, "Bob") is None)
        assert listed(app, "Eve") is not None
        await on_the_air.aclose()
        await until(pilot, lambda: listed(app, "Eve") is None)


@pytest.mark.parametrize("size", [SMALL, LARGE])
@pytest.mark.parametrize("is_by_mouse", [False, True], ids=["by keys", "by mouse"])
async def test_a_match_is_chosen_from_the_list(tmp_path, size, is_by_mouse):
    async with (
        running() as server,
        on_air(server),
        Opponent(server, tmp_path / "zed", "Zed") as zed,
        Opponent(server, tmp_path / "eve", "Eve") as eve,
    ):
        await zed.open("conquer")
        await eve.open("conquer")
        app = new_app(tmp_path / "ann")
        async with app.run_test(size=size) as pilot:
            await pilot.press("7")
            await until(pilot, lambda: listed(app, "Zed") is not None and listed(app, "Eve") is not None)
            await pilot.pause()
            place = listed(app, "Zed")
            if is_by_mouse:
                await pilot.click(Rows, offset=(10, place))
            else:
                await pilot.press(*["down"] * place, "enter")
            await at_board(pilot)
            assert app.match.names == ("Ann", "Zed")


async def test_a_list_that_appears_does_not_interrupt_who_is_typing(tmp_path):
    async with running() as server, on_air(server), Opponent(server, tmp_path / "bob", "Zed") as zed:
        await zed.open("conquer")
        app = new_app(tmp_path / "ann")
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("7", "1")
            await until(pilot, lambda: listed(app, "Zed") is not None)
            await pilot.press("9", "2")
            assert app.screen.query_one("#where").value == "192"


@pytest.mark.parametrize("answer", ["n", "y"])
async def test_a_link_with_another_certificate_than_the_known_one_needs_a_word(tmp_path, answer):
    async with hosting(Player("Bob", tmp_path)) as (_, text):
        link = parse_link(text)
        app = new_app(tmp_path / "ann", "join", text)
        app.store.keep_fingerprint(link.host, link.port, "A" * 43)
        async with app.run_test(size=LARGE) as pilot:
            await until(pilot, lambda: isinstance(app.screen, Confirm))
            await pilot.pause()
            assert "Known: " + "A" * 43 in text_of(app)
            assert f"Link:  {link.fingerprint}" in text_of(app)
            await pilot.press(answer)
            if answer == "y":
                await at_board(pilot)
        assert (app.store.fingerprint(link.host, link.port) == link.fingerprint) == (answer == "y")
        assert answer == "y" or "nothing was changed" in str(app.failure)


async def test_a_certificate_that_is_remembered_is_shown_beside_the_board(tmp_path):
    async with hosting(Player("Bob", tmp_path)) as (_, text):
        link = parse_link(text)
        app = new_app(tmp_path / "ann", "join", f"{link.host}:{link.port}", link.code)
        async with app.run_test(size=LARGE) as pilot:
            shown = await at_board(pilot)
            said = shown.query_one("#talk", LogLines).texts()
            assert any(link.fingerprint in line for line in said)
