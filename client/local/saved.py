"""Records of matches as files: written, and found again by name or by their number in the history."""

from pathlib import Path

from client.core.failure import CouldNot
from client.core.record import Record, dump
from client.net.history import MOST, History
from client.net.store import Store
from client.net.visit import visiting
from protocol.process.home import home

NOT_BY_SSH = "By ssh no file is written on this machine. /review looks at the match as long as you stay."
NOWHERE = "It cannot be kept; name a file that can be written: /save FILE"


def save(name: str, record: Record) -> str:
    """Write a record, over no other file, or without a name among all others; say what came of it."""
    if visiting():
        # This machine is somebody else's.
        return NOT_BY_SSH
    if not name:
        path = History(Store(home())).keep(record)
        return NOWHERE if path is None else f"Saved as {path}. Look at it again with: conquest history"
    path = Path(name).expanduser().absolute()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(dump(record))
    except FileExistsError:
        return f"{path} exists already; give another name: /save FILE"
    except OSError as problem:
        return f"{path} cannot be written: {problem.strerror}."
    return f"Saved as {path}. Look at it again with: conquest replay {path}, or: conquest review {path}"


def found(file: str) -> Path:
    """Find a record by its file, or by its number in the history; raise `CouldNot`."""
    path = Path(file).expanduser()
    if not (file.isascii() and file.isdigit() and len(file) <= len(str(MOST))) or path.exists():
        return path
    kept = History(Store(home()))
    matches = kept.matches()
    if not 1 <= int(file) <= len(matches):
        raise CouldNot(f"There is no match number {file} in the history, which has {len(matches)}.")
    return kept.path(matches[int(file) - 1])
