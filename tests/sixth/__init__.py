"""A sixth game, as small as a game can be: Nim. It shows what a new game needs, and that nothing else is.

Its files lie here and not where a real game's do; `register` puts them there for one process, before
anything else is imported. `FILES` says which file stands for which.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

import client.local
from protocol.catalogue import TITLES

ID, TITLE = "nim", "Nim"
FOLDER = Path(__file__).parent
FILES = {
    "protocol/games/nim.py": "wire.py",
    "server/games/nim.py": "rules.py",
    "client/core/games/nim.py": "words.py",
    "client/core/past/nim.py": "past.py",
    "client/tui/games/nim.py": "board.py",
    "client/bots/nim.py": "solver.py",
    "client/local/texts/nim.txt": "texts/nim.txt",
}
"""The place of each file of a new game, and what lies here for it."""


class Finder(MetaPathFinder):
    """Finds the modules of the sixth game where a sixth game would have them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        file = FILES.get(f"{fullname.replace('.', '/')}.py")
        return spec_from_file_location(fullname, FOLDER / file) if file else None


def register() -> None:
    """Add the one line to the list of games, and the files to the packages."""
    TITLES[ID] = TITLE
    sys.meta_path.insert(0, Finder())
    client.local.__path__.append(str(FOLDER))
