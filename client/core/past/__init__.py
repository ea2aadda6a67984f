"""The past of every game's matches, one module a game."""

from client.core.past.past import Past
from protocol.catalogue import modules_of

PASTS: dict[str, Past] = {game: module.PAST for game, module in modules_of("client.core.past").items()}
