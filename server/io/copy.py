"""Moves a journal from one place to another: all of it or nothing, and read back before it counts.

It interprets nothing, so that what is damaged arrives as it was.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TypeVar

from server.io.journal import CannotOpen, first_line
from server.io.writer import Line, Record, Writer

STEP = 1000
Row = TypeVar("Row", Line, Record)
OnProgress = Callable[[int, int], None]
"""Is told how many steps of how many are done."""


class Passage:
    """Rows on their way: counted, and summed up so that two passages can be compared."""

    def __init__(self, on_step: Callable[[], None]) -> None:
        self.digest = hashlib.sha256()
        self._on_step = on_step

    def of(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Pass rows on."""
        for row in rows:
            self.digest.update(repr(row).encode())
            self._on_step()
            yield row


def copy(source: Writer, target: Writer, on_progress: OnProgress) -> int:
    """Copy a journal into an empty one; return of how many entries and facts. Raises `CannotOpen`."""
    try:
        return _copy(source, target, on_progress)
    except (source.failures, target.failures) as error:
        raise CannotOpen(f"{source.name} cannot be copied to {target.name}: {first_line(error)}.") from error


def _copy(source: Writer, target: Writer, on_progress: OnProgress) -> int:
    if target.size():
        raise CannotOpen(f"{target.name} holds matches already; nothing was copied.")
    size, done = source.size(), 0

    def step() -> None:
        nonlocal done
        done += 1
        if done % STEP == 0:
            on_progress(done, 2 * size)

    there, back = Passage(step), Passage(step)
    with target.filling(there.of(source.lines()), there.of(source.records())):
        for _ in chain(back.of(target.lines()), back.of(target.records())):
            pass
        if back.digest.digest() != there.digest.digest():
            raise CannotOpen(f"What arrived in {target.name} is not what was sent; nothing was kept.")
    on_progress(2 * size, 2 * size)
    return size
