"""Galaxy Conquest solved: a search with memory over positions that are really different.

What a ship can do depends only on which of the free planets it can reach, so positions are remembered by
the rank of each ship among them. That makes the first move a matter of milliseconds.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from protocol.choice import Choice, spelled_out
from protocol.games.galaxy import PLANETS, Attack, View
from protocol.model import other
from server.bots.advice import ERRING, Advice, Candidate, walks_into, weigh
from server.games.galaxy import WINNING_COUNT

Mask = int
"""A set of planets or ships: bit 0 is number 1."""

BITS = 3
"""Enough to count a fleet."""


class Position(NamedTuple):
    """A galaxy as the player to move sees it."""

    free: Mask
    """The planets that nobody holds."""
    fleet: Mask
    facing: Mask
    """The opponent's ships."""
    mine: int
    """How many planets the player to move holds."""
    theirs: int
    top: int
    """The highest planet that anybody holds; 0 for none."""
    is_top_mine: bool


class Sight(NamedTuple):
    """What is known of a position: bounds that the search has proved so far."""

    lost_within: int
    """The player to move can be held off from a win for at least so many turns."""
    won_within: int
    """The player to move can force a win within so many turns."""


NEVER = 99
_seen: dict[tuple[int, ...], bool] = {}
_bounds: dict[tuple[int, ...], Sight] = {}


def advise(view: View, choices: Sequence[Choice]) -> Advice:
    """Say what every legal attack is worth."""
    position = read(view)
    moves = [Attack.model_validate(raw) for raw in spelled_out(choices)]
    afters = [attack(position, move.planet, move.ship) for move in moves]
    known = {after: judge(after) for after in set(afters)}
    # Where every move loses, the one after which most can go wrong is the best; elsewhere nobody asks.
    is_lost = all(value < 0 for value, _ in known.values())
    candidates = []
    for move, after in zip(moves, afters, strict=True):
        value, distance = known[after]
        chances = hope(after) if is_lost else float(value)
        is_silly = move.ship < move.planet or walks_into(value, distance)
        candidates.append(Candidate(move, value, chances, distance, is_silly))
    return weigh(candidates)


def read(view: View) -> Position:
    """See the galaxy from the seat whose turn it is."""
    seat = view.to_act[0]
    numbered = list(enumerate(view.planets, start=1))
    top, holder = max(((number, owner) for number, owner in numbered if owner), default=(0, 0))
    return Position(
        free=sum(1 << number - 1 for number, owner in numbered if not owner),
        fleet=_mask(view.ships[seat - 1]),
        facing=_mask(view.ships[other(seat) - 1]),
        mine=view.planets.count(seat),
        theirs=view.planets.count(other(seat)),
        top=top,
        is_top_mine=holder == seat,
    )


def attack(position: Position, planet: int, ship: int) -> Position:
    """Spend a ship on a planet, and see the result from the opponent's side."""
    free, fleet, facing, mine, theirs, top, is_top_mine = position
    fleet &= ~(1 << ship - 1)
    if ship < planet:
        return Position(free, facing, fleet, theirs, mine, top, not is_top_mine and top > 0)
    free &= ~(1 << planet - 1)
    if planet > top:
        return Position(free, facing, fleet, theirs, mine + 1, planet, False)
    return Position(free, facing, fleet, theirs, mine + 1, top, not is_top_mine)


def judge(after: Position) -> tuple[int, int]:
    """Tell, for the player who has just moved, the value and the turns until the end."""
    if not wins(after):
        return 1, 1 + next(turns for turns in range(0, NEVER, 2) if loses_within(after, turns))
    return -1, 1 + next(turns for turns in range(1, NEVER, 2) if wins_within(after, turns))


@cache
def hope(after: Position) -> float:
    """Tell what a lost position is worth to the player who has just moved, if the opponent errs at times."""
    if not after.fleet:
        return -1.0
    replies = [wins(reply) for reply in _attacks(after)]
    return -1.0 + ERRING * 2.0 * replies.count(True) / len(replies)


