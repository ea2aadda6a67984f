"""What the server needs of a journal, wherever that keeps its lines.

The shell and the counts know a journal by this interface only, and the simulator's disk has it too.
`server/io/sqlite.py` is the one that `conquest serve` runs on.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from protocol.process.supervision import OnFault
from server.core.entry import Entry, Fact, Write

IN_MEMORY = ":memory:"
"""What stands in the place of a journal's name when nothing is to be kept."""


class CannotOpen(Exception):
    """The journal cannot be used; the message is a sentence that says why."""


class JournalLost(CannotOpen):
    """The journal has another owner, or is not what it was: what was open can be used no more."""


def is_url(name: str) -> bool:
    """Tell a database from a file."""
    return name.startswith(("postgresql:", "postgres:"))


def first_line(error: Exception) -> str:
    """Say in one line, without a full stop, what a database complains of."""
    return str(error).partition("\n")[0].rstrip(".")


def always() -> bool:
    """Tell that something is wanted, as long as nobody says otherwise."""
    return True


class Journal(Protocol):
    """Keeps writes, which become durable in the order in which they were appended.

    Making one opens it, or raises `CannotOpen`. What it holds is read before `start`; from then on it writes,
    in a thread of its own, and calls back from there.
    """

    @property
    def name(self) -> str:
        """Name the journal in messages."""
        ...

    @property
    def commits(self) -> int:
        """Count the commits since the start."""
        ...

    @property
    def commit_times(self) -> Sequence[float]:
        """Tell how long the last commits took, in seconds."""
        ...

    def facts(self) -> Iterator[Fact]:
        """Read every fact that stands."""
        ...

    def live(self) -> Iterator[list[Entry]]:
        """Read the history of every match that was not put away, one match at a time."""
        ...

    def start(
        self, on_durable: Callable[[int], None], on_stalled: Callable[[str], None], on_fault: OnFault
    ) -> None:
        """Begin to write.

        `on_durable` is told the newest ticket of each commit; `on_stalled` why nothing can be written, once
        until the next commit, while what was appended is kept and tried again; `on_fault` that the writer
        has died.
        """
        ...

    def append(self, writes: list[Write]) -> int:
        """Take writes, to be kept all or none, and return their ticket: 1, 2, 3, ..."""
        ...

    def read(
        self,
        code: str,
        on_read: Callable[[list[Entry]], None],
        session: int | None = None,
        is_wanted: Callable[[], bool] = always,
    ) -> None:
        """Read the history of the newest match with a code, behind all that was appended, and hand it over.

        It is empty when there is no such match, when it cannot be read, or when a session is given that had
        no seat in it: then no more than its beginning is read. What nobody wants any more is not read.
        """
        ...

    def close(self) -> None:
        """Write what is pending, if that is possible now, and end."""
        ...
