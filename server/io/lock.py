"""One server for each journal's file, by whatever name: the lock is on the file itself.

On Linux flock holds the open file and does not meet the locks that SQLite takes on parts of it. Elsewhere the
two shut each other out: there the lock stands beside the file, at the name to which all links lead.
"""

import contextlib
import os
import sys
from pathlib import Path

from protocol.process.file import take_place
from server.io.journal import CannotOpen

ON_FILE = sys.platform == "linux"
"""Whether the lock is on the file; otherwise it is on NAME.lock."""
_held: set[tuple[int, int]] = set()
"""The files locked by this process: to open and close one again would undo SQLite's own locks on it."""


def lock(path: Path, name: str) -> int | None:
    """Keep every other server away from a file, which is made if there is none; raise `CannotOpen`."""
    try:
        import fcntl
    except ImportError:
        return None
    while True:
        descriptor = _opened(path if ON_FILE else path.with_name(f"{path.name}.lock"), name)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not ON_FILE or _identity(os.fstat(descriptor)) == _identity(path.stat()):
                break
        except FileNotFoundError:
            pass
        except OSError as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise CannotOpen(f"Another server is using {name}.") from error
            raise CannotOpen(f"The journal {name} cannot be locked: {error.strerror}.") from error
        # A file that was just made has taken the place of the one that was opened.
        os.close(descriptor)
    _held.add(_identity(os.fstat(descriptor)))
    if path.exists() and path.stat().st_nlink > 1:
        unlock(descriptor)
        raise CannotOpen(
            f"The journal {name} has a second name (a hard link), and what was written last may be known "
            "under that one only. Keep one of the names; the file was not touched."
        )
    return descriptor


def replace(lock: int | None, draft: Path, path: Path) -> int | None:
    """Put a finished file in the place of a locked one; return its lock."""
    if lock is None or not ON_FILE:
        take_place(draft, path)
        return lock
    import fcntl

    descriptor = os.open(draft, os.O_RDWR)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    _held.add(_identity(os.fstat(descriptor)))
    take_place(draft, path)
    unlock(lock)
    return descriptor


def unlock(lock: int | None) -> None:
    """Let other servers use the file; whatever SQLite had open must be closed by now."""
    if lock is not None:
        _held.discard(_identity(os.fstat(lock)))
        os.close(lock)


def _opened(path: Path, name: str) -> int:
    with contextlib.suppress(OSError):
        if _identity(path.stat()) in _held:
            raise CannotOpen(f"Another server is using {name}.")
    try:
        return os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except FileNotFoundError as error:
        raise CannotOpen(f"There is no folder {Path(name).parent} for the journal; make it first.") from error
    except OSError as error:
        raise CannotOpen(f"The journal {name} cannot be opened: {error.strerror}.") from error


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
