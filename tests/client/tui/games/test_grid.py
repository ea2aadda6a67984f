"""Grid Conquest's board: marks, hands and challenges; a secret number is never on the screen."""

import pytest
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import Input

from client.tui.board import Board
from client.tui.games import pick
from client.tui.games.grid import TURNING, draw
from client.tui.games.pick import Fan, PickDialog
from protocol.games.grid import Revealed
from tests.client.tui.games.stage import PEOPLE, Stage, inks_of, position_of, scene_of, shows

ROOM = (80, 24)
CHALLENGED = ("1 claim cell=5", "2 claim cell=1", "1 challenge cell=1")


@pytest.mark.parametrize("size", range(2, 7))
@pytest.mark.parametrize("room", [Size(56, 16), Size(92, 34)])
def test_every_cell_of_every_size_is_there(size, room):
    drawing = draw(scene_of(position_of("grid", size=str(size)), size=room))
    assert set(drawing.spots) == {("cell", cell) for cell in range(1, size * size + 1)}
    assert all(shows(drawing, f" {cell} ") for cell in range(1, size * size + 1))


def test_marks_differ_in_shape():
    drawing = draw(scene_of(position_of("grid", "1 claim cell=5", "2 claim cell=1")))
    assert inks_of(drawing, "▀▄ ▄▀") == {"p1 bold"}
    assert inks_of(drawing, "▄▀▀▀▄") == {"p2 bold"}
    small = draw(scene_of(position_of("grid", "1 claim cell=36", "2 claim cell=1", size="6"), is_ascii=True))
    assert inks_of(small, "X") == {"p1 bold"}


def test_spent_numbers_are_struck_out():
    position = position_of("grid", *CHALLENGED, "1 pick number=5", "2 pick number=4")
    drawing = draw(scene_of(position, seat=2))
    assert inks_of(drawing, "─5─") == {"muted strike"}
    assert inks_of(drawing, "[4]") == {"p1 bold"}


def test_the_challenged_cell_is_marked_and_picks_lie_face_down():
    drawing = draw(scene_of(position_of("grid", *CHALLENGED, "1 pick number=3"), seat=2))
    assert shows(drawing, "═ ? ═")
    assert shows(drawing, "Challenge: cell 1")
    assert shows(drawing, "│▒▒▒▒▒│")


@pytest.mark.parametrize("viewer", [1, 2, 0])
def test_a_standing_pick_changes_nothing_on_any_screen(viewer):
    drawings = [
        draw(scene_of(position_of("grid", *CHALLENGED, f"1 pick number={number}"), viewer))
        for number in (2, 5)
    ]
    assert drawings[0] == drawings[1]


