"""How the players of a test decide: always alike, so that two runs can be compared, or at random."""

import random

from tests.e2e.client import Choose, Player, RawMove, Sight


def steady(player: Player, sight: Sight) -> RawMove:
    """Decide by seat, turn and what is legal alone: a disturbed run must decide as an undisturbed one.

    How many events there were is left out on purpose, since two sealed picks may come in either order.
    """
    assert sight.shown is not None
    turn, moves = sight.shown.turn, sight.moves()
    if sight.seated.game == "digit":
        return moves[0]
    if sight.seated.game == "duel":
        return moves[0] if turn % 5 else moves[-1]
    return moves[(5 * turn + sight.seated.seat) % len(moves)]


def wild(generator: random.Random) -> Choose:
    """Decide by chance."""

    def choose(player: Player, sight: Sight) -> RawMove:
        return generator.choice(sight.moves())

    return choose
