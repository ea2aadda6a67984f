"""A finished match looked at again, as a value: what every move was worth, and how much was luck.

All values are Player 1's. Between what a position was worth before a move and after it stands what the
move could expect: from before to expected is skill, from expected to after is luck. So luck and skill add
up to the result, less what the match was worth at its start, by the way they are reckoned.
"""

from dataclasses import dataclass

from client.core.advice import TINY
from protocol.choice import Move
from protocol.model import Seat


@dataclass(frozen=True, slots=True)
class Decision:
    """A move, or giving up. The values are what the position promised Player 1."""

    number: int
    """1 for the first move of the match."""
    seat: Seat
    move: Move | None
    """What was played; None for an end from outside the game."""
    before: float
    expected: float
    """After the move, before chance or the other's secret pick had their say."""
    after: float
    better: tuple[Move, ...] = ()
    """What best play would have done, if it was something else that was worth more."""
    end: str = ""
    """By what the match was lost, where nothing was played."""

    @property
    def skill(self) -> float:
        """What the decision changed for Player 1."""
        return self.expected - self.before

    @property
    def luck(self) -> float:
        """What chance changed for Player 1; and in secret picks, what the other happened to pick."""
        return self.after - self.expected

    @property
    def regret(self) -> float:
        """What the decision cost the one who made it."""
        return -self.skill if self.seat == 1 else self.skill


@dataclass(frozen=True, slots=True)
class Review:
    """A match looked at again."""

    game: str
    start: float
    """What the match was worth to Player 1 before anything had happened."""
    dealt: float
    """What it was worth when the first move was due."""
    result: float
    """1.0 for a win of Player 1, -1.0 for a loss; what it was worth at the end if nobody won."""
    decisions: tuple[Decision, ...]
    is_cut_short: bool = False
    """Whether the moves end before the match did."""

    @property
    def luck(self) -> float:
        """What chance did for Player 1 in the whole match."""
        return (self.dealt - self.start) + sum(decision.luck for decision in self.decisions)

    def skill(self, seat: Seat) -> float:
        """What a player's decisions did for that player: at best nothing was given away."""
        return -sum(decision.regret for decision in self.decisions if decision.seat == seat)

    def mistakes(self, seat: Seat | None = None) -> tuple[Decision, ...]:
        """List the decisions that gave something away, the worst first."""
        costly = (each for each in self.decisions if each.regret > TINY and seat in (None, each.seat))
        return tuple(sorted(costly, key=lambda decision: -decision.regret))

    def course(self) -> tuple[float, ...]:
        """List what the match was worth to Player 1 from move to move."""
        return (self.dealt, *(decision.after for decision in self.decisions))
