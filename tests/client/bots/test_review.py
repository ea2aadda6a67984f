"""Reviews: luck and skill add up to the result, and each is what it is called."""

import pytest

from client.bots import Computer
from client.bots.arena import Turn, play
from client.bots.report import plot, report
from client.bots.review import Damaged, review
from protocol.outcome import ABANDONED, CALLED_OFF, CLOCK, RESIGNED, Outcome
from tests.client.bots.partner import Wanderer, dice

EXACT = 1e-9
DRAW = Turn(1, {"kind": "draw", "digit": 5}, ())

MATCHES = (
    ("conquer", {}, 1500),
    ("galaxy", {}, 100),
    ("grid", {"size": "2"}, 500),
    ("grid", {"size": "3"}, 400),
    ("grid", {"size": "4"}, 100),
    ("duel", {}, 100),
    ("digit", {"draw": "random"}, 40),
    ("digit", {"draw": "choose"}, 2),
)


def perfect(chance, options):
    return Computer("perfect", chance, options)


def reviewed(game_id, options, makers, seed):
    match = play(game_id, options, makers, dice(seed).below)
    return match, review(game_id, options, match.chance, match.turns, match.outcome)


@pytest.mark.parametrize(("game_id", "options", "matches"), MATCHES)
def test_luck_and_skill_add_up_to_the_result(game_id, options, matches):
    for seed in range(matches):
        match, found = reviewed(game_id, options, (Wanderer, Wanderer), seed)
        assert len(found.steps) == len(match.turns)
        total = found.luck + found.skill(1) - found.skill(2)
        assert abs(found.result - found.start - total) < EXACT
        if match.outcome.winner:
            assert found.result == (1.0 if match.outcome.winner == 1 else -1.0)


@pytest.mark.parametrize(("game_id", "options"), [("conquer", {}), ("galaxy", {}), ("duel", {})])
def test_without_chance_there_is_no_luck(game_id, options):
    for seed in range(20):
        _, found = reviewed(game_id, options, (Wanderer, Wanderer), seed)
        assert found.luck == 0
        assert all(step.luck == 0 for step in found.steps)


@pytest.mark.parametrize("size", ["2", "3", "4"])
def test_in_a_grid_only_picks_bring_luck_and_only_when_both_are_in(size):
    for seed in range(30):
        match, found = reviewed("grid", {"size": size}, (Wanderer, Wanderer), seed)
        kinds = [turn.move["kind"] for turn in match.turns]
        for number, step in enumerate(found.steps):
            is_first_pick = kinds[number] == "pick" and kinds[number - 1] == "challenge"
            if kinds[number] != "pick" or is_first_pick:
                assert step.luck == 0


@pytest.mark.parametrize(
    ("game_id", "options"),
    [("conquer", {}), ("galaxy", {}), ("grid", {"size": "2"}), ("grid", {"size": "3"}), ("duel", {})],
)
def test_nobody_gains_by_a_decision_and_best_play_gives_nothing_away(game_id, options):
    for seed in range(15):
        _, found = reviewed(game_id, options, (perfect, Wanderer), seed)
        assert all(step.regret > -EXACT for step in found.steps)
        assert abs(found.skill(1)) < EXACT
        assert not found.mistakes(1)


def test_a_secret_pick_is_regretted_against_the_mix_and_not_against_what_was_picked():
    # The same pick costs the same, whatever the other happened to pick.
    opening = [
        Turn(1, {"kind": "claim", "cell": 1}, ()),
        Turn(2, {"kind": "challenge", "cell": 1}, ()),
        Turn(2, {"kind": "pick", "number": 1}, ()),
    ]
    found = [
        review("grid", {}, (), [*opening, Turn(1, {"kind": "pick", "number": number}, ())])
        for number in range(1, 6)
    ]
    assert len({round(each.steps[2].regret, 12) for each in found}) == 1
    assert len({round(each.steps[3].after, 12) for each in found}) > 1


def test_mistakes_are_ranked_and_say_what_was_better():
    _, found = reviewed("galaxy", {}, (Wanderer, Wanderer), 3)
    costs = [step.regret for step in found.mistakes()]
    assert costs == sorted(costs, reverse=True)
    assert all(step.better and step.move not in step.better for step in found.mistakes())