def test_both_cards_turn():
    position = position_of("grid", *CHALLENGED, "1 pick number=5")
    before = position.view(2)
    events = tuple(position.play(2, "pick", number=4))

    def step(frames_left):
        return draw(scene_of(position, seat=2, events=events, before=before, frames_left=frames_left))

    assert sum(line.count("▒▒▒▒▒") for line in step(TURNING).texts()) == 6
    assert not shows(step(TURNING), "┃  5  ┃")
    assert sum(line.count("┃") for line in step(TURNING // 2).texts()) == 10
    assert shows(step(1), "┃  5  ┃")
    assert shows(step(0), "┃  4  ┃")


def test_the_cell_changes_hands_when_the_cards_have_turned():
    position = position_of("grid", *CHALLENGED, "1 pick number=5")
    before = position.view(2)
    events = tuple(position.play(2, "pick", number=4))
    turning = draw(scene_of(position, seat=2, events=events, before=before, frames_left=1))
    assert shows(turning, "▄▀▀▀▄")
    assert not inks_of(turning, "─5─")
    assert not shows(draw(scene_of(position, seat=2, events=events, before=before)), "▄▀▀▀▄")


def test_sudden_death_is_told():
    view = position_of("grid", size="2").view(1).model_copy(update={"sudden_death": True})
    assert shows(draw(scene_of(position_of("grid", size="2"), view=view)), "Sudden Death")


async def test_R6_sudden_death_offers_no_claim():
    moves = ("1 claim cell=1", "2 claim cell=2", "1 claim cell=3", "2 claim cell=4")
    stage = Stage(position_of("grid", *moves, size="2"))
    async with stage.run_test(size=ROOM) as pilot:
        assert stage.board.hint == "Your turn: challenge one of your opponent's cells"
        await pilot.press("1", "2")
    assert stage.chosen == [{"kind": "challenge", "cell": 2}]


async def test_cells_are_claimed_and_challenged_by_what_is_in_them():
    stage = Stage(position_of("grid", "1 claim cell=5", "2 claim cell=1"))
    async with stage.run_test(size=ROOM) as pilot:
        assert stage.board.hint == "Your turn: claim an empty cell or challenge one of your opponent's"
        await pilot.press("5")
        assert stage.board.hint.startswith("Cell 5 is not your opponent's.")
        assert stage.chosen == []
        await pilot.press("1", "9")
    assert stage.chosen == [{"kind": "challenge", "cell": 1}, {"kind": "claim", "cell": 9}]


async def test_a_number_that_no_cell_has_gets_the_line_clients_sentence():
    stage = Stage(position_of("grid", size="2"))
    async with stage.run_test(size=ROOM) as pilot:
        for key in "70":
            await pilot.press(key)
            assert stage.board.hint == "The cells are 1 to 4. Please select a valid cell."
    assert stage.chosen == []


async def test_numbers_of_two_digits_wait_for_the_second():
    stage = Stage(position_of("grid", size="6"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("1")
        assert stage.chosen == []
        await pilot.press("2", "7", "3", "enter", "2", "escape", "3", "0")
    assert [move["cell"] for move in stage.chosen] == [12, 7, 3, 30]


class TestDialog:
    async def test_opens_by_itself_and_a_typed_number_leaves_no_trace(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            assert isinstance(stage.screen, PickDialog)
            await pilot.press("4")
            assert "[" not in "".join(stage.screen.query_one(Fan).drawn().texts())
            await pilot.press("enter")
            assert not isinstance(stage.screen, PickDialog)
            assert stage.chosen == [{"kind": "pick", "number": 4}]
            picture = stage.texts()
            stage.play(1, "pick", number=4)
            await pilot.pause()
            assert stage.board.hint == "Waiting for Bob to choose a number"
            assert picture.count("4") == stage.texts().count("4")

    async def test_a_number_is_chosen_then_played_and_can_be_changed_between(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            await pilot.press("enter", "4", "2")
            assert stage.chosen == []
            assert str(stage.screen.query_one("#way").render()) == pick.CHOSEN
            await pilot.press("enter")
        assert stage.chosen == [{"kind": "pick", "number": 2}]

    async def test_a_setting_plays_a_typed_number_at_once(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        stage.confirms_picks = False
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            await pilot.press("4")
        assert stage.chosen == [{"kind": "pick", "number": 4}]

    async def test_what_opens_by_itself_takes_no_key_meant_for_the_board(self, put_off):
        stage = Stage(position_of("grid", *CHALLENGED))
        put_off.is_held = True
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            await pilot.press("4", "enter", "right", "escape", "enter")
            await pilot.click(Fan, offset=(40, 2))
            assert isinstance(stage.screen, PickDialog)
            assert str(stage.screen.query_one("#way").render()) == ""
            put_off()
            await pilot.press("enter")
            assert stage.chosen == []
            await pilot.press("3", "enter")
        assert stage.chosen == [{"kind": "pick", "number": 3}]

    async def test_what_the_player_opens_takes_keys_at_once(self, put_off):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            await pilot.press("escape")
            put_off.is_held = True
            await pilot.press("enter", "5", "enter")
        assert stage.chosen == [{"kind": "pick", "number": 5}]

    async def test_shows_what_both_have_left(self):
        spent = ("1 pick number=5", "2 pick number=4", "2 challenge cell=5")
        stage = Stage(position_of("grid", *CHALLENGED, *spent), seat=2)
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            hands = str(stage.screen.query_one("#hands").render())
            assert hands == "Ann: 1, 2, 3, 4\nBob: 1, 2, 3, 5"

    async def test_takes_arrows_and_shows_no_cursor_before(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            fan = stage.screen.query_one(Fan)
            assert "[" not in "".join(fan.drawn().texts())
            await pilot.press("right", "right", "right", "left", "enter")
        assert stage.chosen == [{"kind": "pick", "number": 2}]

    async def test_takes_clicks(self):
        stage = Stage(position_of("grid", *CHALLENGED), seat=2)
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            await pilot.click(Fan, offset=(40, 2))
            await pilot.pause()
            assert isinstance(stage.screen, PickDialog)
            await pilot.click(Fan, offset=(40, 2))
            await pilot.pause()
        assert stage.chosen == [{"kind": "pick", "number": 5}]

    async def test_refuses_what_is_spent_in_the_books_words(self):
        spent = ("1 pick number=5", "2 pick number=4", "2 challenge cell=5")
        stage = Stage(position_of("grid", *CHALLENGED, *spent), seat=2)
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            await pilot.press("4")
            assert isinstance(stage.screen, PickDialog)
            wrong = str(stage.screen.query_one("#wrong").render())
            assert wrong == "Error: Number 4 has already been used. Please select a valid number."
        assert stage.chosen == []

    async def test_can_be_put_aside_and_opened_again(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            await pilot.press("escape")
            assert not isinstance(stage.screen, PickDialog)
            assert stage.board.hint == "Your turn: press Enter and choose a secret number"
            stage.show()
            await pilot.pause()
            assert not isinstance(stage.screen, PickDialog)
            await pilot.press("enter", "1", "enter")
        assert stage.chosen == [{"kind": "pick", "number": 1}]

    async def test_does_not_open_again_for_news_that_cross_a_number_on_its_way(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            dialog = stage.screen
            dialog.dismiss(4)
            stage.board._take_pick(4)
            stage.play(2, "pick", number=3)
            assert not isinstance(stage.screen, PickDialog)
            dialog.dismiss(5)
            stage.board._take_pick(5)
            await pilot.pause()
            assert not isinstance(stage.screen, PickDialog)
        assert stage.chosen == [{"kind": "pick", "number": 4}]

    async def test_goes_when_nothing_is_asked_any_more(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            stage.board.show(stage.position.view(1), (), 1, PEOPLE)
            await pilot.pause()
            assert not isinstance(stage.screen, PickDialog)
        assert stage.chosen == []

    async def test_does_not_come_back_from_under_another_screen(self):
        stage = Stage(position_of("grid", *CHALLENGED))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            cover: Screen[None] = Screen()
            await stage.push_screen(cover)
            stage.board.show(stage.position.view(1), (), 1, PEOPLE)
            await pilot.pause()
            assert cover.is_active
            await stage.pop_screen()
            await pilot.pause()
            assert stage.board.screen.is_active

    async def test_does_not_interrupt_who_is_writing(self):
        stage = Stage(position_of("grid", *CHALLENGED[:2]), seat=2)
        async with stage.run_test(size=ROOM) as pilot:
            await stage.mount(Input())
            stage.query_one(Input).focus()
            await pilot.pause()
            stage.play(1, "challenge", cell=1)
            await pilot.pause()
            assert stage.board.screen.is_active
            assert stage.board.hint == "Your turn: press Enter and choose a secret number"


def test_the_dialogs_cards_all_look_alike():
    texts = pick.draw((1, 3, 5), None, "p1", is_ascii=False).texts()
    cards = [[line[at + 1 : at + 8] for line in texts[:5]] for at in (0, 18, 36)]
    assert cards[0] == cards[1] == cards[2]
    assert cards[0] != [line[10:17] for line in texts[:5]]


def test_only_a_reveal_is_animated():
    board: Board = Stage(position_of("grid")).board
    assert board.frames(position_of("grid", "1 claim cell=5").events) == 0
    revealed = Revealed(cell=1, challenger=1, numbers=(5, 4), owner=1)
    assert board.frames([revealed]) == TURNING


async def test_how_two_digits_are_typed_is_said_where_there_are_more_than_nine_cells():
    for size, is_said in (("3", False), ("4", True)):
        stage = Stage(position_of("grid", size=size))
        async with stage.run_test(size=(80, 24)) as pilot:
            assert ("1 2 is cell 12, 1 Enter is cell 1" in stage.board.hint) == is_said
            if is_said:
                await pilot.press("1")
                assert stage.board.hint.endswith("1…")
                await pilot.press("2")
                await pilot.pause()
                assert stage.chosen == [{"kind": "claim", "cell": 12}]
