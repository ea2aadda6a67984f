"""Whole matches in full screen against a real server: by keys in every game, and by mouse."""

from functools import partial

import pytest

from client.tui.match import MatchPage
from client.tui.result import Result
from protocol.choice import spelled_out
from protocol.frame import Rematch, Resign
from protocol.games import TITLES
from tests.client.tui.sitting import SMALL, Opponent, at_board, new_app, page, running, until

OPTIONS = {"digit": {"draw": "choose"}, "grid": {"size": "2"}}


def wise(match):
    """Choose a move that brings the end nearer."""
    moves = list(spelled_out(match.legal))
    if match.game == "galaxy":
        return next(move for move in reversed(moves) if move["ship"] >= move["planet"])
    if match.game == "digit":
        score = match.view.scores[match.seat - 1]
        wanted = min(9, 50 - score)
        return next((m for m in moves if m.get("digit") == wanted or m["kind"] == "add"), moves[-1])
    return moves[0]


def weak(match):
    """Choose a move that does not get in the way."""
    moves = list(spelled_out(match.legal))
    if match.game == "galaxy":
        return next(move for move in moves if move["ship"] < move["planet"] or move["ship"] == 7)
    if match.game == "duel":
        return {"kind": "heal"}
    if match.game == "digit":
        return moves[0]
    return moves[-1]


def keys_of(move):
    """Say which keys make a move."""
    match move:
        case {"planet": planet, "ship": ship}:
            return [str(planet), str(ship)]
        case {"territory": number} | {"digit": number} | {"number": number} | {"cell": number}:
            return [str(number)]
        case {"kind": action}:
            return [str({"add": 1, "subtract": 2, "attack": 1, "defend": 2, "heal": 3}[action])]


def has_moved_on(app, match):
    now = app._chair.match
    return (now.turn, now.legal) != (match.turn, match.legal)


@pytest.mark.parametrize("game", TITLES)
async def test_a_whole_match_is_played_by_keys(tmp_path, game):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = weak
        code = await bob.open(game, options=OPTIONS.get(game, {}))
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            while page(app, Result) is None:
                await until(pilot, lambda: app._chair.match.legal or page(app, Result))
                match = app._chair.match
                if match.legal:
                    for key in keys_of(wise(match)):
                        await pilot.press(key)
                    await until(pilot, partial(has_moved_on, app, match))
            assert app._chair.match.outcome == bob.match.outcome
            assert shown.query_one("#moves").texts()


async def test_a_whole_match_is_played_by_mouse(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = weak
        code = await bob.open("galaxy")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            board = (await at_board(pilot)).board
            while page(app, Result) is None:
                await until(pilot, lambda: app._chair.match.legal or page(app, Result))
                match = app._chair.match
                if match.legal:
                    move = wise(match)
                    for spot in (("planet", move["planet"]), ("ship", move["ship"])):
                        await pilot.pause()
                        region = board._drawing.spots[spot]
                        await pilot.click(board, offset=(region.x + region.width // 2, region.bottom - 1))
                    await until(pilot, partial(has_moved_on, app, match))
            assert app._chair.match.outcome.winner == 1
            await pilot.click("#leave")
            await until(pilot, lambda: app._chair is None)
        assert app.failure is None


async def test_the_hint_says_whose_turn_it_is_and_what_is_expected(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            hint = shown.query_one("#hint")
            assert str(hint.content).startswith("Your turn")
            await pilot.press("4")
            await until(pilot, lambda: "Bob" in str(hint.content))
            assert isinstance(app.screen, MatchPage)


async def test_a_rematch_swaps_seats_and_keeps_the_score(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            bob.session.send(Resign, match=code)
            result = await until(pilot, lambda: page(app, Result))
            await until(pilot, lambda: app.screen is result)
            assert "You win!" in str(result.query_one("#headline").content)
            await pilot.press("r")
            await until(pilot, lambda: bob.match.offers)
            bob.session.send(Rematch, match=code)
            await until(pilot, lambda: app._chair.match.code != code and page(app, MatchPage).code != code)
            await at_board(pilot)
            assert app._chair.match.seat == 2
            assert app._chair.match.score == (0, 1)
