"""The registry of the games that have a board. A new game is one module and one line here."""

from client.tui.board import Board
from client.tui.games.conquer import ConquerBoard
from client.tui.games.digit import DigitBoard
from client.tui.games.duel import DuelBoard
from client.tui.games.galaxy import GalaxyBoard
from client.tui.games.grid import GridBoard

BOARDS: dict[str, type[Board]] = {
    board.RENDERER.id: board for board in (GalaxyBoard, ConquerBoard, GridBoard, DigitBoard, DuelBoard)
}
"""Each game's board, by the game's id."""
