"""The folders of visitors: one for each key or word, as many as are remembered, and no more.

A folder holds what a player's home holds: a name, settings, ways back, finished matches.
"""

import os
import shutil
from collections.abc import Collection
from pathlib import Path

FOLDER = "visitors"


def is_known(root: Path, identity: str) -> bool:
    """Tell whether a visitor is remembered."""
    return (root / FOLDER / identity).is_dir()


def open_home(root: Path, identity: str, most: int, present: Collection[str] = ()) -> Path:
    """Return a visitor's folder, making it if need be; raise OSError.

    Where there are too many, those go whose visitors were away longest, but for those who are present.
    """
    folder = root / FOLDER / identity
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.utime(folder)
    everybody = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime)
    absent = [path for path in everybody if path.name not in {*present, identity}]
    for path in absent[: max(0, len(everybody) - most)]:
        shutil.rmtree(path, ignore_errors=True)
    return folder
