"""The thinking about Digit Conquest: a settled table, cards counted, and no win missed."""

import pytest

from client.bots.digit import DECKS_KEPT, DRAWS, SOLVER, TURNS, Position, expected, search, values, without
from protocol.games import parse_move
from server.games.digit import FULL_DECK, GAME, State
from tests.client.bots.partner import wander
from tools.make_tables import solve_digit

EVEN_DECK = (1,) * 9
CHOOSE = {"draw": "choose"}
RANDOM = {"draw": "random"}


def deck(**counts):
    """Build a deck from counts by digit: deck(d7=1) holds one 7."""
    return tuple(counts.get(f"d{digit}", 0) for digit in range(1, 10))


def advice_for(state, options):
    seat = state.turn
    return SOLVER.advise(GAME.view(state, seat), GAME.legal_moves(state, seat), options)


def best_kinds(state, options=RANDOM):
    return [prospect.move.kind for prospect in advice_for(state, options).best()]


def test_the_shipped_table_is_what_the_tool_makes():
    made = solve_digit()
    flat = [value for row in values() for value in row]
    assert flat == pytest.approx([made[place] for place in range(len(made))], abs=1e-11)


def test_the_table_has_settled():
    # With all cards alike and equally likely, one draw ahead must say what the table says.
    off = [
        abs(values()[mine][theirs] - expected(Position(mine, theirs, EVEN_DECK), 1))
        for mine in range(50)
        for theirs in range(50)
    ]
    assert max(off) < 1e-12


def test_the_first_player_wins_about_52_of_100():
    assert (1 + values()[0][0]) / 2 == pytest.approx(0.52, abs=0.001)
    assert SOLVER.opening(RANDOM) == pytest.approx(values()[0][0], abs=0.002)


def test_exactly_fifty_is_taken():
    state = State(scores=(43, 49), turn=1, drawn=7, deck=FULL_DECK, is_choosing=False)
    advice = advice_for(state, RANDOM)
    assert advice.value == 1.0
    assert [prospect.move.kind for prospect in advice.best()] == ["add"]


def test_cards_are_counted():
    # Player 2 has 45 and hopes for a 5. With 5s in the deck that must be spoiled; with none left, a 1
    # would only bring Player 2 to where a 6 wins.
    with_fives = State(scores=(20, 45), turn=1, drawn=1, deck=deck(d5=2, d1=1), is_choosing=False)
    with_sixes = State(scores=(20, 45), turn=1, drawn=1, deck=deck(d6=2, d1=1), is_choosing=False)
    assert best_kinds(with_fives) == ["subtract"]
    assert best_kinds(with_sixes) == ["add"]


def test_an_empty_deck_is_made_anew_before_the_next_draw():
    empty = Position(20, 20, deck())
    assert expected(empty, 1) == expected(empty._replace(deck=FULL_DECK), 1)


def test_what_a_use_is_worth_is_what_the_draws_after_it_are_worth_on_average():
    # Every draw is weighed by the cards left, and each outcome by a look-ahead one draw shorter.
    for state, seat in wander("digit", RANDOM, seed=3, most_moves=25):
        for prospect in advice_for(state, RANDOM).prospects:
            after, _ = GAME.apply(state, seat, prospect.move, Fixed(0))
            if after.end is None and sum(state.deck) > 5:
                mine, theirs = after.scores[2 - seat], after.scores[seat - 1]
                by_digit = [
                    -expected_with(Position(mine, theirs, state.deck), digit) for digit in range(1, 10)
                ]
                met = sum(n * v for n, v in zip(state.deck, by_digit, strict=True)) / sum(state.deck)
                assert prospect.value == pytest.approx(met)


class Fixed:
    """Chance that always answers the same."""

    def __init__(self, answer):
        self.answer = answer

    def below(self, n):
        return self.answer


