"""Whole matches in full screen against a real server: in every game, by keys and by mouse, to the result."""

import re
from functools import partial

import pytest

from client.local.saved import found
from client.net.history import read
from client.tui.games.pick import Fan, PickDialog
from client.tui.match import MatchPage
from protocol.choice import spelled_out
from protocol.client_frame import Rematch, Resign
from protocol.games import TITLES
from tests.client.tui.application import (
    LARGE,
    SMALL,
    Opponent,
    at_board,
    middle_of,
    new_app,
    page,
    result_shown,
    running,
    text_of,
    until,
)

MATCHES = [*((game, {}) for game in TITLES), ("digit", {"draw": "choose"})]
ACTIONS = {"add": ("add", 1), "subtract": ("subtract", 2)} | {
    action: ("action", number) for number, action in enumerate(("attack", "defend", "heal"), start=1)
}


def wise(match):
    """Choose a move that brings the end nearer; in Grid Conquest, the first chance to challenge."""
    moves = list(spelled_out(match.legal))
    if match.game == "galaxy":
        return next(move for move in reversed(moves) if move["ship"] >= move["planet"])
    if match.game == "digit":
        wanted = min(9, 50 - match.view.scores[match.seat - 1])
        return next((m for m in moves if m.get("digit") == wanted or m["kind"] == "add"), moves[-1])
    if match.game == "grid":
        is_fresh = len(match.view.hands[match.seat - 1]) == 5
        return next((m for m in moves if is_fresh and m["kind"] == "challenge"), moves[0])
    return moves[0]


def weak(match):
    """Choose a move that does not get in the way."""
    moves = list(spelled_out(match.legal))
    if match.game == "galaxy":
        return next(move for move in moves if move["ship"] < move["planet"] or move["ship"] == 7)
    if match.game == "duel":
        return {"kind": "heal"}
    return moves[0] if match.game == "digit" else moves[-1]


def spots_of(move):
    """Say what a player points at to make a move."""
    match move:
        case {"planet": planet, "ship": ship}:
            return [("planet", planet), ("ship", ship)]
        case {"kind": kind}:
            fields = [(name, value) for name, value in move.items() if name != "kind"]
            return fields or [ACTIONS[kind]]


def arrows_to(board, spot):
    """List the arrows that lead to a spot, and the key that chooses it."""
    rows = board.stops(board.scene)
    places = {each: (x, y) for y, row in enumerate(rows) for x, each in enumerate(row)}
    across, down = (to - at for at, to in zip(places[board.scene.cursor], places[spot], strict=True))
    sideways, upright = "right" if across > 0 else "left", "down" if down > 0 else "up"
    return [*[sideways] * abs(across), *[upright] * abs(down), "enter"]


async def by_keys(pilot, shown, move):
    """Type a move: by numbers on even turns, by arrows and Enter on odd ones."""
    for spot in spots_of(move):
        by_arrows = pilot.app.match.turn % 2 and spot[0] != "number"
        await pilot.press(*(arrows_to(shown.board, spot) if by_arrows else str(spot[1])))
        if spot[0] == "number":
            await pilot.press("enter")


async def by_mouse(pilot, shown, move):
    """Click a move together."""
    for spot in spots_of(move):
        await pilot.pause()
        target = pilot.app.screen.query_one(Fan) if spot[0] == "number" else shown.board
        for _ in range(2 if spot[0] == "number" else 1):
            await pilot.click(target, offset=middle_of(target, spot))


def has_moved_on(app, match):
    now = app.match
    return (now.turn, now.legal) != (match.turn, match.legal)


async def play_on(pilot, make):
    """Make wise moves until the match is over, and its result is shown."""
    app = pilot.app
    shown = await at_board(pilot)
    while result_shown(app) is None:
        await until(pilot, lambda: app.match.legal or result_shown(app))
        match = app.match
        if match.legal:
            move = wise(match)
            if move["kind"] == "pick":
                await until(pilot, lambda: isinstance(app.screen, PickDialog))
                await until(pilot, lambda: "Your secret number" in text_of(app))
            await make(pilot, shown, move)
            await until(pilot, partial(has_moved_on, app, match))
    await until(pilot, lambda: result_shown(app))
    await pilot.pause()


@pytest.mark.parametrize(("make", "size"), [(by_keys, SMALL), (by_mouse, LARGE)], ids=["by keys", "by mouse"])
@pytest.mark.parametrize(
    ("game", "options"), MATCHES, ids=lambda value: value if isinstance(value, str) else "".join(value) or "-"
)
async def test_a_whole_match_is_played(tmp_path, game, options, make, size):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = weak
        code = await bob.open(game, options=options)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=size) as pilot:
            await play_on(pilot, make)
            match = app.match
            assert match.outcome == bob.match.outcome
            moves = page(app, MatchPage).query_one("#moves").texts()
            assert any("picks a number" in line for line in moves) == (game == "grid")
            winner = "You win" if match.outcome.winner == match.seat else "Bob wins"
            await until(pilot, lambda: winner in text_of(app))
            assert "Matches won" in text_of(app)
            await (pilot.click("#leave") if make is by_mouse else pilot.press("q"))
            await until(pilot, lambda: app.playing is None)
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


@pytest.mark.parametrize("is_by_mouse", [False, True])
async def test_a_rematch_swaps_seats_and_keeps_the_score(tmp_path, is_by_mouse):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            bob.session.send(Resign, match=code)
            result = await until(pilot, lambda: result_shown(app))
            assert "You win!" in str(result.query_one("#headline").content)
            await (pilot.click("#rematch") if is_by_mouse else pilot.press("r"))
            await until(pilot, lambda: bob.match.offers)
            bob.session.send(Rematch, match=code)
            await until(pilot, lambda: (shown := page(app, MatchPage)) and shown.code != code)
            await at_board(pilot)
            await pilot.pause()
            assert app.match.seat == 2
            assert app.match.score == (0, 1)
            assert "Score: You 1, Bob 0" in text_of(app)


async def test_the_result_says_why_and_can_be_saved_and_reviewed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            await pilot.press("4")
            await until(pilot, lambda: app.match.turn == 2)
            bob.session.send(Resign, match=code)
            await until(pilot, lambda: result_shown(app))
            await pilot.pause()
            text = text_of(app)
            assert "Bob resigned. You win!" in text
            assert re.search(r"You +Territories 1 ", text)
            await pilot.press("s")
            await until(pilot, lambda: "Saved" in text_of(app))
            assert read(found("1")).header.match == code
            await pilot.press("v")
            await until(pilot, lambda: "Next mistake" in text_of(app))
            await pilot.press("escape")
            assert isinstance(app.screen, MatchPage)
            assert text_of(app).count("Bob resigned.") == 1
