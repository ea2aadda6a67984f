"""What every board does: keys and mouse make exactly the legal moves, and the hint says what is expected."""

import pytest
from textual.app import App

from client.tui.board import Board
from client.tui.games import BOARDS
from protocol.games import TITLES
from tests.client.tui.games.stage import PEOPLE, Stage, legal_of, position_of, random_positions

ROOM = (80, 24)


def spots_of(move):
    """Say which spots a player points at to make a move."""
    match move:
        case {"kind": "add" | "subtract" as action}:
            return [(action, 1 if action == "add" else 2)]
        case {"kind": "attack" | "defend" | "heal" as action, **fields} if not fields:
            return [("action", ("attack", "defend", "heal").index(action) + 1)]
    return [(field, number) for field, number in move.items() if field != "kind"]


def positions(game, count, **options):
    """List random positions with a player who owes a move other than a secret number."""
    for position in random_positions(game, count, **options):
        for seat in sorted(position.to_act):
            if not any(move["kind"] == "pick" for move in position.legal(seat)):
                yield position, seat


def typed(stage, number):
    """List the keys that type a number, with Enter after one that could still grow."""
    numbers = [spot[1] for row in stage.board.stops(stage.board.scene) for spot in row]
    can_grow = any(number * 10 <= other < number * 10 + 10 for other in numbers)
    return [*str(number), *(["enter"] if can_grow else [])]


@pytest.mark.parametrize(
    ("game", "options"),
    [(game, {}) for game in TITLES] + [("grid", {"size": "6"}), ("digit", {"draw": "choose"})],
    ids=lambda value: "".join(value) or None,
)
class TestEveryLegalMove:
    async def test_can_be_typed(self, game, options):
        stage, made = Stage(position_of(game, **options)), []
        async with stage.run_test(size=ROOM) as pilot:
            for position, seat in positions(game, 8, **options):
                for move in position.legal(seat):
                    stage.show(position, seat)
                    for spot in spots_of(move):
                        await stage.strike(*typed(stage, spot[1]))
                    made.append(move)
            await pilot.pause()
        assert stage.chosen == made

    async def test_can_be_reached_by_arrows(self, game, options):
        stage, made = Stage(position_of(game, **options)), []
        async with stage.run_test(size=ROOM) as pilot:
            for position, seat in positions(game, 8, **options):
                for move in position.legal(seat):
                    stage.show(position, seat)
                    for spot in spots_of(move):
                        await stage.strike(*stage.path_to(spot))
                    made.append(move)
            await pilot.pause()
        assert stage.chosen == made

    async def test_can_be_clicked_on(self, game, options):
        stage, made = Stage(position_of(game, **options)), []
        async with stage.run_test(size=ROOM) as pilot:
            for position, seat in positions(game, 2, **options):
                for move in position.legal(seat)[-2:]:
                    stage.show(position, seat)
                    await pilot.pause()
                    await stage.click(pilot, *spots_of(move))
                    made.append(move)
            await pilot.pause()
        assert stage.chosen == made


@pytest.mark.parametrize("game", TITLES)
class TestWaiting:
    async def test_nothing_can_be_chosen_and_the_hint_says_who_is_waited_for(self, game):
        position = position_of(game)
        stage = Stage(position, seat=2)
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.press("1", "enter", "right", "enter", "1", "escape")
            for spot in list(stage.board.drawn().spots)[::5]:
                await stage.click(pilot, spot)
            assert stage.board.hint == "Waiting for Ann to move"
        assert stage.chosen == []

    async def test_a_spectator_is_told_the_same_and_chooses_nothing(self, game):
        stage = Stage(position_of(game), seat=0)
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.press("1", "enter", "2")
            assert stage.board.hint == "Waiting for Ann to move"
        assert stage.chosen == []

    async def test_the_end_is_the_end(self, game):
        (position,) = [position for position in random_positions(game, 400, seed=4) if position.outcome][:1]
        stage = Stage(position, seat=1)
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.press("1", "enter")
            assert stage.board.hint == "The match is over."
        assert stage.chosen == []


