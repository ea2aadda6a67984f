"""Digit Conquest: a table of what scores are worth, sharpened by looking ahead with the cards really left.

The table takes every card as equally likely at every draw; the look-ahead draws from the deck as it is.
"""

from collections.abc import Sequence
from functools import cache

from protocol.choice import Choice
from protocol.games.digit import GOAL, Add, Draw, Subtract, View
from protocol.model import other
from server.bots.advice import Advice, Candidate, weigh
from server.bots.table import Table, load
from server.games.digit import FULL_DECK

Deck = tuple[int, ...]
Values = Sequence[Sequence[float]]
"""What it is worth to be about to draw, by one's own score and the opponent's."""

DEPTH = 2
"""How many draws the look-ahead sees before it asks the table."""


def advise(view: View, choices: Sequence[Choice]) -> Advice:
    """Say what every legal use of the card, or every card that may be named, is worth."""
    seat = view.to_act[0]
    mine, theirs = view.scores[seat - 1], view.scores[other(seat) - 1]
    if view.drawn is None:
        return _advise_draw(mine, theirs, view.deck, choices)
    candidates = []
    for choice in choices:
        if choice.kind == "add":
            wins = mine + view.drawn == GOAL
            value = 1.0 if wins else -expected(theirs, mine + view.drawn, view.deck, DEPTH)
            candidates.append(Candidate(Add(), value, value, 1 if wins else None))
        else:
            value = -expected(theirs - view.drawn, mine, view.deck, DEPTH)
            candidates.append(Candidate(Subtract(), value, value))
    return weigh(candidates)


def expected(mine: int, theirs: int, deck: Deck, depth: int) -> float:
    """Tell what it is worth to be about to draw from this deck."""
    if depth == 0:
        return values()[mine][theirs]
    if not any(deck):
        deck = FULL_DECK  # C5
    total = 0.0
    for digit, count in enumerate(deck, start=1):
        if count:
            total += count * use(mine, theirs, digit, _without(deck, digit), depth - 1)
    return total / sum(deck)


def use(mine: int, theirs: int, digit: int, deck: Deck, depth: int) -> float:
    """Tell what a drawn card is worth when it is used as well as can be."""
    if mine + digit == GOAL:
        return 1.0
    worths = []
    if mine + digit < GOAL:
        worths.append(-expected(theirs, mine + digit, deck, depth))
    if theirs >= digit:
        worths.append(-expected(theirs - digit, mine, deck, depth))
    return max(worths) if worths else -expected(theirs, mine, deck, depth)  # C3


def _advise_draw(mine: int, theirs: int, deck: Deck, choices: Sequence[Choice]) -> Advice:
    candidates = []
    for digit in choices[0].values["digit"]:
        value = use(mine, theirs, digit, _without(deck, digit), 1)
        candidates.append(Candidate(Draw(digit=digit), value, value, 1 if mine + digit == GOAL else None))
    return weigh(candidates)


@cache
def values() -> Values:
    """Load the table."""
    table: Table = load("digit")
    return [[table[mine * GOAL + theirs] for theirs in range(GOAL)] for mine in range(GOAL)]


def _without(deck: Deck, digit: int) -> Deck:
    return (*deck[: digit - 1], deck[digit - 1] - 1, *deck[digit:])
