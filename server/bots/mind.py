"""What a bot is: something that chooses a move from its seat's view and the legal choices.

`choose` is the computer's own way of doing it, at a level. The solvers behind it, one a game, are found by
the game's id.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from protocol.choice import Choice, Move
from protocol.games.view import GameView
from server.bots import conquer, digit, duel, galaxy, grid
from server.bots.advice import Advice
from server.bots.level import Level, loss_per_move, pick
from server.games.rules import Chance

Solver = Callable[[Any, Sequence[Choice]], Advice]

SOLVERS: dict[str, Solver] = {
    "galaxy": galaxy.advise,
    "conquer": conquer.advise,
    "grid": grid.advise,
    "digit": digit.advise,
    "duel": duel.advise,
}


class Bot(Protocol):
    """A player without a person: one method."""

    def choose(self, view: GameView, choices: Sequence[Choice]) -> Move | Mapping[str, object]:
        """Choose one of the moves that the choices stand for, as a model or as it would travel."""
        ...


@dataclass(frozen=True, slots=True)
class Computer:
    """The computer as a bot."""

    level: Level
    chance: Chance

    def choose(self, view: GameView, choices: Sequence[Choice]) -> Move:
        return choose(view, choices, self.level, self.chance)


def game_of(view: GameView) -> str:
    """Tell which game a view is of."""
    return str(view.__dict__["game"])


def advise(view: GameView, choices: Sequence[Choice]) -> Advice:
    """Say what every legal move is worth to the seat that looks."""
    return SOLVERS[game_of(view)](view, choices)


def choose(view: GameView, choices: Sequence[Choice], level: Level, chance: Chance) -> Move:
    """Choose a move for the seat that looks, as well as the level plays."""
    return pick(advise(view, choices), level, loss_per_move(game_of(view), level), chance).move