def test_who_resigns_gives_away_what_was_left():
    turns = [Turn(1, {"kind": "claim", "territory": 4}, ())]
    found = review("conquer", {}, (), turns, Outcome(winner=2, reason=RESIGNED))
    last = found.steps[-1]
    assert (last.seat, last.move, last.before, last.after) == (1, None, 1.0, -1.0)
    assert found.result == -1.0
    assert found.luck + found.skill(1) - found.skill(2) == found.result - found.start


@pytest.mark.parametrize(
    ("reason", "words"),
    [(RESIGNED, "gave up"), (CLOCK, "ran out of time"), (ABANDONED, "was gone for too long")],
)
def test_an_end_from_outside_the_game_is_called_what_it_was(reason, words):
    turns = [Turn(1, {"kind": "claim", "territory": 4}, ())]
    told = report(review("conquer", {}, (), turns, Outcome(winner=2, reason=reason)), ("Ann", "Bob"))
    assert told[-1] == f"  Move 2, Ann: {words} cost 100 points."


def test_moves_that_end_before_the_match_did_are_no_mistake():
    turns = [Turn(1, {"kind": "claim", "territory": 4}, ())]
    found = review("conquer", {}, (), turns, Outcome(winner=2, reason="three_adjacent"))
    assert found.is_cut_short
    assert [step.number for step in found.steps] == [1]
    assert found.mistakes() == ()
    assert not review("conquer", {}, (), turns, Outcome(winner=None, reason=CALLED_OFF)).is_cut_short


def test_a_match_that_is_called_off_ends_with_what_it_was_worth():
    turns = [Turn(1, {"kind": "claim", "cell": 4}, ())]
    found = review("grid", {}, (), turns, Outcome(winner=None, reason=CALLED_OFF))
    assert found.result == pytest.approx(found.start)


@pytest.mark.parametrize(
    ("game_id", "options", "turns"),
    [
        ("chess", {}, []),
        ("grid", {"size": "9"}, []),
        ("conquer", {}, [Turn(2, {"kind": "claim", "territory": 1}, ())]),
        ("conquer", {}, [Turn(1, {"kind": "claim", "territory": 9}, ())]),
        ("conquer", {}, [Turn(1, {"kind": "claim", "territory": 1}, ())] * 2),
        ("grid", {}, [Turn(1, {"kind": "challenge", "cell": 1}, ())]),
        ("digit", {"draw": "random"}, []),
        ("digit", {"draw": "choose"}, [DRAW, Turn(1, {"kind": "add"}, ()), DRAW]),
    ],
)
def test_a_record_that_makes_no_match_is_refused_with_a_sentence(game_id, options, turns):
    with pytest.raises(Damaged, match=r"\.$"):
        review(game_id, options, (), turns)


def test_a_move_without_the_luck_it_needs_is_refused_with_a_sentence():
    with pytest.raises(Damaged, match="What chance answered to move 1 does not fit the match"):
        review("digit", {}, (0,), [Turn(1, {"kind": "add"}, ())])


def test_luck_of_the_draw_is_neither_good_nor_bad_on_average():
    lucks = [
        step.luck
        for seed in range(4)
        for step in reviewed("digit", {"draw": "random"}, (perfect, perfect), seed)[1].steps
    ]
    spread = (sum(luck * luck for luck in lucks) / len(lucks)) ** 0.5
    assert abs(sum(lucks) / len(lucks)) < 3 * spread / len(lucks) ** 0.5


def test_a_report_tells_the_balance_and_the_mistakes():
    turns = [Turn(1, {"kind": "attack", "planet": 1, "ship": 7}, ())]
    told = report(review("galaxy", {}, (), turns, Outcome(winner=1, reason=RESIGNED)), ("Ann", "Bob"))
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
    _, found = reviewed("galaxy", {}, (perfect, perfect), 1)
    assert report(found)[-1] == "Nobody made a mistake."


def test_the_plot_ends_where_the_match_ended_and_fits_the_screen():
    rows = plot([0.0] * 200 + [1.0], is_ascii=True)
    assert len(rows) == 4
    assert all(len(row) <= 67 and row.isascii() for row in rows)
    assert rows[0] == "100 % |" + " " * 59 + "#"
    assert rows[-1] == "  0 % |" + "#" * 60


def test_a_short_match_is_drawn_move_by_move():
    assert plot([-1.0, 0.0, 1.0]) == ("100 % │  █", "      │  █", "      │ ██", "  0 % │ ██")
