"""Tables as lines of text: columns of a width each, for any terminal."""

from collections.abc import Sequence
from typing import NamedTuple


class Column(NamedTuple):
    """A column of a table."""

    title: str
    width: int


def width(columns: Sequence[Column]) -> int:
    """Say how wide a table is."""
    return sum(column.width + 2 for column in columns) - 2


def titles(columns: Sequence[Column]) -> str:
    """Write the line over a table."""
    return table_line([column.title for column in columns], columns)


def table_line(cells: Sequence[str], columns: Sequence[Column]) -> str:
    """Write a row of a table, as wide as its columns allow.

    >>> table_line(("1", "Annabel", "won"), (Column("#", 2), Column("Who", 4), Column("", 5)))
    '1   Anna  won'
    """
    return "  ".join(
        f"{cell[: column.width]:<{column.width}}" for cell, column in zip(cells, columns, strict=True)
    ).rstrip()
