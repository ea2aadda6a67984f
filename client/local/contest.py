"""Contestants against each other: many matches without a server, and whose answers were not legal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from client import bots
from client.bots.arena import Maker, Tally, compete
from client.bots.bot import lawful
from client.bots.standing import standing
from client.local import user_bot
from client.local.contestant import Contestant, told_to_the_author
from protocol.choice import Choice, Move
from protocol.games.view import GameView


@dataclass(slots=True)
class Contest:
    """Two contestants in the arena, and what has come of it so far."""

    game: str
    options: Mapping[str, str]
    sides: tuple[Contestant, Contestant]
    course: list[Tally] = field(default_factory=list)
    """The first one's results after every match."""
    faults: list[str] = field(default_factory=list)
    """Sentences about answers that were not legal: each has lost its match."""

    def run(
        self, matches: int, randbelow: Callable[[int], int], on_match: Callable[[int, int], None]
    ) -> None:
        """Play so many matches, telling how many each side has won; raise `CouldNot` when a bot fails."""

        def count(tally: Tally) -> None:
            self.course.append(tally)
            on_match(tally.won, tally.lost)

        makers = self._watched(self.sides[0]), self._watched(self.sides[1])
        with told_to_the_author():
            compete(self.game, self.options, makers, matches, randbelow, count)

    def lines(self) -> tuple[str, ...]:
        """Make the table of the matches that were played."""
        return standing((self.sides[0].name, self.sides[1].name), self.course)

    def _watched(self, side: Contestant) -> Maker:
        return lambda chance, options: _Watched(self.faults, side.name, side.make(chance, options))


@dataclass(frozen=True, slots=True)
class _Watched:
    """A bot whose illegal answers are noted."""

    faults: list[str]
    name: str
    bot: bots.Bot

    def choose(self, view: GameView, choices: Sequence[Choice]) -> Move | Mapping[str, object]:
        answer = self.bot.choose(view, choices)
        if lawful(view, choices, answer) is None:
            self.faults.append(user_bot.complaint(self.name, view, choices, answer))
        return answer
