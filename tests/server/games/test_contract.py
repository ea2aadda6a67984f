"""What every game in the registry promises, shown over thousands of seeded random games of each.

Hypothesis walks the same games again from choices of its own, and shrinks whatever breaks a promise.
"""

from copy import deepcopy
from itertools import product
from random import Random

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from protocol.choice import Choice, spelled_out
from protocol.games import TITLES, Event, View
from protocol.model import SEATS
from server.games import GAMES
from server.games.chance import Drawn, Recorded
from server.games.game import Illegal
from tests.server.games.explore import legal_moves, move_of, reachable
from tests.server.games.playthrough import (
    GAMES_EACH,
    VARIANTS,
    begin,
    move_universe,
    play_through,
    playthroughs,
    states_on_the_way,
    variants_of,
    walk,
)

VIEWERS = (1, 2, None)
VIEW = TypeAdapter(View)
EVENT = TypeAdapter(Event)

every_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def assert_ends_coincide(game, state):
    """Nobody owes a move, nothing is legal, and there is an outcome: all three, or none of them."""
    legal = {seat for seat in SEATS if any(spelled_out(game.legal_moves(state, seat)))}
    assert legal == game.to_act(state)
    assert (not legal) == (game.outcome(state) is not None)


def assert_only_legal_moves_apply(game, state):
    """Try every move that the game can express, for both seats."""
    before = deepcopy(state)
    for seat in SEATS:
        legal = {move_of(game.id, **raw) for raw in spelled_out(game.legal_moves(state, seat))}
        for move in move_universe(game.id):
            said = refusal_of(game, state, seat, move)
            assert (said is None) == (move in legal)
            assert said is None or said.endswith(".")
    assert state == before


def refusal_of(game, state, seat, move):
    try:
        game.apply(state, seat, move, Drawn(lambda n: n - 1))
    except Illegal as refusal:
        return str(refusal)
    return None


def assert_travels(game, state):
    """Send the views and the legal moves over the wire."""
    for viewer in VIEWERS:
        view = game.view(state, viewer)
        assert view.viewer == (viewer or 0)
        assert set(view.to_act) == game.to_act(state)
        assert VIEW.validate_python(over_the_wire(view)) == view
    for seat in SEATS:
        for choice in game.legal_moves(state, seat):
            assert Choice.model_validate(over_the_wire(choice)) == choice


def assert_lists_ascend(game, state):
    """Lists of seats and numbers ascend; pairs, and what is listed by place, have an order of their own."""
    by_place = {"planets", "territories", "cells", "scores", "deck", "hp", "stances"}
    for viewer in VIEWERS:
        for name, value in game.view(state, viewer).model_dump().items():
            lists = value if name in ("ships", "hands") else [value]
            for each in [] if name in by_place else lists:
                assert not isinstance(each, tuple) or list(each) == sorted(each), name
    for seat in SEATS:
        for choice in game.legal_moves(state, seat):
            assert all(list(values) == sorted(values) for values in choice.values.values())


def over_the_wire(model):
    return msgpack.unpackb(msgpack.packb(model.model_dump()))


def assert_keeps_secrets(game, state):
    """When both seats owe a move, which one the first of them makes must not show."""
    if game.to_act(state) != set(SEATS):
        return
    for seat in SEATS:
        others = [viewer for viewer in VIEWERS if viewer != seat]
        shown = set()
        for mover, move in legal_moves(game, state):
            if mover == seat:
                after, events = game.apply(state, seat, move, Drawn(lambda n: n - 1))
                shown.add(repr(([known(game, after, viewer) for viewer in others], events)))
        assert len(shown) == 1


def known(game, state, viewer):
    """Collect all that the rules tell one viewer: the view, the legal moves and every refusal."""
    if viewer is None:
        return game.to_act(state), game.view(state, None)
    legal = game.legal_moves(state, viewer)
    refusals = [
        game.explain(state, viewer, move)
        for move in move_universe(game.id)
        if move.model_dump() not in spelled_out(legal)
    ]
    return game.to_act(state), game.view(state, viewer), legal, refusals


