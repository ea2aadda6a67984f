"""The deck of Digit Conquest: what it can hold, what is drawn from it, and that discarding ends."""

from collections import Counter
from random import Random

import pytest

from protocol.games.digit import COPIES, GOAL, Added, Discarded, Drew, Reshuffled, Subtracted
from protocol.model import other
from server.games import GAMES
from server.games.digit import FULL_DECK, State, draw_uniformly, uses
from tests.server.games.playthrough import begin, states_on_the_way, variants_of, walk

CRITICAL_8 = 26.12
"""A chi-square of eight degrees of freedom exceeds this once in a thousand."""

every_draw = pytest.mark.parametrize("variant", variants_of(GAMES["digit"]), ids=str)


class Answer:
    """Chance that gives one answer, and remembers what it was asked."""

    def __init__(self, place):
        self.place = place
        self.asked = None

    def below(self, n):
        self.asked = n
        return self.place


def counted(deck):
    return Counter(dict(enumerate(deck, start=1)))


def test_a_recorded_chance_is_the_place_of_the_card_among_those_left_in_the_order_of_digits():
    two_ones_and_a_three = (2, 0, 1, 0, 0, 0, 0, 0, 0)
    assert [draw_uniformly(two_ones_and_a_three, Answer(place)) for place in range(3)] == [1, 1, 3]
    places = {0: 1, 3: 1, 4: 2, 7: 2, 35: 9}
    assert {place: draw_uniformly(FULL_DECK, Answer(place)) for place in places} == places


def chi_square(observed, expected):
    return sum((observed[digit] - expected[digit]) ** 2 / expected[digit] for digit in expected)


@every_draw
def test_C5_the_deck_never_holds_more_than_four_of_a_digit(variant):
    for state in states_on_the_way(variant):
        assert len(state.deck) == len(FULL_DECK)
        assert all(0 <= left <= COPIES for left in state.deck)
        assert all(0 <= score <= GOAL for score in state.scores)


@every_draw
def test_C5_every_card_is_in_the_deck_drawn_or_open(variant):
    for seed in range(200):
        random = Random(seed)
        state, _ = begin(variant, random.randrange)
        open_cards = Counter()
        for step in walk(variant, state, random):
            for event in step.events:
                match event:
                    case Added() | Subtracted() | Discarded():
                        open_cards[event.digit] += 1
                    case Reshuffled():
                        assert open_cards == counted(FULL_DECK)
                        open_cards.clear()
            state = step.after
            everything = open_cards + counted(state.deck) + Counter([state.drawn] if state.drawn else [])
            assert everything == counted(FULL_DECK)


@pytest.mark.parametrize("deck", [FULL_DECK, (1, 0, 4, 0, 2, 0, 0, 3, 1), (0, 0, 0, 0, 0, 0, 0, 0, 1)])
def test_C1_each_card_left_has_exactly_one_answer_of_chance(deck):
    cards = sum(deck)
    drawn = Counter()
    for place in range(cards):
        chance = Answer(place)
        drawn[draw_uniformly(deck, chance)] += 1
        assert chance.asked == cards
    assert [drawn[digit] for digit in range(1, 10)] == list(deck)


def test_C5_nothing_can_be_drawn_from_a_deck_of_no_cards():
    with pytest.raises(ValueError, match="no cards"):
        draw_uniformly((0,) * 9, Answer(0))


def test_C1_first_cards_are_uniform():
    random = Random(20)
    draws = 18_000
    seen = Counter(begin(variant_of("random"), random.randrange)[0].drawn for _ in range(draws))
    assert chi_square(seen, dict.fromkeys(range(1, 10), draws / 9)) < CRITICAL_8


def test_C1_later_cards_are_uniform_over_what_is_left():
    random = Random(21)
    deck = (1, 2, 3, 4, 4, 3, 2, 1, 4)
    draws = 24_000

    class Luck:
        below = staticmethod(random.randrange)

    seen = Counter(draw_uniformly(deck, Luck) for _ in range(draws))
    expected = {digit: draws * left / sum(deck) for digit, left in enumerate(deck, start=1)}
    assert chi_square(seen, expected) < CRITICAL_8


def test_C1_over_whole_games_every_digit_comes_as_often_as_the_decks_promise():
    random = Random(22)
    variant = variant_of("random")
    seen, expected, variance = Counter(), Counter(), Counter()
    for _ in range(600):
        state, _ = begin(variant, random.randrange)
        for step in walk(variant, state, random):
            deck = step.before.deck if any(step.before.deck) else FULL_DECK
            drew = [event.digit for event in step.events if isinstance(event, Drew)]
            # After a discard the second card comes from a smaller deck; the first one will do.
            for digit in drew[:1]:
                seen[digit] += 1
                for each, left in enumerate(deck, start=1):
                    share = left / sum(deck)
                    expected[each] += share
                    variance[each] += share * (1 - share)
    for digit in range(1, 10):
        assert abs(seen[digit] - expected[digit]) < 4 * variance[digit] ** 0.5


def variant_of(draw):
    (variant,) = [each for each in variants_of(GAMES["digit"]) if dict(each.options)["draw"] == draw]
    return variant


def test_C3_who_cannot_use_a_card_has_an_opponent_who_can_add_any():
    for mine in range(GOAL):
        for theirs in range(GOAL):
            state = State(scores=(mine, theirs), turn=1, drawn=None, deck=FULL_DECK, is_choosing=False)
            for digit in range(1, 10):
                if not uses(state, 1, digit):
                    assert all(
                        {"add"} <= {use.kind for use in uses(state, other(1), card)} for card in range(1, 10)
                    )


@every_draw
def test_C3_two_cards_in_a_row_are_never_discarded(variant):
    seen = 0
    for seed in range(300):
        random = Random(seed)
        state, _ = begin(variant, random.randrange)
        was_discarded = False
        for step in walk(variant, state, random):
            for event in step.events:
                match event:
                    case Discarded():
                        assert not was_discarded
                        was_discarded = True
                        seen += 1
                    case Added() | Subtracted():
                        was_discarded = False
    assert seen