def wins(position: Position) -> bool:
    """Tell whether the player to move wins with best play."""
    if position.theirs >= WINNING_COUNT:
        return False
    if not position.fleet:
        return _wins_at_the_end(position)
    if _wins_at_once(position):
        return True
    key = _key(position)
    known = _seen.get(key)
    if known is None:
        known = _seen[key] = any(not wins(after) for after in _attacks(position))
    return known


def wins_within(position: Position, turns: int) -> bool:
    """Tell whether the player to move can force a win in so many turns of both players."""
    if not wins(position):
        return False
    if not position.fleet or _wins_at_once(position):
        return turns >= min(1, position.fleet)
    # Each planet still missing takes a turn of one's own, unless the fleets run out first.
    to_fetch = 2 * (WINNING_COUNT - position.mine) - 1
    if turns < min(to_fetch, position.fleet.bit_count() + position.facing.bit_count()):
        return False
    key = _key(position)
    sight = _bounds.get(key, Sight(0, NEVER))
    if not sight.lost_within < turns < sight.won_within:
        return turns >= sight.won_within
    is_won = any(loses_within(after, turns - 1) for after in _attacks(position))
    sight = _bounds.get(key, Sight(0, NEVER))
    _bounds[key] = sight._replace(won_within=turns) if is_won else sight._replace(lost_within=turns)
    return is_won


def loses_within(position: Position, turns: int) -> bool:
    """Tell whether the player to move is beaten in so many turns of both players, whatever is played."""
    if wins(position):
        return False
    if position.theirs >= WINNING_COUNT or not position.fleet:
        return True
    return turns > 0 and all(wins_within(after, turns - 1) for after in _attacks(position))


def _wins_at_once(position: Position) -> bool:
    """Tell whether one more planet wins and a ship can take one: the best ship, the lowest planet."""
    lowest = position.free & -position.free
    return position.mine == WINNING_COUNT - 1 and position.fleet >= lowest


def _wins_at_the_end(position: Position) -> bool:
    # G2: the fleets are spent; most planets, then the highest one.
    if position.mine != position.theirs:
        return position.mine > position.theirs
    return position.is_top_mine


def _attacks(position: Position) -> Iterator[Position]:
    """List what attacks can lead to, the most promising first and nothing twice.

    Conquests come first, of high planets and with the weakest ship that does it. Ships that reach the
    same free planets are the same ship, and all planets that a ship cannot take are the same planet.
    """
    free, fleet = position.free, position.fleet
    for planet in range(PLANETS, 0, -1):
        if free >> planet - 1 & 1:
            for ship in _unlike_ships(free, fleet >> planet - 1 << planet - 1):
                yield attack(position, planet, ship)
    highest = free.bit_length()
    for ship in _unlike_ships(free, fleet & (1 << highest - 1) - 1):
        yield attack(position, highest, ship)


@cache
def _unlike_ships(free: Mask, fleet: Mask) -> tuple[int, ...]:
    """List the ships of a fleet, of those that reach the same free planets only the lowest."""
    by_reach: dict[int, int] = {}
    for ship in range(1, PLANETS + 1):
        if fleet >> ship - 1 & 1:
            by_reach.setdefault((free & (1 << ship) - 1).bit_count(), ship)
    return tuple(by_reach.values())


def _key(position: Position) -> tuple[int, ...]:
    """Name a position so that positions which differ in nothing that matters have one name."""
    free, fleet, facing, mine, theirs, top, is_top_mine = position
    return _ranks(free, fleet), _ranks(free, facing), mine, theirs, (free >> top).bit_count(), is_top_mine


@cache
def _ranks(free: Mask, fleet: Mask) -> int:
    """Count the ships that reach no free planet, one, two, ...; three bits each."""
    counts = 0
    rank = 0
    for number in range(PLANETS):
        rank += free >> number & 1
        counts += (fleet >> number & 1) << BITS * rank
    return counts


def _mask(numbers: Sequence[int]) -> Mask:
    return sum(1 << number - 1 for number in numbers)
