"""Reads `docs/protocol.md`: its sections, tables and examples, and how the page names the type of a field."""

import re
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from protocol.choice import Choice
from protocol.field import Code, Count, Id
from protocol.games import Event, View, duel, grid
from protocol.model import Owner, Seat
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import OpenMatch, Turned
from tests.protocol.strategy import bound, bounds_of

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"

NAMED = [
    (Id, "id"),
    (Count, "count"),
    (Code, "code"),
    (Seat, "seat"),
    (Owner, "owner"),
    (duel.Stance, "stance"),
    (View, "[view](#the-games)"),
    (Event, "[event](#the-games)"),
    (Choice, "[choice](#choice)"),
    (Outcome, "[outcome](#outcome)"),
    (OpenMatch, "[open match](#open-match)"),
    (Turned, "[turned](#turned)"),
    (grid.Standing, "[standing challenge](#standing-challenge)"),
    (RefusalCode, "[refusal code](#refusals)"),
    (CloseCode, "[close code](#closing)"),
]


@dataclass(frozen=True)
class Example:
    """A fenced block: what its first line says it is, and what is in it."""

    tags: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Section:
    """A heading with the headings that it stands under, and what follows before the next one."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """The rows of its table, cell by cell, without the head."""
    examples: tuple[Example, ...]

    @property
    def title(self) -> str:
        return self.titles[-1]


def sections() -> list[Section]:
    """Cut the page into its sections."""
    found, titles = [], []
    for part in re.split(r"(?m)^(?=#+ )", PAGE.read_text("utf-8")):
        heading, _, body = part.partition("\n")
        level = len(heading) - len(heading.lstrip("#"))
        titles = [*titles[: level - 1], heading.lstrip("# ")]
        found.append(Section(tuple(titles), _rows(body), _examples(body)))
    return found


def _rows(body: str) -> tuple[tuple[str, ...], ...]:
    lines = [line for line in body.splitlines() if line.startswith("|")]
    return tuple(tuple(cell.strip() for cell in line.strip("|").split("|")) for line in lines[2:])


def _examples(body: str) -> tuple[Example, ...]:
    blocks = re.findall(r"(?ms)^```(.*?)\n(.*?)^```$", body)
    return tuple(Example(tuple(tags.split()), text) for tags, text in blocks)


def described(annotation: Any, bounds: list[Any]) -> str:
    """Say how the page names a type."""
    for known, name in NAMED:
        if known == annotation or _means(known, annotation, bounds):
            return name
    parts, origin = get_args(annotation), get_origin(annotation)
    if origin is Annotated:
        return described(parts[0], [*bounds, *bounds_of(parts[1:])])
    if origin is Literal:
        return _any_of([f"`{part}`" if isinstance(part, str) else str(part) for part in parts])
    if origin in (Union, UnionType):
        return _any_of([described(part, bounds) for part in parts])
    if origin is dict:
        by = "" if described(parts[0], []).startswith("text") else f" by {described(parts[0], [])}"
        return f"map of {described(parts[1], [])}{by}{_at_most(bounds)}"
    if origin is tuple:
        return _list(parts, bounds)
    return _plain(annotation, bounds)


def _means(known: Any, annotation: Any, bounds: list[Any]) -> bool:
    """Tell whether a field that pydantic has taken apart was declared as this known type."""
    if get_origin(known) is not Annotated or get_args(known)[0] != annotation:
        return False
    its_bounds = bounds_of(get_args(known)[1:])
    return get_origin(annotation) is Literal or [repr(one) for one in its_bounds] == [
        repr(one) for one in bounds
    ]


def _list(parts: tuple[Any, ...], bounds: list[Any]) -> str:
    if parts[-1] is not Ellipsis:
        return f"pair of {described(parts[0], [])}"
    least, most = bound(bounds, "min_length", 0), bound(bounds, "max_length", None)
    if least:
        length = str(least) if least == most else "size × size"
        return f"list of {length} {described(parts[0], [])}"
    return f"list of {described(parts[0], [])}{_at_most(bounds)}"


def _at_most(bounds: list[Any]) -> str:
    most = bound(bounds, "max_length", None)
    return "" if most is None else f", at most {most}"


def _plain(kind: Any, bounds: list[Any]) -> str:
    if kind is NoneType:
        return "nil"
    if kind is str:
        most = bound(bounds, "max_length", None)
        return "text" if most is None else f"text ≤ {most}"
    least, most = bound(bounds, "ge", None), bound(bounds, "le", None)
    return str(kind.__name__) if most is None else f"int {least}…{most}"


def _any_of(names: list[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
