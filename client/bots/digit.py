"""Digit Conquest: a table of what scores are worth, sharpened by looking ahead with the cards really left.

Drawn cards: the table takes every card as equally likely at every draw; the look-ahead draws from the deck
as it is. Chosen cards: nothing is left to chance, and a search looks a few turns ahead before it asks the
table. Neither is exact; `docs/bots.md` says how near they are.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from client.bots.packed import load
from client.bots.solver import Solver, walks_into, weigh
from client.core.advice import Advice, Candidate
from protocol.choice import Choice, Move
from protocol.games.digit import DIGITS, GOAL, Add, Draw, Subtract, View
from protocol.model import other
from server.games.digit import FULL_DECK
from server.games.game import Options

Deck = tuple[int, ...]

DRAWS = 2
"""How many draws the look-ahead sees before it asks the table, as a rule."""
LAST_CARDS = 4
"""From here on it looks to the end of the deck: there the table is at its best."""
TURNS = 4
"""How many turns the search sees when cards are chosen."""
WON = 2.0
"""A score of the search above 1.0 is a win: this, less a hundredth for each turn that it takes."""
TURN = 0.01
DECKS_KEPT = 20_000
"""How many decks are remembered: there are millions, and a server lives long."""

USES: dict[str, Move] = {"add": Add(), "subtract": Subtract()}


class Position(NamedTuple):
    """Scores and deck as the player whose turn begins sees them."""

    mine: int
    theirs: int
    deck: Deck


def advise(view: View, choices: Sequence[Choice], options: Options) -> Advice:
    """Say what every legal use of the card, or every card that may be named, is worth."""
    seat = view.to_act[0]
    position = Position(view.scores[seat - 1], view.scores[other(seat) - 1], view.deck)
    if view.drawn is None:
        digits = choices[0].values["digit"]
        return weigh([_foresee(Draw(digit=digit), search_draw(position, digit)) for digit in digits])
    moves = [USES[choice.kind] for choice in choices]
    pairs = list(zip(moves, uses(position, view.drawn), strict=True))
    if options.get("draw") == "choose":
        return weigh([_foresee(move, search_use(after)) for move, after in pairs])
    return weigh([_expect(move, after) for move, after in pairs])


def uses(position: Position, digit: int) -> list[Position]:
    """List what the opponent can face after a card that has left the deck is added or subtracted."""
    mine, theirs, deck = position
    afters = []
    if mine + digit <= GOAL:
        afters.append(Position(theirs, mine + digit, deck))
    if theirs >= digit:
        afters.append(Position(theirs - digit, mine, deck))
    return afters or [Position(theirs, mine, deck)]  # C3: it fits nowhere and is discarded.


def _expect(move: Move, after: Position) -> Candidate:
    value = expect(after)
    return Candidate(move, value, value, 1 if after.theirs == GOAL else None)


def expect(after: Position) -> float:
    """Tell what a turn that led to a position is worth to the player who made it, cards being drawn."""
    if after.theirs == GOAL:
        return 1.0
    cards = sum(after.deck)
    return -expected(after, cards if 0 < cards <= LAST_CARDS else DRAWS)


def expected(position: Position, draws: int) -> float:
    """Tell what it is worth to be about to draw, seeing so many draws ahead."""
    mine, theirs, deck = position
    if draws == 0:
        return values()[mine][theirs]
    if not any(deck):
        deck = FULL_DECK  # C5
    if draws == 1:
        worths = worths_of_draws(mine, theirs)
        return sum([count * worth for count, worth in zip(deck, worths, strict=True)]) / sum(deck)
    total = 0.0
    for digit, count in enumerate(deck, start=1):
        if mine + digit == GOAL:
            total += count
        elif count:
            afters = uses(Position(mine, theirs, without(deck, digit)), digit)
            total += count * max([-expected(after, draws - 1) for after in afters])
    return total / sum(deck)


@cache
def worths_of_draws(mine: int, theirs: int) -> list[float]:
    """Tell what each card would be worth to the player who draws it, by the table alone."""
    table = values()
    return [
        1.0
        if mine + digit == GOAL
        else max(-table[after.mine][after.theirs] for after in uses(Position(mine, theirs, ()), digit))
        for digit in range(1, DIGITS + 1)
    ]


def _foresee(move: Move, score: float) -> Candidate:
    value = max(-1.0, min(1.0, score))
    distance = round((WON - abs(score)) / TURN) if abs(score) > 1.0 else None
    return Candidate(move, value, value, distance, walks_into(value, distance))


def search_draw(position: Position, digit: int) -> float:
    """Tell what it is worth to name a card and use it well."""
    left = position._replace(deck=without(position.deck, digit))
    return max(search_use(after) for after in uses(left, digit))


def search_use(after: Position) -> float:
    """Tell what a turn that led to a position is worth to the player who made it."""
    return _later(WON if after.theirs == GOAL else -search(after, TURNS - 1, -WON, WON))


def search(position: Position, turns: int, floor: float, ceiling: float) -> float:
    """Tell what a turn that begins is worth; exactly so if that lies between floor and ceiling."""
    mine, theirs, deck = position
    if not any(deck):
        deck = FULL_DECK
    missing = GOAL - mine
    if missing <= DIGITS and deck[missing - 1]:
        return _later(WON)
    if turns == 0:
        return values()[mine][theirs]
    best = -WON
    for digit in range(DIGITS, 0, -1):
        if deck[digit - 1]:
            for after in uses(Position(mine, theirs, without(deck, digit)), digit):
                best = max(best, _later(-search(after, turns - 1, -ceiling, -max(floor, best))))
                if best >= ceiling:
                    return best
    return best


def _later(score: float) -> float:
    """Put a forced end one turn further away."""
    if abs(score) <= 1.0:
        return score
    return score - TURN if score > 0 else score + TURN


@cache
def values() -> list[list[float]]:
    """Load what it is worth to be about to draw, by one's own score and the opponent's."""
    table = load("digit")
    return [[table[mine * GOAL + theirs] for theirs in range(GOAL)] for mine in range(GOAL)]


@lru_cache(maxsize=DECKS_KEPT)
def without(deck: Deck, digit: int) -> Deck:
    """Take a card from the deck."""
    return (*deck[: digit - 1], deck[digit - 1] - 1, *deck[digit:])


def opening(options: Options) -> float:
    """Tell what the first turn is worth before its card is drawn or chosen."""
    start = Position(0, 0, FULL_DECK)
    if options["draw"] == "choose":
        return search(start, TURNS, -WON, WON)
    return expected(start, DRAWS)


SOLVER = Solver(
    advise=advise,
    opening=opening,
    room=lambda view: 60.0,
)
