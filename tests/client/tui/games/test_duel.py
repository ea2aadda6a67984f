"""The duel's board: health, stances in the line client's words, and the last exchange."""

import pytest
from textual.geometry import Size

from client.core.games.duel import STANCES
from client.tui.games.duel import EXCHANGE, draw, may_do
from client.tui.scene import SMALLEST
from tests.client.tui.games.stage import Stage, inks_of, position_of, scene_of, shows

ROOM = (80, 24)


def exchange(*moves, seat=1, frames_left=0, size=SMALLEST):
    """Draw the board after the last of the moves, some steps before its animation ends."""
    *earlier, last = moves
    position = position_of("duel", *earlier)
    before = position.view(seat)
    events = tuple(position.play(1 if last[0] == "1" else 2, last[2:]))
    return draw(scene_of(position, seat, events=events, before=before, frames_left=frames_left, size=size))


def test_health_is_a_bar_and_a_number():
    drawing = exchange("1 attack", "2 attack")
    assert shows(drawing, "█" * 16 + "────  8 HP")
    assert shows(drawing, "▒" * 16 + "────  8 HP")


def test_stances_are_told_in_the_line_clients_words():
    drawing = exchange("1 heal", "2 defend")
    assert shows(drawing, "Healing")
    assert shows(drawing, "an attack deals double")
    assert shows(drawing, "Defending")


@pytest.mark.parametrize("stance", STANCES)
def test_what_a_player_may_do_next_is_what_the_stance_says(stance):
    expected = ("defend", "heal") if stance == "defending" else ("attack", "defend", "heal")
    assert may_do(stance) == expected


def test_what_the_opponent_may_do_is_shown_in_their_turn_and_our_own_is_on_the_buttons():
    assert shows(exchange("1 attack", "2 defend", "1 attack"), "may defend or heal")
    drawing = exchange("1 defend", "2 defend")
    assert not shows(drawing, "may ")
    assert inks_of(drawing, "1 Attack") == {"muted strike"}


def test_a_blow_takes_health_when_it_lands():
    assert shows(exchange("1 attack", frames_left=EXCHANGE), "━━>")
    assert shows(exchange("1 attack", frames_left=EXCHANGE), "▒" * 20 + " 10 HP")
    assert inks_of(exchange("1 attack", frames_left=2), " -2 ") == {"bold reverse"}
    assert shows(exchange("1 attack", frames_left=2), "▒" * 16 + "────  8 HP")


def test_a_blow_from_the_other_side_flies_the_other_way():
    assert shows(exchange("1 heal", "2 attack", frames_left=EXCHANGE), "<━━")


def test_what_came_of_an_exchange_is_marked():
    assert shows(exchange("1 defend", "2 attack", frames_left=1), " blocked ")
    assert shows(exchange("1 heal", "2 attack", frames_left=1), " -4 ")
    assert shows(exchange("1 attack", "2 heal", frames_left=1), " +1 ")


def test_the_last_exchange_stays_in_words():
    assert shows(exchange("1 attack"), "Ann attacks Bob.")
    assert inks_of(exchange("1 attack"), " -2 ") == {"bold"}
    assert shows(exchange("1 attack", size=Size(80, 20)), "Player 2 takes 2 damage.")


async def test_an_action_is_chosen_and_what_cannot_be_done_is_told():
    stage = Stage(position_of("duel", "1 defend", "2 attack"))
    async with stage.run_test(size=ROOM) as pilot:
        assert stage.board.hint == "Your turn: defend or heal"
        await pilot.press("1")
        assert stage.board.hint == "You cannot attack straight after defending. Choose Defend or Heal."
        await stage.click(pilot, ("action", 1))
        assert stage.chosen == []
        await pilot.press("right", "right", "enter")
    assert stage.chosen == [{"kind": "heal"}]


async def test_what_happened_while_we_were_away_takes_the_place_of_what_was_shown_before():
    stage = Stage(position_of("duel"))
    async with stage.run_test(size=(80, 20)):
        stage.play(1, "attack")
        assert "Ann attacks Bob." in stage.texts()
        stage.board.recall(stage.position.play(2, "heal"))
        stage.show()
        assert "Bob heals for 1 HP." in stage.texts()
        assert "Ann attacks Bob." not in stage.texts()
