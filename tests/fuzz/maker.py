"""Makes frames up from their own description, by the hundred thousand a second.

What a field is declared as is what it gets, within its bounds; a new frame, view or event needs no line here.
Where a field has a name that somebody knows values for, such as the code of a match, it gets one of these
most of the time: otherwise nothing made up would ever meet anything that exists.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from random import Random
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from protocol.link import ALPHABET, CODE_LEN, CODE_PATTERN
from protocol.model import Model
from tests.protocol.strategy import bound, bounds_of

Known = Mapping[str, Sequence[Any]]
"""Values that exist, by the name of the field they fit, or by that of its model and its own."""
KNOWN_SHARE = 0.98
Make = Callable[[Random, Known], Any]

LETTERS = "abcXYZ019 _-.:/[]{}$%\\\"'éß漢字🙂\x00\x07\x1b\n\r\t\x9b\u200b\u202e\u2028\ufeff\ue000"
NUMBERS = (-(2**63), -(2**31), -1, 0, 1, 2, 3, 7, 9, 63, 64, 127, 128, 255, 256, 2**31 - 1, 2**31, 2**64 - 1)


def lawful(model: type[Model], random: Random, known: Known) -> dict[str, Any]:
    """Make up what a frame or a part of one holds."""
    return {name: make(random, known) for name, make in _makers(model)}


@cache
def _makers(model: type[Model]) -> tuple[tuple[str, Make], ...]:
    return tuple((name, _known_or_made(model, name)) for name in model.model_fields)


def _known_or_made(model: type[Model], name: str) -> Make:
    field = model.model_fields[name]
    make, is_optional = _maker(field.annotation, field.metadata), NoneType in get_args(field.annotation)
    exactly = f"{model.__name__}.{name}"

    def pick(random: Random, known: Known) -> Any:
        values = known.get(exactly) or known.get(name)
        if values and is_optional and random.random() < 0.3:
            return None
        return random.choice(values) if values and random.random() < KNOWN_SHARE else make(random, known)

    return pick


def _maker(annotation: Any, bounds: list[Any]) -> Make:
    parts, origin = get_args(annotation), get_origin(annotation)
    if origin is Annotated:
        return _maker(parts[0], [*bounds, *bounds_of(parts[1:])])
    if origin is Literal:
        return lambda random, known: random.choice(parts)
    if origin in (Union, UnionType):
        makers = [_maker(part, bounds) for part in parts]
        return lambda random, known: random.choice(makers)(random, known)
    if origin is dict:
        return _dicts(_maker(parts[0], []), _maker(parts[1], []), bound(bounds, "max_length", 3))
    if origin is tuple:
        return _tuples(parts, bounds)
    return _plain(annotation, bounds)


def _dicts(key: Make, value: Make, most: int) -> Make:
    def make(random: Random, known: Known) -> dict[Any, Any]:
        size = random.randrange(min(3, most) + 1)
        return {key(random, known): value(random, known) for _ in range(size)}

    return make


def _tuples(parts: tuple[Any, ...], bounds: list[Any]) -> Make:
    if parts[-1] is not Ellipsis:
        makers = [_maker(part, []) for part in parts]
        return lambda random, known: [make(random, known) for make in makers]
    item, least = _maker(parts[0], []), bound(bounds, "min_length", 0)
    most = max(least, min(4, bound(bounds, "max_length", 4)))
    return lambda random, known: [item(random, known) for _ in range(random.randint(least, most))]


def _plain(kind: Any, bounds: list[Any]) -> Make:
    if kind is NoneType:
        return lambda random, known: None
    if kind is bool:
        return lambda random, known: random.random() < 0.5
    if kind is int:
        least, most = bound(bounds, "ge", NUMBERS[0]), bound(bounds, "le", NUMBERS[-1])
        edges = [number for number in (*NUMBERS, least, most) if least <= number <= most]
        return lambda random, known: random.choice(edges)
    if kind is float:
        return lambda random, known: random.choice((0.0, 0.5, 1.0, 1e9, 1.7e308))
    if kind is str:
        pattern = bound(bounds, "pattern", None)
        if pattern:
            letters = ALPHABET if pattern == CODE_PATTERN else "abz_"
            return lambda random, known: "".join(random.choices(letters, k=CODE_LEN))
        longest = bound(bounds, "max_length", 64)
        return lambda random, known: text(random, longest)
    if issubclass(kind, Enum):
        values = [each.value for each in kind]
        return lambda random, known: random.choice(values)
    return lambda random, known: lawful(kind, random, known)


def text(random: Random, longest: int) -> str:
    """Make up a text that no terminal should be handed as it is."""
    # The longest ones are as long in bytes as any text may be: a character has up to four.
    most = longest if longest <= 64 else longest // 4
    length = most if random.random() < 0.03 else random.randrange(min(most, 16) + 1)
    return "".join(random.choices(LETTERS, k=length))
