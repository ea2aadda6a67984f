"""The base of everything that travels, and the few types that every game shares.

Whatever arrives is untrusted: models are strict (no "3" for 3, no True for 1), refuse unknown
fields and cannot be changed once made.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, ParamSpec, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, GetPydanticSchema
from pydantic_core import core_schema

T = TypeVar("T")
P = ParamSpec("P")

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


def unchecked(model: Callable[P, T]) -> Callable[P, T]:
    """Return a constructor of the model that trusts its caller, for values that our own code computed.

    Validation belongs at the door. A server that also validated whatever it says would spend a third of
    its time on that, so the tests do it instead. Arguments are given by name.
    """
    made_of = cast(type[Model], model)
    defaults = {
        name: field.default for name, field in made_of.model_fields.items() if not field.is_required()
    }
    field_names = set(made_of.model_fields)
    new, put = made_of.__new__, object.__setattr__

    def make(**fields: Any) -> Model:
        made = new(made_of)
        put(made, "__dict__", {**defaults, **fields})
        put(made, "__pydantic_fields_set__", field_names)
        put(made, "__pydantic_extra__", None)
        put(made, "__pydantic_private__", None)
        return made

    return cast(Callable[P, T], make)


def other(seat: Seat) -> Seat:
    """Name the opponent's seat.

    >>> other(1)
    2
    """
    return 2 if seat == 1 else 1
