"""The base of everything that travels, and the few types that every game shares.

Whatever arrives is untrusted: models are strict (no "3" for 3, no True for 1), refuse unknown
fields and cannot be changed once made.
"""

from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema
from pydantic_core import core_schema

T = TypeVar("T")

# A literal compares with ==, so that by itself it takes True and 1.0 for 1, even in a strict model.
Exact = GetPydanticSchema(
    lambda literal, schema_of: core_schema.chain_schema(
        [core_schema.int_schema(strict=True), schema_of(literal)]
    )
)
"""Marks a literal of whole numbers that takes whole numbers only."""

Seat = Annotated[Literal[1, 2], Exact]
"""A place at the table: Player 1, who moves first, or Player 2."""

SEATS: tuple[Seat, Seat] = (1, 2)

Owner = Annotated[Literal[0, 1, 2], Exact]
"""The seat that holds a planet, territory or cell; 0 while nobody does."""

UNOWNED: tuple[Owner] = (0,)

Many = Annotated[tuple[T, ...], Field(strict=False)]
"""Any number of T. MessagePack knows only lists, so the container is lax; the items stay strict."""

Pair = Annotated[tuple[T, T], Field(strict=False)]
"""One T for each seat: Player 1's, then Player 2's."""


class Model(BaseModel):
    """The base of all that travels."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


def other(seat: Seat) -> Seat:
    """Name the opponent's seat.

    >>> other(1)
    2
    """
    return 2 if seat == 1 else 1
