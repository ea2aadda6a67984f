"""Galaxy Conquest's board: planets grow with their defence, spent ships are struck out, takers are framed."""

from textual.geometry import Size

from client.tui.games.galaxy import FLIGHT, draw, takers
from tests.client.tui.games.stage import Stage, inks_of, position_of, scene_of, shows

ROOM = (80, 24)
FOUGHT = ("1 attack planet=7 ship=7", "2 attack planet=3 ship=3", "1 attack planet=6 ship=2")


def test_planets_grow_with_their_defence():
    for size in (Size(56, 16), Size(92, 34)):
        spots = draw(scene_of(position_of("galaxy"), size=size)).spots
        widths = [spots["planet", number].width for number in range(1, 8)]
        assert widths == sorted(set(widths))


def test_holders_are_told_by_mark_and_filling():
    drawing = draw(scene_of(position_of("galaxy", *FOUGHT), size=Size(80, 20)))
    assert inks_of(drawing, "Ann") >= {"p1"}
    assert inks_of(drawing, "▒▒") == {"p2"}
    assert shows(drawing, "█" * 6)


def test_spent_ships_are_struck_out():
    drawing = draw(scene_of(position_of("galaxy", *FOUGHT), seat=2))
    for ship in ("─7─", "─2─", "─3─"):
        assert inks_of(drawing, ship) == {"muted strike"}


def test_the_ships_that_would_take_the_planet_are_framed_and_named():
    scene = scene_of(position_of("galaxy", *FOUGHT), seat=2, cursor=("planet", 5))
    assert takers(scene, 1) == [5, 6]
    assert takers(scene, 2) == [5, 6, 7]
    drawing = draw(scene)
    assert shows(drawing, "Planet 5: your ships that would take it: 5, 6, 7")
    assert sum(line.count("┏") for line in drawing.texts()) == 5


def test_a_spectator_reads_of_both_fleets():
    drawing = draw(scene_of(position_of("galaxy", *FOUGHT), seat=0, cursor=("planet", 6)))
    assert shows(drawing, "Planet 6: ships that would take it: Ann 6; Bob 6, 7")


def test_a_held_planet_has_no_takers():
    scene = scene_of(position_of("galaxy", *FOUGHT), seat=2, cursor=("planet", 3))
    assert takers(scene, 1) == []
    assert shows(draw(scene), "Bob holds planet 3.")


def test_a_ship_flies_and_the_planet_falls_when_it_is_there():
    position = position_of("galaxy")
    before = position.view(1)
    events = tuple(position.play(1, "attack", planet=5, ship=6))
    flying = draw(scene_of(position, events=events, before=before, frames_left=FLIGHT))
    landed = draw(scene_of(position, events=events, before=before))
    assert shows(flying, "<6>")
    assert inks_of(flying, "███") == {"muted"}
    assert not shows(landed, "<6>")
    assert inks_of(landed, "███") == {"muted", "p1"}


async def test_a_planet_then_a_ship_and_escape_takes_the_planet_back():
    stage = Stage(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        assert stage.board.hint == "Your turn: choose a planet, then a ship"
        await pilot.press("right", "right", "enter")
        assert stage.board.hint == "Your turn: choose a ship for planet 3"
        await pilot.press("escape")
        assert stage.board.hint == "Your turn: choose a planet, then a ship"
        await pilot.press("7", "5")
    assert stage.chosen == [{"kind": "attack", "planet": 7, "ship": 5}]


async def test_what_is_taken_or_spent_gets_the_books_sentence():
    stage = Stage(position_of("galaxy", *FOUGHT, "2 attack planet=2 ship=1"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("3")
        assert stage.board.hint == "Planet 3 has already been conquered by Bob. Choose another."
        await pilot.press("8")
        assert stage.board.hint.startswith("Invalid choice. Please enter the number of an unconquered planet")
        await pilot.press("6", "2")
        assert stage.board.hint == "Ship 2 has already been expended. Choose an available ship."
        await pilot.press("left")
        assert stage.board.hint == "Your turn: choose a ship for planet 6"
    assert stage.chosen == []


async def test_a_click_on_a_ship_wants_a_planet_first_and_another_planet_replaces_the_first():
    stage = Stage(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        await stage.click(pilot, ("ship", 6))
        assert stage.board.hint == "Choose a planet first, then a ship."
        await stage.click(pilot, ("planet", 6), ("planet", 4), ("ship", 5))
        await pilot.pause()
    assert stage.chosen == [{"kind": "attack", "planet": 4, "ship": 5}]


async def test_the_cursor_follows_the_mouse():
    stage = Stage(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.hover("#board", offset=stage.place_of(("planet", 6)))
        assert "Planet 6: your ships that would take it: 6, 7" in stage.texts()


async def test_the_cursor_waits_at_the_smallest_ship_that_takes_the_planet():
    stage = Stage(position_of("galaxy"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("5")
        assert stage.board.scene.cursor == ("ship", 5)
        await pilot.press("enter")
    assert stage.chosen == [{"kind": "attack", "planet": 5, "ship": 5}]
