"""Looking back while a match goes on: every board can be walked back, and marks the last move."""

import re

import pytest

from client.core.people import People
from client.core.step import beginning, grown
from client.tui.board import Board
from client.tui.games import BOARDS
from protocol.client_frame import Play, Rematch, Resign
from protocol.games import TITLES
from tests.client.tui.application import (
    SMALL,
    Opponent,
    at_board,
    match_of_others,
    new_app,
    page,
    result_shown,
    running,
    text_of,
    until,
)
from tests.client.tui.games.stage import PEOPLE, position_of, random_positions, scene_of


def hint_of(shown):
    return str(shown.query_one("#hint").content)


def claim(territory):
    return {"kind": "claim", "territory": territory}


@pytest.fixture
async def playing(tmp_path):
    """Play Conquer against Bob, who moves when he is told to."""
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            yield pilot, bob, code, await at_board(pilot)


async def test_the_board_is_walked_back_and_a_new_move_is_announced(playing):
    pilot, bob, code, shown = playing
    await pilot.press("4")
    await until(pilot, lambda: bob.match.legal)
    await pilot.press("pageup")
    assert shown.board.scene.view.territories == (0,) * 7
    assert hint_of(shown).startswith("Looking back: The beginning. The last: 1. You claim 4.")
    bob.session.send(Play, match=code, turn=1, move=claim(5))
    await until(pilot, lambda: pilot.app.match.turn == 2)
    await until(pilot, lambda: "The last: 2. Bob claims 5." in hint_of(shown))
    assert shown.board.scene.view.territories == (0,) * 7
    await pilot.press("pagedown")
    assert shown.board.scene.view.territories == (0, 0, 0, 1, 0, 0, 0)
    assert hint_of(shown).startswith("Looking back: 1. You claim 4.")


async def test_no_move_is_made_while_looking_back_and_the_present_is_one_key_away(playing):
    pilot, bob, code, shown = playing
    await pilot.press("4")
    await until(pilot, lambda: bob.match.legal)
    bob.session.send(Play, match=code, turn=1, move=claim(5))
    await until(pilot, lambda: pilot.app.match.legal and shown.board.scene.legal)
    await pilot.press("home", "1", "enter")
    assert not pilot.app.playing.seat.is_move_under_way
    await pilot.press("escape")
    assert hint_of(shown).startswith("Your turn")
    await pilot.press("1")
    await until(pilot, lambda: pilot.app.match.turn == 3)


async def test_who_comes_late_can_look_back_too(tmp_path):
    async with match_of_others(tmp_path, "conquer") as (address, code, eve, bob):
        eve.session.send(Play, match=code, turn=0, move=claim(4))
        app = new_app(tmp_path / "ann", "watch", address, code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            await until(pilot, lambda: bob.match.legal)
            await until(pilot, lambda: shown.query_one("#moves").texts() == ["1. Eve claims 4"])
            assert shown.board.scene.just(object).territory == 4
            await pilot.press("pageup")
            assert shown.board.scene.view.territories == (0,) * 7


async def test_the_moves_are_numbered_and_name_you_and_your_friend(playing):
    pilot, bob, code, shown = playing
    await pilot.press("4")
    await until(pilot, lambda: bob.match.legal)
    bob.session.send(Play, match=code, turn=1, move=claim(5))
    await until(pilot, lambda: pilot.app.match.turn == 2)
    assert shown.query_one("#moves").texts() == ["1. You claim 4", "2. Bob claims 5"]


async def test_you_keep_your_side_and_colour_in_a_rematch(playing):
    pilot, bob, code, shown = playing
    assert re.search(r"█ You +▒ Bob", text_of(pilot.app))
    bob.session.send(Resign, match=code)
    await until(pilot, lambda: result_shown(pilot.app))
    await pilot.press("r")
    await until(pilot, lambda: bob.match.offers)
    bob.session.send(Rematch, match=code)
    await until(pilot, lambda: type(shown) is type(pilot.app.screen) and pilot.app.screen is not shown)
    shown = await at_board(pilot)
    await until(pilot, lambda: pilot.app.match.seat == 2)
    assert re.search(r"█ You +► ▒ Bob", text_of(pilot.app))
    assert shown.board.scene.people == People(("Bob", "Ann"), reader=2, left=2)
    bob.session.send(Play, match=bob.match.code, turn=0, move=claim(4))
    await until(pilot, lambda: shown.query_one("#moves").texts() == ["1. Bob claims 4"])
    assert "▒ Bob" in "\n".join(shown.board.drawn().texts())


async def test_a_result_stays_true_when_the_other_has_left(playing):
    pilot, bob, code, _ = playing
    bob.session.send(Resign, match=code)
    result = await until(pilot, lambda: result_shown(pilot.app))
    assert not result.query_one("#rematch").disabled
    await bob.session.__aexit__(None, None, None)
    await until(pilot, lambda: result.query_one("#rematch").disabled)
    await pilot.press("r")
    assert not pilot.app.match.offers


async def test_the_final_board_can_be_walked_through(playing):
    pilot, bob, code, shown = playing
    await pilot.press("4")
    await until(pilot, lambda: bob.match.legal)
    bob.session.send(Resign, match=code)
    await until(pilot, lambda: result_shown(pilot.app))
    assert "█" in "\n".join(shown.board.drawn().texts())
    await pilot.press("pageup")
    await until(pilot, lambda: "Looking back: The beginning." in text_of(pilot.app))
    assert page(pilot.app, type(shown)) is shown


@pytest.mark.parametrize("game", TITLES)
def test_the_last_move_is_marked_on_every_board(game):
    board: Board = BOARDS[game]()
    marked = 0
    for position in random_positions(game, 30):
        if any(hasattr(event, "seat") for event in position.events):
            with_mark = board.draw(scene_of(position, events=tuple(position.events))).texts()
            without = board.draw(scene_of(position)).texts()
            marked += with_mark != without
    assert marked > 10


@pytest.mark.parametrize("game", TITLES)
def test_every_step_of_the_past_can_be_drawn(game):
    steps = beginning(game, {})
    board: Board = BOARDS[game]()
    for position in random_positions(game, 12):
        steps = grown(steps if position.events else beginning(game, {}), game, {}, position.events)
        scene = scene_of(position, view=steps[-1].view, legal=(), events=steps[-1].events, people=PEOPLE)
        assert board.draw(scene).spots or game == "digit"


def test_a_hint_is_pointed_out_on_the_board():
    position = position_of("galaxy")
    drawn = BOARDS["galaxy"]().draw(scene_of(position, hinted=frozenset({("planet", 7), ("ship", 7)})))
    assert sum(line.count("!") for line in drawn.texts()) == 4
