"""Records on disk: where one may be written, and writing it."""

from pathlib import Path

from client.core.record import Record, dump
from client.core.seat import Unavailable
from client.core.state import MatchState


def free_path(name: str, match: MatchState) -> str:
    """Choose the file that a record is saved to; raise `Unavailable` rather than write over another one."""
    path = Path(name or f"conquest-{match.game}-{match.code}.jsonl").expanduser()
    if path.exists():
        raise Unavailable(f"{path} exists already; give another name: /save FILE")
    return str(path)


def save(path: str, record: Record) -> str:
    """Write a record; return what came of it, as a sentence."""
    try:
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(dump(record))
    except OSError as problem:
        return f"{path} cannot be written: {problem.strerror}."
    return f"Saved. Look at it again with: conquest replay {path}, or: conquest review {path}"
