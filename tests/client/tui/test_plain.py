"""`--ascii` means ASCII: on every page, in every game, to the last cell, whatever others write.

And without it nothing is drawn that could steer a terminal.
"""

import pytest
from textual.widgets import Static

from client.core.failure import CouldNot
from client.tui.match import MatchPage
from client.tui.settings import SettingsPage
from client.tui.waiting import WaitingPage
from protocol.client_frame import Chat, Resign
from protocol.games import TITLES
from tests.client.tui.application import (
    LARGE,
    SMALL,
    Opponent,
    at_board,
    new_app,
    page,
    result_shown,
    running,
    text_of,
    until,
)

MOVES = {"galaxy": "77", "conquer": "4", "grid": "5", "digit": "1", "duel": "1"}


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_every_page_of_the_menu(tmp_path, monkeypatch, size):
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    app = new_app(tmp_path, "--ascii")
    async with app.run_test(size=size) as pilot:
        for key in ["", *(f"{key} escape" for key in "12345678mbr"), "f1 pagedown escape", "ctrl+q"]:
            for each in key.split():
                await pilot.press(each)
                await pilot.pause()
                assert text_of(app).isascii()


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_every_match_and_its_result(tmp_path, game, size):
    async with running() as server, Opponent(server, tmp_path / "bob", "Zoë 猫") as bob:
        code = await bob.open(game)
        app = new_app(tmp_path / "ann", "join", "--ascii", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=size) as pilot:
            shown = await at_board(pilot)
            bob.session.send(Chat, match=code, text="à toi … ✓")
            await until(pilot, lambda: any("toi" in line for line in shown.query_one("#talk").texts()))
            for key in ("", *MOVES.get(game, ()), "right", "f2", "x", "escape", "f3", "escape", "f1", "f1"):
                if key:
                    await pilot.press(key)
                await pilot.pause()
                assert text_of(app).isascii()
            assert "Zo? ??" in text_of(app)
            bob.session.send(Resign, match=code)
            await until(pilot, lambda: result_shown(app))
            for key in ("", "pageup", "end", "v"):
                if key:
                    await pilot.press(key)
                await pilot.pause()
                assert text_of(app).isascii()


async def test_a_secret_number_and_a_lost_connection(tmp_path):
    async with running(db=str(tmp_path / "journal.db")) as server, Opponent(server, tmp_path / "bob") as bob:
        moves = iter([{"kind": "claim", "cell": 1}])
        bob.plan = lambda match: next(moves, None)
        code = await bob.open("grid")
        app = new_app(tmp_path / "ann", "join", "--ascii", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            await pilot.press("5")
            await until(pilot, lambda: app.match.turn == 2)
            await pilot.press("1")
            await until(pilot, lambda: app.screen is not shown)
            await pilot.press("right")
            await pilot.pause()
            assert "Your secret number" in text_of(app)
            assert text_of(app).isascii()
            await server.stop()
            await pilot.press("escape")
            await until(pilot, lambda: shown.banner.has_class("-shown"))
            await pilot.pause()
            assert "Waiting for the server, trying again (" in text_of(app)
            assert text_of(app).isascii()


async def test_the_waiting_page(tmp_path):
    app = new_app(tmp_path, "host", "grid", "--ascii", "--bind", "127.0.0.1", "--port", "0", "--no-tls")
    async with app.run_test(size=(120, 50)) as pilot:
        assert await until(pilot, lambda: page(app, WaitingPage))
        for key in ("", "r", "r", "c"):
            if key:
                await pilot.press(key)
            await pilot.pause()
            assert text_of(app).isascii()


async def test_the_setting_counts_at_once_and_can_be_taken_back(tmp_path):
    app = new_app(tmp_path, light=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s", "tab", "tab")
        for is_ascii in (True, False):
            await pilot.press("space")
            await pilot.pause()
            assert isinstance(app.screen, SettingsPage)
            assert text_of(app).isascii() == is_ascii
        await pilot.press("space", "escape")
        await pilot.pause()
        assert text_of(app).isascii()
        assert not isinstance(app.screen, MatchPage)


async def test_nothing_that_is_drawn_steers_the_terminal_whatever_a_page_forgets(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        hostile = Static("A\x1b]52;c;eA==\x07B\x9b2J\u202eC\ue000D", markup=False)
        hostile.border_title = "T\x1b[2J"
        hostile.styles.border = ("solid", "red")
        await app.screen.mount(hostile)
        app.complain(CouldNot("Line 1 of the record is damaged: \x1b[2J\x9bE: Extra inputs."))
        await pilot.pause()
        assert "damaged: [2JE: Extra" in text_of(app)
        await pilot.press("escape")
        await pilot.pause()
        drawn = text_of(app)
        assert "A]52;c;eA==B2JC�D" in drawn
        assert all(char == "\n" or char.isprintable() for char in drawn)
