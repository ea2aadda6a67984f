"""Windows of any size: the board comes first, what is too small says so, and resizing harms nothing."""

import re

import pytest

from client.tui.page import SMALLEST
from client.tui.scene import SMALLEST as SMALLEST_BOARD
from protocol.client_frame import Resign
from protocol.games import TITLES
from tests.client.tui.application import (
    LARGE,
    SMALL,
    Opponent,
    at_board,
    new_app,
    result_shown,
    running,
    text_of,
    until,
)

COMPACT = (60, 18)
SIZES = [tuple(SMALLEST), SMALL, (100, 30), (140, 24), LARGE, (200, 60)]


async def test_windows_that_are_too_small_say_so_and_the_board_comes_back(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            for width, height in [(20, 5), (1, 1), (COMPACT[0] - 1, 40), (200, COMPACT[1] - 1)]:
                await pilot.resize_terminal(width, height)
                await pilot.pause()
                assert shown.has_class("-tiny")
                await pilot.press("4")
            assert app.match.turn == 0
            await pilot.resize_terminal(*LARGE)
            await until(pilot, lambda: app.focused is shown.board)
            assert shown.query_one("#side").display
            assert not shown.query_one("#strip").display
            await pilot.resize_terminal(*SMALL)
            await pilot.pause()
            assert not shown.query_one("#side").display
            assert shown.board.size.height >= 16
            await pilot.press("4")
            await until(pilot, lambda: app.match.turn > 0)


@pytest.mark.parametrize("game", TITLES)
async def test_a_board_is_whole_in_every_window_that_is_large_enough(tmp_path, game):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open(game, hints=True)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            board = (await at_board(pilot)).board
            for size in SIZES:
                await pilot.resize_terminal(*size)
                await until(pilot, lambda wanted=size: tuple(app.size) == wanted)
                await pilot.pause()
                assert board.size.width >= SMALLEST_BOARD.width
                assert board.size.height >= SMALLEST_BOARD.height
                spots = board.drawn().spots
                assert spots
                for region in spots.values():
                    assert region.x >= 0
                    assert region.right <= board.size.width
                    assert region.bottom <= board.size.height
                assert "Your turn: " in text_of(app)


@pytest.mark.parametrize("size", SIZES[1:], ids=str)
async def test_every_key_has_room_in_the_footer(tmp_path, size):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("galaxy", hints=True)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=size) as pilot:
            await at_board(pilot)
            await pilot.press("4")
            await pilot.pause()
            footer = " ".join(text_of(app).splitlines()[-1].split())
            rules = "F1 Rules " if size[0] >= 100 else ""
            assert footer == f"Enter Choose Esc Back {rules}F2 Chat F3 Menu F6 Hint ? Keys ^Q Leave"


@pytest.mark.parametrize("game", TITLES)
async def test_the_result_fits_the_smallest_window(tmp_path, game):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open(game)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=tuple(SMALLEST)) as pilot:
            await at_board(pilot)
            bob.session.send(Resign, match=code)
            await until(pilot, lambda: result_shown(app))
            await pilot.pause()
            for words in ("You win!", "resigned", "Matches won", "Leave"):
                assert words in text_of(app)


async def test_chat_folds_away_before_the_board_does(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("galaxy")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=LARGE) as pilot:
            shown = await at_board(pilot)
            side, strip = shown.query_one("#side"), shown.query_one("#strip")
            seen = []
            for size in (LARGE, (120, 30), (80, 30), SMALL, tuple(SMALLEST)):
                await pilot.resize_terminal(*size)
                await until(pilot, lambda wanted=size: tuple(app.size) == wanted)
                await pilot.pause()
                seen.append((side.display, strip.size.height if strip.display else 0))
            assert seen == [(True, 0), (True, 0), (False, 7), (False, 3), (False, 0)]


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize("clock_s", [None, 60])
async def test_a_compact_window_still_shows_the_whole_board_and_what_is_expected(tmp_path, game, clock_s):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open(game, clock_s=clock_s)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=COMPACT) as pilot:
            shown = await at_board(pilot)
            await pilot.pause()
            assert shown.board.size.height >= SMALLEST_BOARD.height
            room = shown.board.size
            assert all(region.bottom <= room.height for region in shown.board.drawn().spots.values())
            assert "Your turn: " in text_of(app)
            assert bool(re.search(r"\d:\d\d left", text_of(app))) == (clock_s is not None)
            footer = " ".join(text_of(app).splitlines()[-1].split())
            assert footer.startswith("Enter Choose")
            assert footer.endswith("^Q Leave")


async def test_a_wide_window_has_the_moves_and_the_chat_beside_the_board(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=(110, 24)) as pilot:
            shown = await at_board(pilot)
            await pilot.press("4")
            await until(pilot, lambda: "1. You claim 4" in text_of(app))
            moves, talk = shown.query_one("#moves").region, shown.query_one("#talk").region
            assert moves.x == talk.x >= shown.board.region.right
            widths = []
            for size in ((110, 24), (160, 50)):
                await pilot.resize_terminal(*size)
                await until(pilot, lambda wanted=size: tuple(app.size) == wanted)
                await pilot.pause()
                widths.append(shown.board.drawn().spots["territory", 1].width)
            assert widths[0] < widths[1]
