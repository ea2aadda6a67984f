"""The steps of a match: its positions, move by move, out of its events or its record.

Pure. What is known grows with the events that are told; who looks back looks at a step of it. Steps have the
numbers that a record's moves have.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from client.core.past import PASTS
from client.core.past.past import Who
from protocol.games import Event, View
from protocol.model import Owner


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


def lines_of(game: str, step: Step, who: Who) -> tuple[str, ...]:
    """Tell a step in short lines: the move with its number, then what has followed from it."""
    said = [line for event in step.events if (line := _short(game, event, who))]
    if not said or not step.number:
        return tuple(said)
    first, *more = said
    return f"{step.number}. {first}", *(f"   {line}" for line in more)


def _short(game: str, event: Any, who: Who) -> str:
    return PASTS[game].short(event, who)
