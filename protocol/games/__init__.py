"""The registry of what each game says on the wire. A new game is one module and one line here."""

from functools import lru_cache
from types import ModuleType
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from protocol.choice import Move
from protocol.games import conquer, digit, duel, galaxy, grid

MODULES: tuple[ModuleType, ...] = (galaxy, conquer, grid, digit, duel)

View = Annotated[galaxy.View | conquer.View | grid.View | digit.View | duel.View, Field(discriminator="game")]
Event = Annotated[
    galaxy.Event | conquer.Event | grid.Event | digit.Event | duel.Event, Field(discriminator="kind")
]

TITLES: dict[str, str] = {module.ID: module.TITLE for module in MODULES}
"""Every game's id and its name as people say it, in the order in which they are shown."""

_MOVES = {module.ID: TypeAdapter[Any](module.Move).validator.validate_python for module in MODULES}


def parse_move(game: str, raw: object) -> Move | None:
    """Turn what arrived into a move of the game, or None when it is not one."""
    # In a game with one kind of move the model would fill in a kind that is missing.
    if isinstance(raw, dict) and "kind" not in raw:
        return None
    try:
        move: Move = _MOVES[game](raw)
    except ValidationError:
        return None
    return move


def parse_played(game: str, raw: dict[str, int | str]) -> Move | None:
    """Do the same for a move out of a `Play`: there are few of them, so each is validated once.

    What was found is remembered by values and their types: True is not taken for 1.
    """
    return _parse_flat(game, *raw, *raw.values())


@lru_cache(maxsize=1024, typed=True)
def _parse_flat(game: str, *names_and_values: int | str) -> Move | None:
    half = len(names_and_values) // 2
    return parse_move(game, dict(zip(names_and_values[:half], names_and_values[half:], strict=True)))
