"""Who plays without a person: the computer at a level, or a bot of the user's own.

A bot is given what a client was shown and nothing else.
"""

import contextlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from client import bots
from client.bots.arena import Maker
from client.bots.bot import lawful
from client.core.failure import CouldNot
from client.core.nearest import did_you_mean
from client.local import user_bot
from protocol.choice import Choice
from protocol.games import View
from protocol.process.usage import Misused
from server.games.chance import Drawn


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who can play without a person: the computer at a level, or a bot of the user's own."""

    name: str
    make: Maker
    """Makes a new bot for a match."""
    file: Path | None = None
    """Where a bot of the user's own comes from."""

    def chooser(self, options: Mapping[str, str]) -> "BotChooser":
        """Make a bot that answers with moves as they travel."""
        return BotChooser(self, options)


class BotChooser:
    """A bot in one match; its thinking belongs in a thread. Making and asking it can raise `CouldNot`."""

    def __init__(self, contestant: Contestant, options: Mapping[str, str]) -> None:
        self._name = contestant.name
        with told_to_the_author():
            self._bot = contestant.make(Drawn(secrets.randbelow), options)

    def choose(self, view: View, choices: Sequence[Choice]) -> dict[str, int | str]:
        """Choose a move from what a client was shown."""
        with told_to_the_author():
            answer = self._bot.choose(view, choices)
            move = lawful(view, choices, answer)
            if move is None:
                raise CouldNot(user_bot.complaint(self._name, view, choices, answer))
        return dict(move.__dict__)


@contextlib.contextmanager
def told_to_the_author() -> Iterator[None]:
    """Turn what a bot of the user's own does wrong into a sentence for its author."""
    try:
        yield
    except (user_bot.BadBot, user_bot.Raised) as problem:
        raise CouldNot(str(problem)) from problem


def contestant(word: str) -> Contestant:
    """Find who is meant by a level's name or a file; raise `Misused`, or `CouldNot` for a bad file."""
    for level in bots.LEVELS:
        if word == level:
            return Contestant(word, partial(bots.Computer, level))
    path = Path(word)
    if not path.exists():
        known = [*bots.LEVELS, *(str(file) for file in path.parent.glob("*.py"))]
        levels = ", ".join(bots.LEVELS)
        raise Misused(
            f"There is no level or file {word!r}.{did_you_mean(word, known)} The levels are {levels}."
        )
    with told_to_the_author():
        kind = user_bot.load(path)
    return Contestant(path.name, lambda chance, options: user_bot.UserBot(kind, path.name), path)
