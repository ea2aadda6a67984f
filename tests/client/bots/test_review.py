"""Reviews: luck and skill add up to the result, and each is what it is called."""

import pytest

from client.bots import Computer
from client.bots.arena import Turn, play
from client.bots.review import review
from client.core.record import BadRecord
from protocol.outcome import RESIGNED, Outcome
from tests.client.bots.partner import Wanderer, dice, recorded

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
    return match, review(recorded(game_id, options, match.turns, match.chance, match.outcome))


@pytest.mark.parametrize(("game_id", "options", "matches"), MATCHES)
def test_luck_and_skill_add_up_to_the_result(game_id, options, matches):
    for seed in range(matches):
        match, found = reviewed(game_id, options, (Wanderer, Wanderer), seed)
        assert len(found.decisions) == len(match.turns)
        total = found.luck + found.skill(1) - found.skill(2)
        assert abs(found.result - found.start - total) < EXACT
        if match.outcome.winner:
            assert found.result == (1.0 if match.outcome.winner == 1 else -1.0)


@pytest.mark.parametrize(("game_id", "options"), [("conquer", {}), ("galaxy", {}), ("duel", {})])
def test_without_chance_there_is_no_luck(game_id, options):
    for seed in range(20):
        _, found = reviewed(game_id, options, (Wanderer, Wanderer), seed)
        assert found.luck == 0
        assert all(decision.luck == 0 for decision in found.decisions)


@pytest.mark.parametrize("size", ["2", "3", "4"])
def test_in_a_grid_only_picks_bring_luck_and_only_when_both_are_in(size):
    for seed in range(30):
        match, found = reviewed("grid", {"size": size}, (Wanderer, Wanderer), seed)
        kinds = [turn.move["kind"] for turn in match.turns]
        for number, decision in enumerate(found.decisions):
            is_first_pick = kinds[number] == "pick" and kinds[number - 1] == "challenge"
            if kinds[number] != "pick" or is_first_pick:
                assert decision.luck == 0


@pytest.mark.parametrize(
    ("game_id", "options"),
    [("conquer", {}), ("galaxy", {}), ("grid", {"size": "2"}), ("grid", {"size": "3"}), ("duel", {})],
)
def test_nobody_gains_by_a_decision_and_best_play_gives_nothing_away(game_id, options):
    for seed in range(15):
        _, found = reviewed(game_id, options, (perfect, Wanderer), seed)
        assert all(decision.regret > -EXACT for decision in found.decisions)
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
        review(recorded("grid", {}, [*opening, Turn(1, {"kind": "pick", "number": number}, ())]))
        for number in range(1, 6)
    ]
    assert len({round(each.decisions[2].regret, 12) for each in found}) == 1
    assert len({round(each.decisions[3].after, 12) for each in found}) > 1


def test_mistakes_are_ranked_and_say_what_was_better():
    _, found = reviewed("galaxy", {}, (Wanderer, Wanderer), 3)
    costs = [decision.regret for decision in found.mistakes()]
    assert costs == sorted(costs, reverse=True)
    assert all(decision.better and decision.move not in decision.better for decision in found.mistakes())


def test_who_resigns_gives_away_what_was_left():
    turns = [Turn(1, {"kind": "claim", "territory": 4}, ())]
    found = review(recorded("conquer", {}, turns, outcome=Outcome(winner=2, reason=RESIGNED)))
    last = found.decisions[-1]
    assert (last.seat, last.move, last.before, last.after) == (1, None, 1.0, -1.0)
    assert found.result == -1.0
    assert found.luck + found.skill(1) - found.skill(2) == found.result - found.start


def test_moves_that_end_before_the_match_did_are_no_mistake():
    turns = [Turn(1, {"kind": "claim", "territory": 4}, ())]
    found = review(recorded("conquer", {}, turns, outcome=Outcome(winner=2, reason="three_adjacent")))
    assert found.is_cut_short
    assert [decision.number for decision in found.decisions] == [1]
    assert found.mistakes() == ()
    assert not review(recorded("conquer", {}, turns)).is_cut_short


@pytest.mark.parametrize(
    "lie", [Outcome(winner=2, reason="three_adjacent"), Outcome(winner=2, reason=RESIGNED)]
)
def test_an_end_that_the_moves_do_not_give_is_no_record(lie):
    turns = [Turn(n % 2 + 1, {"kind": "claim", "territory": t}, ()) for n, t in enumerate((4, 7, 3, 5, 2))]
    with pytest.raises(BadRecord, match="claims an end that its moves do not give"):
        review(recorded("conquer", {}, turns, outcome=lie))


def test_a_match_that_is_called_off_ends_with_what_it_was_worth():
    turns = [Turn(1, {"kind": "claim", "cell": 4}, ())]
    found = review(recorded("grid", {}, turns))
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
    with pytest.raises(BadRecord, match=r"\.$"):
        review(recorded(game_id, options, turns))


def test_a_move_without_the_luck_it_needs_is_refused_with_a_sentence():
    with pytest.raises(BadRecord, match="What chance answered to move 1 does not fit the match"):
        review(recorded("digit", {}, [Turn(1, {"kind": "add"}, ())], chance=(0,)))


def test_luck_of_the_draw_is_neither_good_nor_bad_on_average():
    lucks = [
        decision.luck
        for seed in range(4)
        for decision in reviewed("digit", {"draw": "random"}, (perfect, perfect), seed)[1].decisions
    ]
    spread = (sum(luck * luck for luck in lucks) / len(lucks)) ** 0.5
    assert abs(sum(lucks) / len(lucks)) < 3 * spread / len(lucks) ** 0.5
