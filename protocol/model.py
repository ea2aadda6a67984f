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
"""A place at a match: Player 1, who moves first, or Player 2."""

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

    Validation belongs where input comes in. A server that also validated all that it says would spend a
    third of its time on that, so the tests do it instead. Arguments are given by name.
    """
    made_of = cast(type[Model], model)
    defaults = [
        (name, field.default) for name, field in made_of.model_fields.items() if not field.is_required()
    ]
    field_names = set(made_of.model_fields)
    new = made_of.__new__

    def make(**fields: Any) -> Model:
        made = new(made_of)
        for name, default in defaults:
            if name not in fields:
                fields[name] = default
        _put_fields(made, fields)
        _put_field_names(made, field_names)
        _put_extra(made, None)
        _put_private(made, None)
        return made

    return cast(Callable[P, T], make)


# A frozen model's own way of setting these is closed, and `object.__setattr__` has to look each of them up.
_put_fields, _put_field_names, _put_extra, _put_private = (
    BaseModel.__dict__[name].__set__
    for name in ("__dict__", "__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
)


def other(seat: Seat) -> Seat:
    """Name the opponent's seat.

    >>> other(1)
    2
    """
    return 2 if seat == 1 else 1
