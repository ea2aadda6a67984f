"""Galaxy Conquest solved: a search with memory over positions that are really different.

What a ship can do depends only on which of the free planets it can reach, so positions are remembered by
the rank of each ship among them. That makes the first move a matter of milliseconds.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from client.bots.solver import ERRING, Solver, walks_into, weigh
from client.core.advice import Advice, Candidate
from protocol.choice import Choice, spelled_out
from protocol.games.galaxy import PLANETS, Attack, View
from protocol.model import other
from server.games.galaxy import WINNING_COUNT
from server.games.game import Options

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


_winners: dict[tuple[int, ...], bool] = {}
"""What the search has found out: whether the player to move wins."""
_lengths: dict[tuple[int, ...], tuple[int, int]] = {}
"""Turns in which the end cannot be forced yet, and turns in which it can."""


def advise(view: View, choices: Sequence[Choice], options: Options) -> Advice:
    """Say what every legal attack is worth."""
    position = read(view)
    moves = [Attack.model_validate(raw) for raw in spelled_out(choices)]
    afters = [attack(position, move.planet, move.ship) for move in moves]
    # How long a loss takes and what the opponent may still do wrong is asked only when nothing wins.
    judge = judge_quickly if not all(wins(after) for after in afters) else judge_fully
    known = {after: judge(after) for after in set(afters)}
    candidates = []
    for move, after in zip(moves, afters, strict=True):
        value, hope, distance = known[after]
        is_silly = move.ship < move.planet or walks_into(value, distance)
        candidates.append(Candidate(move, value, hope, distance, is_silly))
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


Judgement = tuple[float, float, int | None]
"""For the player who has just moved: value, chances, and the turns until the end, the last one counted."""


def judge_quickly(after: Position) -> Judgement:
    """Judge a position; how long a loss takes is told only when it comes at once."""
    if not wins(after):
        return 1.0, 1.0, 1 + turns_left(after)
    return -1.0, -1.0, 2 if _wins_at_once(after) else None


def judge_fully(after: Position) -> Judgement:
    """Judge a position that is lost: how long it can be held, and how much the opponent may do wrong."""
    turns = turns_left(after)
    if turns <= 1:
        # Nobody errs so far as to miss a win on the spot.
        return -1.0, -1.0, 1 + turns
    replies = [wins(reply) for reply in _attacks(after)]
    return -1.0, -1.0 + ERRING * 2.0 * replies.count(True) / len(replies), 1 + turns


def wins(position: Position) -> bool:
    """Tell whether the player to move wins with best play."""
    if position.theirs == WINNING_COUNT:
        return False
    if not position.fleet:
        return _wins_at_the_end(position)
    if position.mine == WINNING_COUNT - 1 and _can_conquer(position):
        return True
    key = _key(position)
    known = _winners.get(key)
    if known is None:
        known = False
        for after in _attacks(position):
            if not wins(after):
                known = True
                break
        _winners[key] = known
    return known


def turns_left(position: Position) -> int:
    """Tell how many turns of both players the side that loses can hold out."""
    return next(turns for turns in range(2 * PLANETS + 1) if ends_within(position, turns))


def ends_within(position: Position, turns: int) -> bool:
    """Tell whether the side that wins can force the end in so many turns of both players."""
    if position.theirs >= WINNING_COUNT or not position.fleet:
        return True
    if turns < _fewest_turns(position):
        return False
    if _wins_at_once(position):
        return True
    key = _key(position)
    too_few, enough = _lengths.get(key, (0, 2 * PLANETS))
    if too_few < turns < enough:
        if _ends_within(position, turns):
            enough = turns
        else:
            too_few = turns
        _lengths[key] = too_few, enough
    return turns >= enough


def _ends_within(position: Position, turns: int) -> bool:
    if wins(position):
        return any(ends_within(after, turns - 1) for after in _attacks(position) if not wins(after))
    return all(ends_within(after, turns - 1) for after in _attacks(position))


def _fewest_turns(position: Position) -> int:
    """Tell how soon it can end at all: with the winner's fourth planet or with the last ship."""
    ships = position.fleet.bit_count() + position.facing.bit_count()
    if wins(position):
        return min(ships, 2 * (WINNING_COUNT - position.mine) - 1)
    return min(ships, 2 * (WINNING_COUNT - position.theirs))


def _wins_at_once(position: Position) -> bool:
    return position.mine == WINNING_COUNT - 1 and _can_conquer(position)


def _can_conquer(position: Position) -> bool:
    """Tell whether the best ship can take the lowest free planet."""
    return position.fleet >= position.free & -position.free


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


SOLVER = Solver(
    advise=advise,
    opening=lambda options: 1.0,
    room=lambda view: 3.0,
)
