"""Every board fits its room, keeps to glyphs that every terminal has, and never tells by colour alone."""

import pytest
from rich.cells import cell_len
from textual.geometry import Region, Size

from client.core.people import People
from client.tui.canvas import ASCII
from client.tui.games import BOARDS
from client.tui.scene import SMALLEST
from client.tui.sketch import ATTRIBUTES, INKS
from protocol.games import TITLES
from tests.client.tui.games.stage import position_of, random_positions, scene_of
from tests.server.games.playthrough import VARIANTS

SIZES = (SMALLEST, Size(57, 17), Size(80, 20), Size(92, 34), Size(160, 50))
every_game = pytest.mark.parametrize(
    ("game", "options"), [(variant.id, dict(variant.options)) for variant in VARIANTS], ids=str
)


def scenes(game, options, count=12, **changed):
    """Set scenes at many positions, for both players and a spectator, with the cursor here and there."""
    board = BOARDS[game]()
    for number, position in enumerate(random_positions(game, count, **options)):
        for seat in (1, 2, 0):
            scene = scene_of(position, seat, events=tuple(position.events), **changed)
            stops = [spot for row in board.stops(scene) for spot in row]
            cursor = stops[number % len(stops)] if stops else None
            yield board, scene_of(position, seat, events=tuple(position.events), cursor=cursor, **changed)


def test_every_game_has_a_board():
    assert BOARDS.keys() == TITLES.keys()


@every_game
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size.width}x{size.height}")
def test_a_board_fills_its_room_exactly(game, options, size):
    for board, scene in scenes(game, options, size=size, count=6):
        drawing = board.draw(scene)
        assert [cell_len(line) for line in drawing.texts()] == [size.width] * size.height
        room = Region(0, 0, size.width, size.height)
        assert all(room.contains_region(region) for region in drawing.spots.values())


@every_game
def test_whatever_the_arrows_reach_is_drawn_and_can_be_clicked(game, options):
    for board, scene in scenes(game, options):
        drawing = board.draw(scene)
        for row in board.stops(scene):
            for spot in row:
                if spot[0] != "ship" or scene.seat:
                    assert drawing.spot_at(*drawing.spots[spot].center) == spot


@every_game
def test_only_ascii_is_drawn_where_only_ascii_can_be_shown(game, options):
    for board, scene in scenes(game, options, is_ascii=True):
        assert all(line.isascii() for line in board.draw(scene).texts())


@every_game
def test_glyphs_are_ascii_box_drawing_and_blocks(game, options):
    for board, scene in scenes(game, options):
        strange = {char for line in board.draw(scene).texts() for char in line if not char.isascii()}
        assert strange <= {chr(code) for code in ASCII}
        assert all(0x2500 <= ord(char) <= 0x259F for char in strange)


@every_game
def test_every_ink_is_known(game, options):
    for board, scene in scenes(game, options):
        words = {word for line in board.draw(scene).lines for _, ink in line for word in ink.split()}
        assert words <= {*INKS, *ATTRIBUTES}


@every_game
def test_every_step_of_an_animation_can_be_drawn(game, options):
    board = BOARDS[game]()
    before = None
    for position in random_positions(game, 15, **options):
        for frames_left in range(board.frames(position.events), -1, -1):
            scene = scene_of(
                position, 2, events=tuple(position.events), before=before, frames_left=frames_left
            )
            assert len(board.draw(scene).lines) == SMALLEST.height
        before = None if position.outcome else position.view(2)


@pytest.mark.parametrize("game", TITLES)
@pytest.mark.parametrize(
    "name", ["[bold]Eve[/]", "\x1b[31mEve\x1b[0m", "漢字漢字漢字漢字", "\u202eevE", "W" * 16]
)
def test_names_move_nothing_and_carry_no_codes(game, name):
    plain = BOARDS[game]().draw(scene_of(position_of(game)))
    named = BOARDS[game]().draw(scene_of(position_of(game), people=People((name, name))))
    assert [cell_len(line) for line in named.texts()] == [SMALLEST.width] * SMALLEST.height
    assert named.spots == plain.spots
    assert all(char.isprintable() for line in named.texts() for char in line)


@pytest.mark.parametrize("game", TITLES)
def test_a_player_without_a_name_is_called_by_the_seat(game):
    text = "\n".join(BOARDS[game]().draw(scene_of(position_of(game), people=People())).texts())
    assert "Player 1" in text
    assert "Player 2" in text
