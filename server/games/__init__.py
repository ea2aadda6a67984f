"""The registry of the games that can be played. A new game is one module and one line here."""

from server.games import conquer, digit, duel, galaxy, grid
from server.games.rules import AnyGame

GAMES: dict[str, AnyGame] = {
    game.id: game for game in (galaxy.GAME, conquer.GAME, grid.GAME, digit.GAME, duel.GAME)
}
