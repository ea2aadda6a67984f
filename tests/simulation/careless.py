"""A player with a bad client: wrong turns, repeats, moves that are none, floods of chat."""

from typing import Any

from protocol.client_frame import Chat, Join, Leave, Play, Rematch, Resign, Watch
from protocol.server_frame import Shown
from tests.simulation.client import Sight
from tests.simulation.player import Player

NONSENSE: tuple[dict[str, int | str], ...] = (
    {"kind": "attack"},
    {"kind": "attack", "planet": 9, "ship": -1},
    {"kind": "claim", "cell": 1},
    {"kind": "claim", "territory": 1},
    {"kind": "pick", "number": 5},
    {"kind": "add"},
    {"number": 3},
    {},
)


class Careless(Player):
    """Plays in the end, but not without trying everything else."""

    is_careful = False

    def on_frame(self, frame: Any) -> None:
        if isinstance(frame, Shown) and not self.is_serious and self.random.random() < 0.3:
            self._blunder(self.sights[frame.match])
        super().on_frame(frame)

    def _blunder(self, sight: Sight) -> None:
        turn, code = max(0, sight.turn), sight.code
        match self.random.randrange(9):
            case 0:
                turn = max(0, turn + self.random.choice((-1, 1, 7)))
                self.ask(Play, match=code, turn=turn, move=self.random.choice(self.moves(sight) or [{}]))
            case 1:
                self.ask(Play, match=code, turn=turn, move=self.random.choice(NONSENSE))
            case 2:
                self._repeat()
            case 7 | 8:
                moves = [r.move for r in self.requests.values() if isinstance(r, Play) and r.match == code]
                self.ask(Play, match=code, turn=turn, move=self.random.choice(moves or [*NONSENSE]))
            case 3:
                for _ in range(8):
                    self.ask(Chat, match=code, text="me again")
            case 4:
                self.ask(self.random.choice((Join, Watch, Leave, Rematch)), match=code)
            case 5:
                self.ask(Chat, match=code, text="\x1b[2J" * self.random.randrange(2))
            case _ if self.random.random() < 0.1:
                self.ask(Resign, match=code)

    def _repeat(self) -> None:
        """Send something once more that was sent before, whatever has become of it."""
        if self.requests and self.is_welcomed:
            self.post(self.random.choice(list(self.requests.values())[-4:]))
