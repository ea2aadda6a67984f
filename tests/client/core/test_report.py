"""Reviews in words: the plot, the balance, the mistakes."""

import pytest

from client.bots import Computer
from client.bots.arena import Turn, play
from client.bots.review import review
from client.core.report import plot, report
from protocol.outcome import ABANDONED, CLOCK, RESIGNED, Outcome
from tests.client.bots.partner import dice, recorded


def perfect(chance, options):
    return Computer("perfect", chance, options)


def reviewed(game_id, turns, outcome):
    return review(recorded(game_id, {}, turns, outcome=outcome))


@pytest.mark.parametrize(
    ("reason", "words"),
    [(RESIGNED, "gave up"), (CLOCK, "ran out of time"), (ABANDONED, "was gone for too long")],
)
def test_an_end_from_outside_the_game_is_called_what_it_was(reason, words):
    turns = [Turn(1, {"kind": "claim", "territory": 4}, ())]
    told = report(reviewed("conquer", turns, Outcome(winner=2, reason=reason)), ("Ann", "Bob"))
    assert told[-1] == f"  Move 2, Ann: {words} cost 100 points."


def test_a_report_tells_the_balance_and_the_mistakes():
    turns = [Turn(1, {"kind": "attack", "planet": 1, "ship": 7}, ())]
    told = report(reviewed("galaxy", turns, Outcome(winner=1, reason=RESIGNED)), ("Ann", "Bob"))
    assert told[0] == "The chance of Ann to win, from the first move to the last:"
    assert told[5:] == (
        "Ann: 100 % before the first move, 100 % at the end.",
        "  luck +0.0, own mistakes -100.0, mistakes of Bob +100.0 points",
        "The greatest mistakes:",
        "  Move 1, Ann: attack planet 1 with ship 7 cost 100 points; better: attack planet 1 with ship 1 or"
        " attack planet 1 with ship 2 or attack planet 1 with ship 3.",
        "  Move 2, Bob: gave up cost 100 points.",
    )


def test_a_faultless_match_is_called_so():
    match = play("galaxy", {}, (perfect, perfect), dice(1).below)
    assert report(reviewed("galaxy", match.turns, match.outcome))[-1] == "Nobody made a mistake."


def test_the_plot_ends_where_the_match_ended_and_fits_the_screen():
    rows = plot([0.0] * 200 + [1.0], is_ascii=True)
    assert len(rows) == 4
    assert all(len(row) <= 67 and row.isascii() for row in rows)
    assert rows[0] == "100 % |" + " " * 59 + "#"
    assert rows[-1] == "  0 % |" + "#" * 60


def test_a_short_match_is_drawn_move_by_move():
    assert plot([-1.0, 0.0, 1.0]) == ("100 % │  █", "      │  █", "      │ ██", "  0 % │ ██")
