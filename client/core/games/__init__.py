"""The words of every game that can be shown, one module a game."""

from client.core.games.ending import NO_WINNER, end_lines
from client.core.games.renderer import Renderer
from protocol.catalogue import modules_of

__all__ = ["NO_WINNER", "RENDERERS", "end_lines"]

RENDERERS: dict[str, Renderer] = {
    game: module.RENDERER for game, module in modules_of("client.core.games").items()
}
