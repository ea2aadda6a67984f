"""Writing the record of a match to a file."""

from pathlib import Path

from client.core.record import Record, dump


def save(name: str, record: Record) -> str:
    """Write a record, over no other file; return what came of it, as a sentence."""
    path = Path(name).expanduser()
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(dump(record))
    except FileExistsError:
        return f"{path} exists already; give another name: /save FILE"
    except OSError as problem:
        return f"{path} cannot be written: {problem.strerror}."
    return f"Saved. Look at it again with: conquest replay {path}, or: conquest review {path}"
