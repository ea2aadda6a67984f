"""The steps of a match are what its rules have shown, whether its events come one by one or all at once."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.core.past import PASTS
from client.core.step import Walk, beginning, grown, lines_of, lines_since, place_line, step_of
from protocol.games import MODULES
from server.games.chance import Drawn
from tests.client.tui.games.stage import position_of
from tests.fuzz.enemy import parts_of
from tests.protocol.strategy import frames
from tests.server.games.explore import legal_moves
from tests.server.games.playthrough import VARIANTS

GAMES_EACH = 40
"""How many random games of each variant are walked."""


VARIANT_OPTIONS = [dict(variant.options) for variant in VARIANTS]


def who(seat, verb=""):
    return f"{('Ann', 'Bob')[seat - 1]} {verb}".strip()


def played(variant, seed):
    """Play a game at random; yield the events of each move, and what all see after it."""
    luck = Random(seed)
    game, chance = variant.game, Drawn(luck.randrange)
    state, events = game.setup(dict(variant.options), chance)
    yield 0, events, game.view(state, None)
    while game.to_act(state):
        seat = luck.choice(sorted(game.to_act(state)))
        move = luck.choice([move for each, move in legal_moves(game, state) if each == seat])
        state, events = game.apply(state, seat, move, chance)
        yield seat, events, game.view(state, None)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_step_shows_what_all_could_see_then(variant):
    options = dict(variant.options)
    for seed in range(GAMES_EACH):
        steps = beginning(variant.id, options)
        seen = list(played(variant, seed))
        for _, events, _ in seen:
            steps = grown(steps, variant.id, options, events)
        assert [step.view for step in steps] == [view for _, _, view in seen]
        assert [step.seat for step in steps] == [seat for seat, _, _ in seen]
        assert [step.events for step in steps] == [tuple(events) for _, events, _ in seen]
        assert [step.number for step in steps] == list(range(len(seen)))


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_events_that_come_all_at_once_make_the_same_steps(variant):
    options = dict(variant.options)
    events = [event for _, events, _ in played(variant, 1) for event in events]
    one_by_one = at_once = beginning(variant.id, options)
    for event in events:
        one_by_one = grown(one_by_one, variant.id, options, [event])
    assert one_by_one == grown(at_once, variant.id, options, events)


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_every_move_has_a_short_line_with_its_number(variant):
    options = dict(variant.options)
    steps = beginning(variant.id, options)
    for _, events, _ in played(variant, 2):
        steps = grown(steps, variant.id, options, events)
    for step in steps[1:]:
        first, *more = lines_of(variant.id, step, who)
        assert first.startswith(f"{step.number}. {who(step.seat)} ")
        assert all(len(line) <= 60 for line in (first, *more))
    assert " wins" in lines_of(variant.id, steps[-1], who)[-1]


@pytest.mark.parametrize("game", PASTS)
@given(st.data())
@settings(max_examples=200, deadline=None, derandomize=True)
def test_what_no_match_can_bring_about_is_walked_and_told_all_the_same(game, data):
    options = data.draw(st.sampled_from([*VARIANT_OPTIONS, {"size": "77"}, {"size": "x"}]))
    kinds = parts_of(MODULES[game].Event)
    told = data.draw(st.lists(st.lists(frames(kinds), max_size=4), max_size=6))
    walks = [Walk(beginning(game, options))]
    for events in told:
        walks.append(Walk(grown(walks[-1].steps, game, options, events)))
        lines_since(game, walks[-2].steps, walks[-1].steps, who)
    for by in range(len(walks[-1].steps)):
        walk = walks[-1].moved(-by)
        assert place_line(game, walk, who)
        assert lines_of(game, walk.looked_at or walk.steps[-1], who, "Ann wins")[-1]


@pytest.mark.parametrize("game", PASTS)
def test_a_step_of_which_nothing_was_told_has_the_line_that_it_is_given(game):
    (beginning_only,) = beginning(game, {})
    assert lines_of(game, beginning_only, who) == ()
    assert lines_of(game, beginning_only, who, "Ann wins") == ("Ann wins",)
    assert place_line(game, Walk((beginning_only,)), who).startswith(
        "Looking back: The beginning. The last: The"
    )


def test_a_step_is_found_by_its_number_or_the_nearest_is():
    position = position_of("conquer")
    events = [event for seat, at in ((1, 4), (2, 5)) for event in position.play(seat, "claim", territory=at)]
    steps = grown(beginning("conquer", {}), "conquer", {}, events)
    assert [step_of(steps, number).number for number in (-1, 0, 1, 2, 3)] == [0, 0, 1, 2, 2]
    assert step_of(steps, 1).view.territories == (0, 0, 0, 1, 0, 0, 0)


@pytest.mark.parametrize(
    ("game", "moves", "last"),
    [
        ("conquer", ("1 claim territory=4",), "1. Ann claims 4"),
        ("galaxy", ("1 attack planet=4 ship=3",), "1. Ann ship 3 → planet 4, failed"),
        ("duel", ("1 attack",), "1. Ann attacks, -2 → Bob 8"),
        ("duel", ("1 defend", "2 attack"), "2. Bob attacks, blocked"),
        ("duel", ("1 attack", "2 heal"), "2. Bob heals, +1 → 9"),
        ("grid", ("1 claim cell=1", "2 claim cell=2", "1 challenge cell=2"), "3. Ann challenges 2"),
    ],
)
def test_a_move_in_short_names_who_made_it_and_what_came_of_it(game, moves, last):
    position = position_of(game)
    steps = beginning(game, {})
    for move in moves:
        seat, kind, *fields = move.split()
        numbers = {name: int(number) for name, number in (field.split("=") for field in fields)}
        steps = grown(steps, game, {}, position.play(int(seat), kind, **numbers))
    assert lines_of(game, steps[-1], who) == (last,)


def test_a_walk_leads_back_to_the_beginning_and_forward_to_the_present():
    position = position_of("conquer")
    events = [event for seat, at in ((1, 4), (2, 5)) for event in position.play(seat, "claim", territory=at)]
    walk = Walk(grown(beginning("conquer", {}), "conquer", {}, events))
    assert walk.looked_at is None
    assert walk.moved(-1).looked_at == walk.steps[1]
    assert walk.moved(-9).looked_at == walk.steps[0]
    assert walk.moved(-9).moved(1).looked_at == walk.steps[1]
    assert walk.moved(-9).moved(2) == walk.moved(9) == walk
