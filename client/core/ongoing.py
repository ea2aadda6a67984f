"""The matches that go on, wherever they are, as a person looks for them: a table with whose turn it is.

Pure: what a server says of a match goes in, words come out.
"""

from dataclasses import dataclass

from client.core.catalogue import TITLES
from client.core.table import Column
from client.core.wording import spaced_code
from protocol.model import Seat, other
from protocol.server_frame import OpenMatch

NOTHING = "There is no match to go on with."
YOUR_TURN = "your turn"
HOSTED = "yours to host again"
NO_ANSWER = "the server is away"
GONE = "put away"
OPEN_ELSEWHERE = ", open elsewhere"

COLUMNS = (
    Column("Game", 20),
    Column("Opponent", 16),
    Column("Whose turn", 32),
    Column("Where", 24),
)
NARROW = (Column("Game", 20), Column("Opponent", 14), Column("Whose turn", 20), Column("Where", 16))
"""The same for a window of 80 columns."""


@dataclass(frozen=True, slots=True)
class Ongoing:
    """A match in which one has a seat."""

    code: str
    game: str
    where: str
    standing: str
    """Whose turn it is, or why that is not known."""
    opponent: str = ""

    def row(self, count: int) -> tuple[str, ...]:
        """Put the match into as many columns of the table."""
        game = TITLES.get(self.game, self.game)
        return (game, self.opponent or spaced_code(self.code), self.standing, self.where)[:count]


def standing(match: OpenMatch | None, seat: int, name: str) -> tuple[str, str]:
    """Say whose turn it is in a match, and against whom it is, as its server tells the one who sits there."""
    if match is None:
        return GONE, ""
    if match.names is None:
        return "waiting for an opponent", ""
    own: Seat = 1 if seat == 1 or (seat != 2 and match.names[0] == name) else 2
    opponent = match.names[other(own) - 1]
    if not match.to_act:
        return "over", opponent
    return (YOUR_TURN if own in match.to_act else f"{opponent} to move"), opponent
