"""Hints say what to play and what it promises, in words."""

import pytest

from client.bots.bot import advise
from client.bots.solver import mix
from client.core.advice import Candidate
from client.core.games import RENDERERS
from client.core.hint import chance_in_words, hint_lines, mix_in_words, worth_in_words
from protocol.games import parse_move
from protocol.games.grid import Pick
from server.games import GAMES
from server.games.duel import State as Duel
from tests.client.bots.partner import VARIANTS, dice, wander


def hint(game_id, state, seat, options):
    game = GAMES[game_id]
    advice = advise(game.view(state, seat), game.legal_moves(state, seat), options)
    return hint_lines(advice, RENDERERS[game_id])


def hint_after(game_id, *moves, options=None):
    """Play moves from the start, in turns, and ask for a hint."""
    game = GAMES[game_id]
    options = game.agree(options or {})
    state, _ = game.setup(options, dice(1))
    for number, raw in enumerate(moves):
        state, _ = game.apply(state, 1 + number % 2, parse_move(game_id, raw), dice(1))
    seat = min(game.to_act(state))
    return hint(game_id, state, seat, options)


def claim(territory):
    return {"kind": "claim", "territory": territory}


def test_a_forced_win_is_told_with_its_length():
    assert hint_after("conquer") == ("Claim any territory: wins in 4 moves whatever they do.",)


def test_a_win_on_the_spot_is_told():
    told = hint_after("conquer", claim(3), claim(7), claim(4), claim(1))
    assert told[0] == "Claim territory 2 or claim territory 5: wins at once."


def test_what_else_there_is_comes_second():
    told = hint_after("conquer", claim(4), claim(3), claim(5))
    assert told == ("Claim territory 6: loses in 2 moves against best play.",)


def test_a_chance_is_told_in_percent():
    assert hint_after("grid") == ("Claim any empty cell: 69 % with best play.",)


def test_two_moves_of_the_same_chance_are_not_told_as_if_they_differed():
    add = {"kind": "add"}
    told = next(
        said
        for count in range(1, 12)
        for said in [hint_after("digit", *[add] * count)]
        if "hardly" in said[-1]
    )
    assert told[1] in ("Otherwise add the card: hardly worse.", "Otherwise subtract the card: hardly worse.")


def test_an_even_position_is_called_even():
    assert hint_after("duel") == ("Attack: even with best play.",)


def test_a_secret_pick_is_told_as_a_mix():
    told = hint_after("grid", {"kind": "claim", "cell": 1}, {"kind": "challenge", "cell": 1})
    assert told[0].startswith("Pick ")
    assert " about " in told[0]
    assert told[0].endswith("with best play.")


def mixed(*shares):
    picks = [Candidate(Pick(number=number), 0.0, 0.0) for number in range(1, len(shares) + 1)]
    return mix_in_words(mix(picks, 0.0, shares))


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((0, 0, 0, 1.0), "pick 4"),
        ((0, 0, 0, 0.48, 0.52), "pick 4 or 5, about half each"),
        ((0.3, 0, 0.36, 0.34), "pick 1, 3 or 4, about a third each"),
        ((0.3, 0.7), "pick 2 about 70 %, 1 about 30 %"),
    ],
)
def test_mixes_are_told_as_people_would(shares, words):
    assert mixed(*shares) == words


@pytest.mark.parametrize(
    ("value", "distance", "words"),
    [
        (1.0, 1, "wins at once"),
        (1.0, 9, "wins in 5 moves whatever they do"),
        (1.0, None, "wins whatever they do"),
        (-1.0, 2, "loses at once"),
        (-1.0, 6, "loses in 3 moves against best play"),
        (-1.0, None, "loses against best play"),
        (0.0, None, "even with best play"),
        (0.24, None, "62 % with best play"),
    ],
)
def test_values_are_told_as_people_would(value, distance, words):
    assert worth_in_words(value, distance) == words


def test_nothing_uncertain_is_called_certain():
    assert chance_in_words(0.9999) == "99 %"
    assert chance_in_words(-0.9999) == "1 %"


def test_a_losing_alternative_is_named():
    state = Duel(hp=(2, 10), stances=("attacking", "attacking"), turn=1)
    told = hint("duel", state, 1, {})
    assert told == ("Defend: even with best play.", "Otherwise attack or heal: loses at once.")


@pytest.mark.parametrize(("game_id", "options"), VARIANTS)
def test_there_is_a_hint_for_every_decision(game_id, options):
    for state, seat in wander(game_id, options, seed=21, most_moves=40):
        told = hint(game_id, state, seat, options)
        assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in told)
        assert 1 <= len(told) <= 2