def assert_is_as_open_as_it_says(game, state):
    """In an open game nobody sees more than anybody else: the server packs one view for all."""
    views = [game.view(state, viewer).model_dump(exclude={"viewer"}) for viewer in VIEWERS]
    assert not game.is_open or views == [views[0]] * len(VIEWERS)


PROMISES = (
    assert_ends_coincide,
    assert_only_legal_moves_apply,
    assert_travels,
    assert_lists_ascend,
    assert_keeps_secrets,
    assert_is_as_open_as_it_says,
)


def test_the_registries_of_rules_and_wire_name_the_same_games():
    assert {game.id: game.title for game in GAMES.values()} == TITLES
    assert list(GAMES) == list(TITLES)


def test_only_the_game_of_secret_numbers_is_not_open():
    assert [game.id for game in GAMES.values() if not game.is_open] == ["grid"]


@every_variant
def test_every_game_is_played_thousands_of_times_in_equal_shares(variant):
    assert len(playthroughs(variant)) * len(variants_of(variant.game)) == GAMES_EACH >= 2000


@every_variant
@pytest.mark.parametrize("promise", PROMISES)
def test_in_random_play(variant, promise):
    for state in states_on_the_way(variant):
        promise(variant.game, state)


@pytest.mark.parametrize("promise", PROMISES)
@pytest.mark.parametrize("game", ["conquer", "duel"])
def test_in_every_state_of_the_small_games(game, promise):
    for state in reachable(GAMES[game]):
        promise(GAMES[game], state)


@every_variant
def test_A2_each_refused_move_leaves_the_state_equal_and_the_same_players_asked(variant):
    game = variant.game
    for state in states_on_the_way(variant)[::20]:
        before, asked = deepcopy(state), game.to_act(state)
        legal = [game.legal_moves(state, seat) for seat in SEATS]
        for seat, move in product(SEATS, move_universe(game.id)):
            if refusal_of(game, state, seat, move):
                assert state == before
                assert game.to_act(state) == asked
                assert [game.legal_moves(state, seat) for seat in SEATS] == legal


@every_variant
def test_every_random_game_ends_with_a_winner(variant):
    for played in playthroughs(variant):
        assert variant.game.outcome(played.final).winner in SEATS


@every_variant
def test_moves_and_recorded_chance_give_the_same_game_again(variant):
    game = variant.game
    for played in playthroughs(variant):
        chance = Recorded(played.setup_answers)
        state, _ = game.setup(dict(variant.options), chance)
        assert chance.is_used_up()
        for entry in played.entries:
            chance = Recorded(entry.answers)
            state, _ = game.apply(state, entry.seat, entry.move, chance)
            assert chance.is_used_up()
        assert state == played.final


@every_variant
def test_events_travel_and_the_last_of_them_tells_who_won(variant):
    for seed in range(100):
        random = Random(seed)
        state, _ = begin(variant, random.randrange)
        for step in walk(variant, state, random):
            for event in step.events:
                assert EVENT.validate_python(over_the_wire(event)) == event
        assert step.events[-1].kind == f"{variant.id}.won"
        assert step.events[-1].seat == variant.game.outcome(step.after).winner


def test_the_same_seed_plays_the_same_game():
    for variant in VARIANTS:
        assert play_through(variant, seed=1) == play_through(variant, seed=1)


class Scripted:
    """Takes every choice, of moves and of luck, from one list of numbers; the rest are zeros."""

    def __init__(self, numbers):
        self._numbers = iter(numbers)

    def below(self, n):
        return next(self._numbers, 0) % n


@given(variant=st.sampled_from(VARIANTS), numbers=st.lists(st.integers(0, 1000), max_size=120))
@settings(max_examples=1000, deadline=None, derandomize=True)
def test_wherever_a_list_of_choices_leads(variant, numbers):
    game, script = variant.game, Scripted(numbers)
    state, _ = game.setup(dict(variant.options), script)
    for _ in numbers:
        moves = list(legal_moves(game, state))
        if not moves:
            break
        seat, move = moves[script.below(len(moves))]
        state, _ = game.apply(state, seat, move, script)
    for promise in PROMISES:
        promise(game, state)