@pytest.mark.parametrize("game", TITLES)
class TestRoom:
    async def test_a_board_works_in_a_bare_application(self, game):
        class Bare(App[None]):
            def compose(self):
                yield BOARDS[game]()

        position = position_of(game)
        async with Bare().run_test(size=ROOM) as pilot:
            board = pilot.app.query_one(Board)
            assert board.hint == ""
            board.show(position.view(1), legal_of(position, 1), 1, PEOPLE)
            await pilot.pause()
            assert board.hint.startswith("Your turn: ")
            assert "Ann" in pilot.app.export_screenshot()

    async def test_a_room_that_is_too_small_shows_what_the_line_client_prints(self, game):
        stage = Stage(position_of(game))
        async with stage.run_test(size=(50, 16)):
            assert (
                stage.texts().split("\n")[0].rstrip() in stage.board.RENDERER.board(stage.position.view(1))[0]
            )

    async def test_a_room_a_little_too_low_cuts_the_last_rows_off(self, game):
        stage = Stage(position_of(game))
        async with stage.run_test(size=(80, 15)) as pilot:
            whole = stage.texts()
            await pilot.resize_terminal(80, 13)
            await pilot.pause()
            assert stage.texts() == whole
            assert "Ann" in stage.export_screenshot()

    async def test_resizing_draws_anew(self, game):
        stage = Stage(position_of(game))
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.resize_terminal(120, 40)
            await pilot.pause()
            assert len(stage.texts().split("\n")) == 40
            assert "Ann" in stage.export_screenshot()

    @pytest.mark.parametrize("is_dark", [True, False])
    async def test_players_have_the_themes_colours(self, game, is_dark):
        stage = Stage(position_of(game), is_dark=is_dark)
        async with stage.run_test(size=ROOM) as pilot:
            await pilot.pause()
            picture = stage.export_screenshot()
        assert all(stage.theme_variables[seat] in picture for seat in ("p1", "p2"))


async def test_hints_are_told_when_they_change_and_only_then():
    stage = Stage(position_of("conquer"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("right", "left", "right")
        stage.show()
        stage.play(1, "claim", territory=3)
        stage.show()
        await pilot.pause()
    assert stage.hints == ["Your turn: choose a territory to claim", "Waiting for Bob to move"]


async def test_a_view_that_comes_again_leaves_the_half_made_move_alone():
    stage = Stage(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("4")
        stage.show()
        await pilot.press("6")
    assert stage.chosen == [{"kind": "attack", "planet": 4, "ship": 6}]


async def test_a_new_view_forgets_the_half_made_move():
    stage = Stage(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("4")
        stage.show(position_of("galaxy", "1 attack planet=4 ship=4", "2 attack planet=3 ship=4"))
        await pilot.press("6")
        assert stage.board.hint == "Your turn: choose a ship for planet 6"
    assert stage.chosen == []


async def test_no_key_does_harm_before_the_first_view():
    class Empty(Stage):
        def show(self, position=None, seat=None):
            pass

    stage = Empty(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("right", "enter", "1")
        await pilot.click("#board", offset=(10, 10))
    assert (stage.chosen, stage.hints) == ([], [])


async def test_escape_goes_to_the_screen_while_there_is_nothing_to_take_back():
    stage = Stage(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        board = stage.board
        assert not board.check_action("undo", ())
        await pilot.press("4")
        assert board.check_action("undo", ())
        await pilot.press("escape")
        assert not board.check_action("undo", ())


class TestAnimation:
    async def test_plays_itself_out(self):
        stage = Stage(position_of("duel"))
        stage.has_animations = True
        async with stage.run_test(size=ROOM):
            stage.play(1, "attack")
            steps = stage.board.scene.frames_left
            assert steps > 0
            for _ in range(steps):
                stage.board.advance()
            assert stage.board.scene.frames_left == 0

    async def test_ends_with_the_next_key(self):
        stage = Stage(position_of("duel", "1 attack"), seat=1)
        stage.has_animations = True
        async with stage.run_test(size=ROOM) as pilot:
            stage.play(2, "heal")
            await pilot.press("1")
            assert stage.board.scene.frames_left == 0
        assert stage.chosen == [{"kind": "attack"}]

    async def test_is_left_out_when_the_setting_says_so(self):
        stage = Stage(position_of("duel"))
        async with stage.run_test(size=ROOM):
            stage.play(1, "attack")
            assert stage.board.scene.frames_left == 0

    async def test_is_left_out_when_the_environment_says_so(self):
        stage = Stage(position_of("duel"))
        stage.has_animations, stage.animation_level = True, "none"
        async with stage.run_test(size=ROOM):
            stage.play(1, "attack")
            assert stage.board.scene.frames_left == 0
