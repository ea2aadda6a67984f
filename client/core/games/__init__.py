"""The registry of the games that can be shown. A new game is one module and one line here."""

from client.core.games import conquer, digit, duel, galaxy, grid
from client.core.games.ending import NO_WINNER, end_lines
from client.core.games.renderer import Renderer

__all__ = ["NO_WINNER", "RENDERERS", "end_lines"]

RENDERERS: dict[str, Renderer] = {
    renderer.id: renderer
    for renderer in (
        galaxy.RENDERER,
        conquer.RENDERER,
        grid.RENDERER,
        digit.RENDERER,
        duel.RENDERER,
    )
}
