"""What attackers know of a server: codes and tokens that they overheard, moves and games that there are.

Made-up frames that use it meet matches, seats and sessions; without it nearly all would end at the door.
"""

from typing import Any

from protocol.games import TITLES
from protocol.limit import PROTOCOL_VERSION
from protocol.server_frame import Seated, ServerFrame, Welcome
from tests.server.games.playthrough import widest_moves

MOVES: tuple[dict[str, Any], ...] = tuple(move for game in TITLES for move in widest_moves(game))
MOST = 40


class Knowledge:
    """Values for the fields of made-up frames; it grows with what is overheard, up to a limit."""

    def __init__(self) -> None:
        self._codes = ["00000000"]
        self._tokens: list[str] = []
        self._door: list[str | None] = [None]
        self.known: dict[str, Any] = {
            "match": self._codes,
            "token": self._door,
            "move": MOVES,
            "version": [PROTOCOL_VERSION],
            "game": list(TITLES),
            "name": [*["Eve", "Mallory", "Trudy"] * 3, "\x1b[2J"],
            "options": [{}, {"size": "2"}, {"draw": "choose"}],
            "turn": list(range(12)),
            "text": ["boo", "\u202e"],
            "hints": [True],
        }

    def overhear(self, frame: ServerFrame) -> None:
        """Remember what helps to do more harm."""
        if isinstance(frame, Welcome):
            self._tokens = [*self._tokens[-2:], frame.token]
            # Most come as strangers: a token that was used up is the end of a connection.
            self._door[:] = [*[None] * 40, "A" * 43, *self._tokens]
        elif isinstance(frame, Seated):
            self._codes[1:] = [*self._codes[1:][-MOST:], frame.match]