def expected_with(position, digit):
    """Tell what a drawn digit is worth, one draw ahead, by the rules' own list of uses."""
    mine, theirs, left = position
    if not left[digit - 1]:
        return 0.0
    left = (*left[: digit - 1], left[digit - 1] - 1, *left[digit:])
    state = State(scores=(mine, theirs), turn=1, drawn=digit, deck=left, is_choosing=False)
    worths = []
    for choice in GAME.legal_moves(state, 1):
        after, _ = GAME.apply(state, 1, parse_move("digit", {"kind": choice.kind}), Fixed(0))
        if after.end:
            worths.append(1.0)
        else:
            worths.append(-expected(Position(after.scores[1], after.scores[0], left), DRAWS - 1))
    return max(worths) if worths else -expected(Position(theirs, mine, left), DRAWS - 1)


def choosing(scores, left, drawn=None):
    return State(scores=scores, turn=1, drawn=drawn, deck=left, is_choosing=True)


def test_a_card_that_wins_is_chosen_and_added():
    advice = advice_for(choosing((42, 49), FULL_DECK), CHOOSE)
    assert [prospect.move.digit for prospect in advice.best()] == [8]
    assert (advice.value, advice.best()[0].distance) == (1.0, 1)
    assert best_kinds(choosing((42, 49), FULL_DECK, drawn=8), CHOOSE) == ["add"]


def test_a_card_that_would_win_for_the_opponent_is_not_left_to_them():
    # Player 2 has 45 and needs the last 5. To take it, or to move them away from 45, is the only way.
    state = choosing((10, 45), deck(d5=1, d9=2, d3=2))
    advice = advice_for(state, CHOOSE)
    assert advice.value > -1.0
    holding = choosing((10, 45), deck(d5=1, d9=1, d3=2), drawn=9)
    left = {p.move.kind: p for p in advice_for(holding, CHOOSE).prospects}
    assert left["add"].is_silly
    assert (left["add"].value, left["add"].distance) == (-1.0, 2)
    assert not left["subtract"].is_silly


def test_holding_a_chosen_card_is_worth_what_choosing_it_was():
    for state, seat in wander("digit", CHOOSE, seed=5, most_moves=20):
        if state.drawn is None:
            for prospect in advice_for(state, CHOOSE).prospects:
                after, _ = GAME.apply(state, seat, prospect.move, None)
                if after.drawn is not None:
                    assert advice_for(after, CHOOSE).value == prospect.value


def test_the_search_cuts_nothing_that_matters():
    for state, seat in wander("digit", CHOOSE, seed=8, most_moves=30):
        mine, theirs = state.scores[seat - 1], state.scores[2 - seat]
        if state.drawn is None:
            position = Position(mine, theirs, state.deck)
            assert search(position, 2, -2.0, 2.0) == pytest.approx(plain_search(position, 2))


def plain_search(position, turns):
    """Search without cutting anything, the way `search` is said to come out."""
    mine, theirs, left = position
    left = left if any(left) else FULL_DECK
    if mine >= 41 and left[49 - mine]:
        return 2.0 - 0.01
    if turns == 0:
        return values()[mine][theirs]
    best = -2.0
    for digit in range(1, 10):
        if left[digit - 1]:
            rest = (*left[: digit - 1], left[digit - 1] - 1, *left[digit:])
            afters = [Position(theirs, mine + digit, rest)] * (mine + digit < 50)
            afters += [Position(theirs - digit, mine, rest)] * (theirs >= digit)
            for after in afters or [Position(theirs, mine, rest)]:
                score = -plain_search(after, turns - 1)
                best = max(best, score if abs(score) <= 1 else score - 0.01 * (1 if score > 0 else -1))
    return best


def test_a_match_of_chosen_cards_is_worth_what_the_search_says():
    assert SOLVER.opening(CHOOSE) == search(Position(0, 0, FULL_DECK), TURNS, -2.0, 2.0)


def test_a_server_that_lives_long_does_not_remember_every_deck():
    for number in range(DECKS_KEPT + 100):
        without((number + 1,) * 9, 1)
    assert without.cache_info().currsize == DECKS_KEPT
