"""What a bot is: something that chooses a move from its seat's view and the legal choices.

`choose` is the computer's own way of doing it, at a level. Nothing here can see more than a person in the
same seat: a view, the legal choices and the options that were agreed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from client.bots.level import Level, pick
from client.bots.solver import Solver
from client.core.advice import Advice
from protocol.catalogue import modules_of
from protocol.choice import Choice, Move, admits
from protocol.games import parse_move
from protocol.games.view import GameView
from server.games.game import Chance, Options

SOLVERS: dict[str, Solver] = {game: module.SOLVER for game, module in modules_of("client.bots").items()}

NO_OPTIONS: Options = {}


class Bot(Protocol):
    """A player without a person: one method."""

    def choose(self, view: GameView, choices: Sequence[Choice]) -> Move | Mapping[str, object]:
        """Choose one of the moves that the choices stand for, as a model or as it would travel."""
        ...


def lawful(view: GameView, choices: Sequence[Choice], answer: object) -> Move | None:
    """Turn a bot's answer into a move; None when it is not one of those the choices stand for."""
    move = parse_move(game_of(view), answer.__dict__ if isinstance(answer, Move) else answer)
    return move if move is not None and admits(choices, move) else None


@dataclass(frozen=True, slots=True)
class Computer:
    """The computer as a bot."""

    level: Level
    chance: Chance
    """Where it gets the luck from that a mixed strategy needs; never the luck of the match itself."""
    options: Options = field(default_factory=dict)

    def choose(self, view: GameView, choices: Sequence[Choice]) -> Move:
        return choose(view, choices, self.level, self.chance, self.options)


def choose(
    view: GameView,
    choices: Sequence[Choice],
    level: Level,
    chance: Chance,
    options: Options = NO_OPTIONS,
) -> Move:
    """Choose a move for the seat that looks, as well as the level plays.

    The options matter to Digit Conquest alone, where a view with a card in it does not tell whether the
    next card will be drawn or chosen; drawn is taken for granted.
    """
    advice = advise(view, choices, options)
    return pick(advice, level, SOLVERS[game_of(view)].room(view), chance).move


def advise(view: GameView, choices: Sequence[Choice], options: Options = NO_OPTIONS) -> Advice:
    """Say what every legal move is worth to the seat that looks, which must owe a move."""
    return SOLVERS[game_of(view)].advise(view, choices, options)


def game_of(view: GameView) -> str:
    """Tell which game a view is of."""
    return str(view.__dict__["game"])
