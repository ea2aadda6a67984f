"""Legal moves in a form small enough to send with every view.

A `Choice` is one kind of move with the values each of its fields may take, independently of one
another: seven planets and seven ships are two short lists instead of forty-nine moves. Clients ask
their questions from it, so they need no rules.
"""

from collections.abc import Iterable, Iterator
from itertools import product
from typing import Annotated

from pydantic import Field

from protocol.model import Many, Model

Move = Model
"""Any game's move: a model with a `kind` and whole-number fields."""


class Choice(Model):
    """All moves of one kind that are legal now.

    `Choice(kind="attack", values={"planet": (4, 7), "ship": (5,)})` stands for two moves.
    """

    kind: Annotated[str, Field(max_length=16)]
    """The `kind` of the moves it stands for."""
    values: dict[str, Many[int]]
    """For each field of such a move, what it may be; empty for a move that has no fields."""


def admits(choices: Iterable[Choice], move: Move) -> bool:
    """Tell whether the move is one of those the choices stand for."""
    fields = move.__dict__
    kind, size = fields["kind"], len(fields) - 1
    for choice in choices:
        values = choice.values
        if choice.kind == kind and len(values) == size:
            for name, allowed in values.items():
                if fields.get(name) not in allowed:
                    break
            else:
                return True
    return False


def spelled_out(choices: Iterable[Choice]) -> Iterator[dict[str, int | str]]:
    """List the moves that the choices stand for, each as it would travel."""
    for choice in choices:
        for values in product(*choice.values.values()):
            yield {"kind": choice.kind, **dict(zip(choice.values, values, strict=True))}
