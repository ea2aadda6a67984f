"""Bots against each other: many matches with alternating seats, and what they prove.

Pure but for the bots themselves; who calls it says where chance comes from and who is told of progress.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from client.bots.bot import Bot, lawful
from protocol.model import Seat, other
from protocol.outcome import MOVE_CAP, Outcome
from server.games import GAMES
from server.games.chance import Drawn
from server.games.game import Chance, Options

MOST_MOVES = 2000
"""A3: a match that has not ended by then is called off."""
CONFIDENCE = 1.96
"""Standard deviations on either side that hold the truth in 95 of 100 cases."""
FORFEIT = "forfeit"
"""The reason for an end that the rules do not know: a bot played something illegal."""

Maker = Callable[[Chance, Options], Bot]
"""Makes a new bot for a match."""


class Turn(NamedTuple):
    """One move, as a match's record has it."""

    seat: Seat
    move: Mapping[str, object]
    chance: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Bout:
    """A match that bots have played."""

    chance: tuple[int, ...]
    """What chance answered when the game was set up."""
    turns: tuple[Turn, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Tally:
    """Results of the first bot against the second."""

    won: int = 0
    drawn: int = 0
    """Matches without a winner: called off after too many moves."""
    lost: int = 0

    @property
    def matches(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """The first bot's share of the points; a draw is half a point."""
        return (self.won + self.drawn / 2) / self.matches

    def interval(self) -> tuple[float, float]:
        """Tell between which scores the true one lies, by Wilson's formula, in 95 of 100 cases.

        A draw counts as half a win and half a loss; that makes the interval rather too wide than too small.
        """
        n, square = self.matches, CONFIDENCE**2
        middle = (self.score + square / (2 * n)) / (1 + square / n)
        reach = sqrt(self.score * (1 - self.score) / n + square / (4 * n * n)) / (1 + square / n)
        return middle - CONFIDENCE * reach, middle + CONFIDENCE * reach

    def plus(self, points: float) -> "Tally":
        """Count one more match: 1.0, 0.5 or 0.0 points for the first bot."""
        return Tally(self.won + (points == 1.0), self.drawn + (points == 0.5), self.lost + (points == 0.0))


def compete(
    game: str,
    options: Options,
    makers: tuple[Maker, Maker],
    matches: int,
    randbelow: Callable[[int], int],
    on_match: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Let two bots play so many matches; the first one is Player 1 in every other match."""
    tally = Tally()
    for number in range(matches):
        first: Seat = 1 if number % 2 == 0 else 2
        seated = makers if first == 1 else (makers[1], makers[0])
        winner = play(game, options, seated, randbelow).outcome.winner
        tally = tally.plus(0.5 if winner is None else float(winner == first))
        on_match(tally)
    return tally


def play(
    game_id: str, options: Options, makers: tuple[Maker, Maker], randbelow: Callable[[int], int]
) -> Bout:
    """Play one match; the first maker's bot is Player 1. A bot that plays what is illegal has lost."""
    game = GAMES[game_id]
    options = game.agree(options)
    # The luck of the bots is not the luck of the match: what they draw is not written down.
    bots = [maker(Drawn(randbelow), options) for maker in makers]
    chance = Drawn(randbelow)
    state, _ = game.setup(options, chance)
    dealt = tuple(chance.answers)
    turns: list[Turn] = []
    while (end := game.outcome(state)) is None and len(turns) < MOST_MOVES:
        seat = min(game.to_act(state))
        choices = game.legal_moves(state, seat)
        view = game.view(state, seat)
        move = lawful(view, choices, bots[seat - 1].choose(view, choices))
        if move is None:
            end = Outcome(winner=other(seat), reason=FORFEIT)
            break
        chance = Drawn(randbelow)
        state, _ = game.apply(state, seat, move, chance)
        turns.append(Turn(seat, move.__dict__, tuple(chance.answers)))
    return Bout(dealt, tuple(turns), end or Outcome(winner=None, reason=MOVE_CAP))
