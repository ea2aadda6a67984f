"""The games, by id and title: the one list that a new game is added to. It costs nothing to import.

Each package has a module for every game, named by the game's id, and finds it through this list.
"""

from importlib import import_module
from types import ModuleType

TITLES: dict[str, str] = {
    "galaxy": "Galaxy Conquest",
    "conquer": "Conquer",
    "grid": "Grid Conquest",
    "digit": "Digit Conquest",
    "duel": "Command Line Conquer",
}
"""Every game's id and its name as people say it, in the order in which they are shown."""


def modules_of(package: str) -> dict[str, ModuleType]:
    """Import a package's module for each game."""
    return {game: import_module(f"{package}.{game}") for game in TITLES}
