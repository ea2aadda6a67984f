"""A player with a seat and nothing else: no loop, no session, no face."""

from typing import Any

from client.core.news import ConnectionLost, News
from client.core.seat import Arrival, Seat
from client.core.state import ClientState, reduced
from protocol.client_frame import Request
from protocol.model import Model
from protocol.outcome import Outcome
from protocol.server_frame import Exported, ServerFrame, Sighted, Turned
from tests.client.frames import CODE, seated, shown, welcome

JOINED = 1
"""The request that brings us to the match."""
LOST = ConnectionLost(1.0, 0.0)
AWAY = Sighted(match=CODE, seat=2, present=False, claim_in_s=60)
MOVE = {"kind": "claim", "territory": 4}
BEGINNING = (welcome(), seated(re=JOINED), shown())
WATCHING = (welcome(), seated(re=JOINED, seat=0), shown(viewer=0))


class Line:
    """What would carry requests."""

    def __init__(self) -> None:
        self.is_connected = True
        self.sent: list[tuple[type[Request], dict[str, Any]]] = []
        self.is_forgotten = False
        self.left: float | None = None

    def left_s(self, code: str) -> float | None:
        return self.left

    def send(self, kind: type[Request], **fields: Any) -> int:
        self.sent.append((kind, fields))
        return JOINED + len(self.sent)

    def forget(self) -> None:
        self.is_forgotten = True


class Player:
    """A seat, what it is told, and what it shows and asks."""

    def __init__(self, *told: ServerFrame | News, arrival: Arrival | None = None) -> None:
        self.line = Line()
        self.state = ClientState(name="Ann")
        self.seat = Seat(self.line, arrival or Arrival(JOINED), self.state)
        self.hear(*told)

    def hear(self, *told: Any) -> list[Any]:
        """Let frames, and news that no frame brings, be heard; return what is to be shown."""
        seen: list[Any] = []
        for one in told:
            items: list[News] = [one]
            if isinstance(one, Model):
                self.state, items = reduced(self.state, one)
            for item in items:
                seen += self.seat.hear(item, self.state)
        return seen

    def asked(self) -> list[type[Request]]:
        return [kind for kind, _ in self.line.sent]


def exported() -> Exported:
    return Exported(
        re=9,
        match=CODE,
        game="conquer",
        options={},
        names=("Ann", "Bob"),
        chance=(),
        outcome=Outcome(winner=1, reason="resigned"),
        first=0,
        moves=(Turned(seat=1, move=MOVE, chance=(), at=1.0),),
        more=False,
    )
