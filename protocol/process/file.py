"""Files that are there whole or not at all, after a power cut too.

A name is kept by its folder: what was renamed but not synced there can be gone, or be the old file again.
"""

import contextlib
import os
import secrets
from pathlib import Path


def write_whole(path: Path, content: bytes, mode: int = 0o600) -> None:
    """Write a file, or replace it whole, durably and by default for its owner's eyes alone; raise OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        take_place(draft, path)
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def take_place(draft: Path, path: Path) -> None:
    """Put a finished file in the place of another, so that a power cut cannot take it back."""
    draft.replace(path)
    if os.name != "posix":
        return
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
