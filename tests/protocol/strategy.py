"""Makes frames up from their own description, for tests that want any of them.

What a field is declared as is what it gets: a new frame, view or event needs no line here.
"""

from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from hypothesis import strategies as st
from pydantic.fields import FieldInfo

from protocol.client_frame import ClientFrame
from protocol.model import Model
from protocol.server_frame import ServerFrame

CLIENT_FRAMES: tuple[type[Model], ...] = get_args(ClientFrame)
SERVER_FRAMES: tuple[type[Model], ...] = get_args(ServerFrame)

Values = st.SearchStrategy[Any]


def frames(kinds: tuple[type[Model], ...]) -> st.SearchStrategy[Model]:
    """Make up frames of the given kinds, each kind equally often."""
    return st.sampled_from(kinds).flatmap(made)


def made(model: type[Model]) -> st.SearchStrategy[Model]:
    """Make up models of one kind."""
    fields = {name: values(field.annotation, field.metadata) for name, field in model.model_fields.items()}
    return st.builds(model, **fields)


def values(annotation: Any, bounds: list[Any]) -> Values:
    """Make up values of a declared type within its bounds."""
    parts = get_args(annotation)
    origin = get_origin(annotation)
    if origin is Annotated:
        return values(parts[0], [*bounds, *bounds_of(parts[1:])])
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in (Union, UnionType):
        return st.one_of([values(part, bounds) for part in parts])
    if origin is dict:
        keys, kept = values(parts[0], []), values(parts[1], [])
        return st.dictionaries(keys, kept, max_size=min(3, bound(bounds, "max_length", 3)))
    if origin is tuple:
        return _tuples(parts, bounds)
    return _plain(annotation, bounds)


def _tuples(parts: tuple[Any, ...], bounds: list[Any]) -> Values:
    if parts[-1] is not Ellipsis:
        return st.tuples(*[values(part, []) for part in parts])
    least = bound(bounds, "min_length", 0)
    most = max(least, min(4, bound(bounds, "max_length", 4)))
    return st.lists(values(parts[0], []), min_size=least, max_size=most).map(tuple)


def _plain(kind: Any, bounds: list[Any]) -> Values:
    if kind is NoneType:
        return st.none()
    if kind is bool:
        return st.booleans()
    if kind is int:
        return st.integers(bound(bounds, "ge", -(2**63)), bound(bounds, "le", 2**64 - 1))
    if kind is float:
        return st.floats(min_value=bound(bounds, "ge", None), allow_nan=False, allow_infinity=False)
    if kind is str:
        if pattern := bound(bounds, "pattern", None):
            return st.from_regex(f"{pattern[:-1]}\\Z")
        return st.text(st.characters(codec="utf-8"), max_size=min(64, bound(bounds, "max_length", 64)))
    if issubclass(kind, Enum):
        return st.sampled_from(kind)
    return made(kind)


def bounds_of(marks: tuple[Any, ...]) -> list[Any]:
    """List what the marks of an `Annotated` type say about its values."""
    return [bound for mark in marks for bound in (mark.metadata if isinstance(mark, FieldInfo) else [mark])]


def bound(bounds: list[Any], name: str, otherwise: Any) -> Any:
    """Find one bound among all those of a type."""
    return next((found for bound in bounds if (found := getattr(bound, name, None)) is not None), otherwise)
