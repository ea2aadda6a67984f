"""Windows of any size: the board comes first, what is too small says so, and resizing harms nothing."""

import pytest

from client.tui.page import SMALLEST
from client.tui.result import Result
from client.tui.scene import SMALLEST as SMALLEST_BOARD
from protocol.client_frame import Resign
from protocol.games import TITLES
from tests.client.tui.application import LARGE, SMALL, Opponent, at_board, new_app, running, text_of, until

SIZES = [tuple(SMALLEST), SMALL, (100, 30), (140, 24), LARGE, (200, 60)]


async def test_windows_that_are_too_small_say_so_and_the_board_comes_back(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            for width, height in [(20, 5), (1, 1), (SMALLEST.width - 1, 40), (200, SMALLEST.height - 1)]:
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
            keys = "Arrows Move Enter/1-9 Choose Esc Back F1 Rules F2 Chat F3 Menu F6 Hint ^Q Leave"
            assert footer == keys


@pytest.mark.parametrize("game", TITLES)
async def test_the_result_fits_the_smallest_window(tmp_path, game):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open(game)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=tuple(SMALLEST)) as pilot:
            await at_board(pilot)
            bob.session.send(Resign, match=code)
            await until(pilot, lambda: isinstance(app.screen, Result))
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
