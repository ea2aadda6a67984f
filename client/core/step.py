"""The steps of a match: its positions, move by move, out of its events or its record.

Pure. What is known grows with the events that are told; who looks back looks at a step of it. Steps have the
numbers that a record's moves have.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from client.core.games.wording import Who
from client.core.past import PASTS
from protocol.games import Event, View
from protocol.model import Owner

BEGINNING = "The beginning"
"""What is said of a step of which there is nothing else to say."""


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a match, and the move that has led to it."""

    number: int
    """Of the move; 0 for the position at the beginning."""
    seat: Owner
    """Whose move it was."""
    events: tuple[Event, ...]
    """What the move has brought about."""
    view: View
    """What all could see then."""


Steps = tuple[Step, ...]


def beginning(game: str, options: Mapping[str, str]) -> Steps:
    """Begin a match, of which nothing has been told yet."""
    return (Step(0, 0, (), PASTS[game].begin(options)),)


def grown(steps: Steps, game: str, options: Mapping[str, str], events: Iterable[Event]) -> Steps:
    """Add what has happened: a step for each move, and to the last one what has followed from it."""
    past = PASTS[game]
    moves = past.moves(options)
    added = [steps[-1]]
    for event in events:
        step = added[-1]
        view = past.after(step.view, event)
        if isinstance(event, moves):
            added.append(Step(step.number + 1, getattr(event, "seat", 0), (event,), view))
        else:
            added[-1] = replace(step, events=(*step.events, event), view=view)
    return (*steps[:-1], *added)


def step_of(steps: Steps, number: int) -> Step:
    """Find a step by the number of its move, or the nearest that there is."""
    return steps[min(max(number - steps[0].number, 0), len(steps) - 1)]


@dataclass(frozen=True, slots=True)
class Walk:
    """A match as one walks through it: what is known of it, and where one stands."""

    steps: Steps
    at: int | None = None
    """The step that is looked at; None for the present, which goes on."""

    @property
    def looked_at(self) -> Step | None:
        """The step of the past that is looked at."""
        return None if self.at is None else step_of(self.steps, self.at)

    def moved(self, by: int) -> "Walk":
        """Walk back, or forward again up to the present."""
        last = self.steps[-1].number
        wanted = max((last if self.at is None else self.at) + by, self.steps[0].number)
        return replace(self, at=wanted if wanted < last else None)


def lines_of(game: str, step: Step, who: Who, untold: str = "") -> tuple[str, ...]:
    """Tell a step in short lines: the move with its number, then what has followed from it.

    At a beginning nothing has followed, and a server may end a match of which it has told nothing: who
    needs a line for such a step says which.
    """
    said = [line for event in step.events if (line := _short(game, event, who))]
    if not said and untold:
        return (untold,)
    if not said or not step.number:
        return tuple(said)
    first, *more = said
    return f"{step.number}. {first}", *(f"   {line}" for line in more)


def lines_since(game: str, before: Steps, now: Steps, who: Who) -> list[tuple[str, Owner]]:
    """Tell what has been added to the steps, each line with the seat whose move it was."""
    told = len(lines_of(game, before[-1], who))
    return [
        (line, step.seat)
        for step in now[len(before) - 1 :]
        for line in lines_of(game, step, who)[told if step.number == before[-1].number else 0 :]
    ]


def place_line(game: str, walk: Walk, who: Who) -> str:
    """Say which step is looked at, and which one is the last by now."""
    step, last = walk.looked_at or walk.steps[-1], walk.steps[-1]
    here, now = (lines_of(game, each, who, BEGINNING)[0] for each in (step, last))
    return f"Looking back: {here}. The last: {now}. End: back to the present"


def _short(game: str, event: Any, who: Who) -> str:
    return PASTS[game].short(event, who)
