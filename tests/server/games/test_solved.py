"""What perfect play says, computed by exhaustive search.

Conquer and Command Line Conquer are small enough to be searched on the real rules. Galaxy Conquest is
searched on a compact copy of its rules, which is first shown to agree with the real ones.
"""

from dataclasses import dataclass, replace
from functools import cache
from random import Random

import pytest

from protocol.model import other
from server.games import GAMES
from tests.server.games.explore import legal_moves, move_of, reachable, successors
from tests.server.games.playthrough import begin, variants_of, walk
from tests.server.games.position import NoLuck, Position

NUMBERS = range(1, 8)


@cache
def conquer_winner(state):
    """Name the player who wins a position of Conquer when both play perfectly."""
    if state.end:
        return state.end.winner
    winners = {conquer_winner(after) for after in successors(GAMES["conquer"], state)}
    return state.turn if state.turn in winners else other(state.turn)


@pytest.mark.parametrize("territory", NUMBERS)
def test_conquer_is_won_by_player_one_from_every_first_claim(territory):
    first = Position("conquer")
    first.play(1, "claim", territory=territory)
    assert conquer_winner(first.state) == 1


@dataclass(frozen=True, slots=True)
class Galaxy:
    """A position of Galaxy Conquest, seen by the player to move: only what can still matter.

    Planets and ships are bits, planet 3 being bit 3.
    """

    unconquered: int = 0b11111110
    ships: tuple[int, int] = (0b11111110, 0b11111110)
    counts: tuple[int, int] = (0, 0)
    highest: tuple[int, int] = (0, 0)


def attacked(position, planet, ship):
    """Send a ship of the player to move against a planet; the position is then the opponent's."""
    mine, theirs = position.ships
    position = replace(position, ships=(theirs, mine & ~(1 << ship)))
    counts, highest = position.counts, position.highest
    if ship >= planet:
        counts = (counts[0] + 1, counts[1])
        highest = (max(highest[0], planet), highest[1])
        position = replace(position, unconquered=position.unconquered & ~(1 << planet))
    return replace(position, counts=counts[::-1], highest=highest[::-1])


def is_over(position):
    return 4 in position.counts or position.ships == (0, 0)


def has_won(position):
    """Tell, at the end, whether the player who would be to move has won: planets first, then the highest."""
    return (position.counts[0], position.highest[0]) > (position.counts[1], position.highest[1])


def attacks(position):
    """List the attacks that differ. A ship that fails is spent, whichever planet it failed at."""
    for ship in NUMBERS:
        if not position.ships[0] >> ship & 1:
            continue
        for planet in range(1, ship + 1):
            if position.unconquered >> planet & 1:
                yield planet, ship
        if position.unconquered >> ship + 1:
            yield position.unconquered.bit_length() - 1, ship


@cache
def can_win(position):
    """Tell whether the player to move wins against any play."""
    if is_over(position):
        return has_won(position)
    return any(not can_win(attacked(position, planet, ship)) for planet, ship in attacks(position))


def compact(state):
    """Copy a state of the real rules."""
    me, you = state.turn, other(state.turn)
    held = {seat: [n for n in NUMBERS if state.planets[n - 1] == seat] for seat in (0, 1, 2)}
    return Galaxy(
        unconquered=sum(1 << planet for planet in held[0]),
        ships=(
            sum(1 << ship for ship in state.ships[me - 1]),
            sum(1 << ship for ship in state.ships[you - 1]),
        ),
        counts=(len(held[me]), len(held[you])),
        highest=(max(held[me], default=0), max(held[you], default=0)),
    )


def test_the_compact_galaxy_agrees_with_the_rules():
    game = GAMES["galaxy"]
    (variant,) = variants_of(game)
    for seed in range(150):
        state, _ = begin(variant, NoLuck().below)
        assert compact(state) == Galaxy()
        for step in walk(variant, state, Random(seed)):
            position, move = compact(step.before), step.entry.move
            assert compact(step.after) == attacked(position, move.planet, move.ship)
            reached = {
                attacked(position, each.planet, each.ship) for _, each in legal_moves(game, step.before)
            }
            assert {attacked(position, *attack) for attack in attacks(position)} == reached
            assert is_over(compact(step.after)) == (step.after.end is not None)
        assert has_won(compact(step.after)) == (step.after.end.winner == step.after.turn)


def test_galaxy_is_won_by_player_one():
    assert can_win(Galaxy())


@pytest.mark.parametrize("ship", NUMBERS)
@pytest.mark.parametrize("planet", NUMBERS)
def test_in_galaxy_a_first_attack_keeps_the_win_if_it_conquers_and_saves_ship_7_for_planet_7(ship, planet):
    start, _ = GAMES["galaxy"].setup({}, NoLuck())
    after, _ = GAMES["galaxy"].apply(
        start, 1, move_of("galaxy", "attack", planet=planet, ship=ship), NoLuck()
    )
    keeps_the_win = ship >= planet and (ship != 7 or planet == 7)
    assert can_win(compact(after)) == (not keeps_the_win)


def forced_wins(winner):
    """Collect the states of Command Line Conquer from which a player wins against any play."""
    game = GAMES["duel"]
    states = reachable(game)
    after = {state: list(successors(game, state)) for state in states}
    won = {state for state in states if state.end and state.end.winner == winner}
    grown = True
    while grown:
        more = {
            state
            for state in states - won
            if after[state] and (any if state.turn == winner else all)(each in won for each in after[state])
        }
        grown = bool(more)
        won |= more
    return won


@pytest.mark.parametrize("seat", [1, 2])
def test_in_command_line_conquer_neither_side_can_force_a_win(seat):
    start, _ = GAMES["duel"].setup({}, NoLuck())
    won = forced_wins(seat)
    assert start not in won
    assert any(state.end is None for state in won), "some later states are lost by force"
