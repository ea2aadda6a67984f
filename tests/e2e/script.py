"""How the players of a test decide: always alike, so that two runs can be compared, or at random."""

import random

from protocol.games.digit import GOAL
from tests.e2e.client import Choose, Player, RawMove, Sight


def steady(player: Player, sight: Sight) -> RawMove:
    """Decide by seat, turn and what is legal alone: a disturbed run must decide as an undisturbed one.

    How many events there were is left out on purpose, since two sealed picks may come in either order.
    """
    assert sight.shown is not None
    turn, moves = sight.shown.turn, sight.moves()
    if sight.shown.view.game == "digit":
        to_go = GOAL - sight.shown.view.scores[sight.seated.seat - 1]
        # The highest card that fits brings the end soon; a drawn one is added where it can be.
        fitting = [move for move in moves if move["kind"] == "draw" and int(move["digit"]) <= to_go]
        return fitting[-1] if fitting else moves[0]
    if sight.seated.game == "duel":
        return moves[0] if turn % 5 else moves[-1]
    return moves[(5 * turn + sight.seated.seat) % len(moves)]


def wild(generator: random.Random) -> Choose:
    """Decide by chance."""

    def choose(player: Player, sight: Sight) -> RawMove:
        return generator.choice(sight.moves())

    return choose
