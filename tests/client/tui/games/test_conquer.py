"""Conquer's board: seven territories in a row, and chains that can be seen."""

from client.tui.games.conquer import SETTLING, chains, draw
from tests.client.tui.games.stage import Stage, inks_of, position_of, scene_of, shows

ROOM = (80, 24)
CLAIMED = ("1 claim territory=2", "2 claim territory=5", "1 claim territory=3", "2 claim territory=7")


def test_neighbours_of_one_owner_make_a_chain():
    assert chains((0, 1, 1, 0, 2, 0, 2)) == [
        (0, (1,)),
        (1, (2, 3)),
        (0, (4,)),
        (2, (5,)),
        (0, (6,)),
        (2, (7,)),
    ]


def test_a_chain_has_no_walls_inside_and_a_bracket_below():
    drawing = draw(scene_of(position_of("conquer", *CLAIMED), seat=2))
    assert shows(drawing, "└ chain of 2 ─┘")
    first, second = drawing.spots["territory", 2], drawing.spots["territory", 3]
    inside = drawing.texts()[first.y + 1]
    assert inside[first.x + 1 : second.right - 1] == "█" * (second.right - first.x - 2)


def test_single_territories_are_no_chain():
    drawing = draw(scene_of(position_of("conquer", *CLAIMED[:2])))
    assert not shows(drawing, "chain of")
    assert shows(drawing, "1 claimed, longest chain 1")


def test_holders_are_told_by_mark_and_filling():
    drawing = draw(scene_of(position_of("conquer", *CLAIMED), seat=2))
    assert inks_of(drawing, " Ann ") == {"p1 bold reverse"}
    assert inks_of(drawing, " Bob ") == {"p2 bold reverse"}
    assert inks_of(drawing, "▒▒▒") == {"p2"}


def test_a_claim_settles():
    position = position_of("conquer")
    events = tuple(position.play(1, "claim", territory=4))
    settling = draw(scene_of(position, events=events, frames_left=SETTLING - 1))
    assert shows(settling, "░░░")
    assert not shows(draw(scene_of(position, events=events)), "░")


async def test_a_territory_is_claimed_by_arrows_and_what_is_claimed_gets_the_books_sentence():
    stage = Stage(position_of("conquer", *CLAIMED))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("right", "enter")
        assert stage.board.hint == "Invalid choice. Please select an unclaimed territory."
        assert stage.chosen == []
        await pilot.press("right", "right", "enter")
    assert stage.chosen == [{"kind": "claim", "territory": 4}]


async def test_a_number_that_is_no_territory_is_only_told_to_be_wrong():
    stage = Stage(position_of("conquer"))
    async with stage.run_test(size=ROOM) as pilot:
        await pilot.press("9", "0")
        assert stage.board.hint == "Invalid choice. Please select an unclaimed territory."
        await pilot.press("left")
        assert stage.board.hint == "Your turn: choose a territory to claim"
    assert stage.chosen == []
