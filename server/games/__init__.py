"""The rules of every game that can be played, one module a game."""

from protocol.catalogue import modules_of
from server.games.game import AnyGame

GAMES: dict[str, AnyGame] = {game: module.GAME for game, module in modules_of("server.games").items()}
