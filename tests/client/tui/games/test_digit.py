"""Digit Conquest's board: two tracks, what the card would do on them, and the deck by digit."""

import pytest

from client.tui.games.digit import after, draw
from protocol.choice import Choice
from protocol.games.digit import View
from protocol.model import SEATS
from tests.client.tui.games.stage import PEOPLE, Stage, inks_of, position_of, scene_of, shows
from tests.server.games.position import Position, Stacked

ROOM = (80, 24)


def stacked(*digits, moves=()):
    """Draw cards in a given order, and play a move with each."""
    position = Position("digit", Stacked(digits))
    for number, kind in enumerate(moves):
        position.play(SEATS[number % 2], kind)
    return position


def test_the_tracks_show_the_scores():
    drawing = draw(scene_of(stacked(7, 5, 3, moves=("add", "add"))))
    assert shows(drawing, "7 of 50")
    assert shows(drawing, "5 of 50")
    assert shows(drawing, "│" + "█" * 7 + "+++─")
    assert shows(drawing, "│▒▒<<<─")


def test_what_can_be_done_is_shown_with_what_it_leads_to():
    scene = scene_of(stacked(7, 5, 3, moves=("add", "add")))
    assert (after(scene, "add"), after(scene, "subtract")) == ((1, 10), (2, 2))
    drawing = draw(scene)
    assert shows(drawing, "7 to 10")
    assert shows(drawing, "5 to 2")


def test_what_cannot_be_done_is_struck_out():
    drawing = draw(scene_of(stacked(7)))
    assert shows(drawing, "not possible")
    assert inks_of(drawing, "Subtract 7") == {"muted strike"}


def test_who_waits_sees_what_the_opponent_could_do():
    drawing = draw(scene_of(stacked(7), seat=2))
    assert shows(drawing, "0 to 7")
    assert shows(drawing, "not possible")
    assert not shows(drawing, "-7")


def test_the_deck_is_counted_by_digit():
    drawing = draw(scene_of(stacked(7, 7, moves=("add",)), seat=2))
    assert shows(drawing, "Cards left by digit, 34 in all")
    assert shows(drawing, "████  ██░░  ████")


def test_a_score_of_fifty_fills_its_track():
    view = View(viewer=1, to_act=(), scores=(50, 0), drawn=None, deck=(4,) * 9)
    drawing = draw(scene_of(stacked(1), view=view, legal=()))
    assert shows(drawing, "│" + "█" * 50 + "│")
    assert shows(drawing, "no card")


@pytest.mark.parametrize("keys", [["1"], ["enter"], ["right", "left", "enter"]])
async def test_the_card_is_added(keys):
    stage = Stage(stacked(7, 5, 3, moves=("add", "add")))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press(*keys)
    assert stage.chosen == [{"kind": "add"}]


async def test_what_is_not_possible_gets_the_line_clients_sentence():
    stage = Stage(stacked(7))
    async with stage.run_test(size=ROOM) as pilot:
        await stage.click(pilot, ("subtract", 2))
        assert stage.board.hint.startswith("Subtracting 7 would take your opponent's score below 0.")
        await stage.click(pilot, ("digit", 7))
        assert (
            stage.board.hint == "Your turn: add the card to your score, or subtract it from your opponent's"
        )
    assert stage.chosen == []


async def test_a_card_is_chosen_from_the_deck_when_that_was_agreed():
    stage = Stage(position_of("digit", draw="choose"))
    async with stage.run_test(size=ROOM) as pilot:
        assert stage.board.hint == "Your turn: choose a card from the deck"
        await pilot.press("right", "right", "enter", "9")
    assert stage.chosen == [{"kind": "draw", "digit": 3}, {"kind": "draw", "digit": 9}]


async def test_the_cursor_goes_to_cards_that_are_there():
    position = position_of("digit", draw="choose")
    view = position.view(1).model_copy(update={"deck": (0, 4, 0, 4, 4, 4, 4, 4, 4)})
    legal = (Choice(kind="draw", values={"digit": (2, 4, 5, 6, 7, 8, 9)}),)
    stage = Stage(position)
    async with stage.run_test(size=(80, 24)) as pilot:
        stage.board.show(view, legal, 1, PEOPLE)
        assert stage.board.scene.cursor == ("digit", 2)
        await pilot.press("right")
        assert stage.board.scene.cursor == ("digit", 4)
        await pilot.press("3")
        assert "There is no 3 left" in stage.board.hint
