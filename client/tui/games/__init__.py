"""The board of every game that the full screen shows, one module a game."""

from client.tui.board import Board
from protocol.catalogue import modules_of

BOARDS: dict[str, type[Board]] = {
    game: module.BOARD for game, module in modules_of("client.tui.games").items()
}
"""Each game's board, by the game's id."""
