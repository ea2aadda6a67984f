"""What each game says on the wire, one module a game; and all their moves, views and events together."""

from functools import lru_cache, reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from protocol.catalogue import TITLES, modules_of
from protocol.choice import Move
from protocol.games.view import GameView
from protocol.model import Model

__all__ = ["MODULES", "TITLES", "Event", "View", "parse_move", "parse_played"]

MODULES = modules_of("protocol.games")

if TYPE_CHECKING:
    # Which games there are is not known before the list is read.
    class View(GameView):
        game: str

    class Event(Model):
        kind: str

else:
    View = Annotated[reduce(or_, [game.View for game in MODULES.values()]), Field(discriminator="game")]
    Event = Annotated[reduce(or_, [game.Event for game in MODULES.values()]), Field(discriminator="kind")]

_MOVES = {game: TypeAdapter[Any](module.Move).validator.validate_python for game, module in MODULES.items()}


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
