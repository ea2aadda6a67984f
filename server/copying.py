"""`conquest journal copy FROM TO`: opens both journals, shows how far it is, and says what was done."""

import contextlib
import sys
from collections.abc import Iterator

from protocol.process import stream
from server import config
from server.io.copy import copy
from server.io.journal import IN_MEMORY, CannotOpen
from server.io.opening import exists, open_journal
from server.io.writer import Writer

BAR_LEN = 40


def copy_journal(source: str, target: str) -> int:
    """Copy a journal that no server is using into an empty one; return the exit code."""
    try:
        for name in (source, target):
            config.checked(config.Config(db=name))
            if name == IN_MEMORY:
                raise CannotOpen(f"{IN_MEMORY} keeps nothing that could be copied.")
        if not exists(source):
            raise CannotOpen(f"There is no journal {source}.")
        with _opened(source) as whence, _opened(target) as where:
            size = copy(whence, where, _show)
            way = f"from {whence.name} to {where.name}"
    except (config.BadConfig, CannotOpen) as problem:
        return stream.complain(str(problem), 1)
    stream.write(f"Copied {size:,} entries and facts {way}, and read them back.\n")
    return 0


@contextlib.contextmanager
def _opened(name: str) -> Iterator[Writer]:
    journal = open_journal(name)
    try:
        yield journal
    finally:
        journal.close()


def _show(done: int, total: int) -> None:
    """Draw a bar for whoever looks on."""
    if not sys.stderr.isatty():
        return
    share = done / total if total else 1.0
    bar = ("#" * int(share * BAR_LEN)).ljust(BAR_LEN, ".")
    print(f"\r[{bar}] {share:4.0%}", end="\n" if done == total else "", file=sys.stderr, flush=True)
