"""A finished match looked at again: what every move was worth, and how much was luck.

All values are Player 1's. Between what a position was worth before a move and after it stands what the
move could expect: from before to expected is skill, from expected to after is luck. So luck and skill add
up to the result, less what the match was worth at its start, by the way they are reckoned.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from client.bots.advice import TINY, Advice
from client.bots.bot import SOLVERS, advise
from protocol.choice import Move
from protocol.games import parse_move
from protocol.model import Seat, other
from protocol.outcome import ABANDONED, CALLED_OFF, CLOCK, MOVE_CAP, RESIGNED, Outcome
from server.games import GAMES
from server.games.chance import Recorded
from server.games.rules import AnyGame, Illegal, Options

LOSSES = (RESIGNED, CLOCK, ABANDONED)
"""The ends from outside a game that somebody lost by."""


class Damaged(Exception):
    """A record that is not that of a match; the message is a sentence that says why."""


class Turn(Protocol):
    """A line of a match's record."""

    @property
    def seat(self) -> Seat: ...

    @property
    def move(self) -> Mapping[str, object]:
        """The move as it travelled."""
        ...

    @property
    def chance(self) -> Sequence[int]:
        """What chance answered while it was carried out."""
        ...


@dataclass(frozen=True, slots=True)
class Step:
    """One decision. The values are what the position promised Player 1."""

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
    steps: tuple[Step, ...]
    is_cut_short: bool = False
    """Whether the moves end before the match did."""

    @property
    def luck(self) -> float:
        """What chance did for Player 1 in the whole match."""
        return (self.dealt - self.start) + sum(step.luck for step in self.steps)

    def skill(self, seat: Seat) -> float:
        """What a player's decisions did for that player: at best nothing was given away."""
        return -sum(step.regret for step in self.steps if step.seat == seat)

    def mistakes(self, seat: Seat | None = None) -> tuple[Step, ...]:
        """List the decisions that gave something away, the worst first."""
        costly = (s for s in self.steps if s.regret > TINY and seat in (None, s.seat))
        return tuple(sorted(costly, key=lambda step: -step.regret))

    def course(self) -> tuple[float, ...]:
        """List what the match was worth to Player 1 from move to move."""
        return (self.dealt, *(step.after for step in self.steps))


@dataclass(slots=True)
class _Replay:
    """A match being played again, with what is known of the position reached."""

    game: AnyGame
    options: Options
    state: Any
    value: float = 0.0
    """What the position is worth to Player 1, a pick that stands included."""
    _known: tuple[Any, Seat, Advice] | None = None
    """The advice given last: a position is looked at as the end of one move and the start of the next."""

    def advice(self, seat: Seat) -> Advice:
        if self._known is None or self._known[0] is not self.state or self._known[1] != seat:
            view = self.game.view(self.state, seat)
            advice = advise(view, self.game.legal_moves(self.state, seat), self.options)
            self._known = self.state, seat, advice
        return self._known[2]

    def worth(self) -> float:
        """Tell what the position is worth to Player 1."""
        end = self.game.outcome(self.state)
        if end is not None:
            return _result(end)
        seat = min(self.game.to_act(self.state))
        return _for_first(seat, self.advice(seat).value)

    def step(self, number: int, turn: Turn) -> Step:
        move = parse_move(self.game.id, turn.move)
        if turn.seat not in self.game.to_act(self.state) or move is None:
            raise Damaged(f"Move {number} does not fit the match.")
        before, advice = self.value, self.advice(turn.seat)
        owing = self.game.to_act(self.state)
        self._advance(number, turn, move)
        # The first of two secret picks decides nothing yet: the position is worth what the pick can expect.
        is_half_done = len(owing) > len(self.game.to_act(self.state)) > 0
        prospect = advice.of(move)
        expected = before + _for_first(turn.seat, prospect.value - advice.value)
        after = expected if is_half_done else self.worth()
        if not advice.is_secret and not turn.chance:
            expected = after
        self.value = after
        is_best = prospect.value > advice.value - TINY
        better = () if is_best else tuple(p.move for p in advice.best())
        return Step(number, turn.seat, move, before, expected, after, better)

    def _advance(self, number: int, turn: Turn, move: Move) -> None:
        try:
            self.state, _ = self.game.apply(self.state, turn.seat, move, Recorded(turn.chance))
        except Illegal as error:
            raise Damaged(f"Move {number} is not legal: {error}") from error
        except ValueError as error:
            raise Damaged(f"What chance answered to move {number} does not fit the match.") from error


def review(
    game_id: str,
    options: Options,
    chance: Sequence[int],
    turns: Iterable[Turn],
    outcome: Outcome | None = None,
) -> Review:
    """Look at a match again: how it was set up, every turn, and how it ended if not by its own rules.

    Raise `Damaged` when the record does not make a match.
    """
    if game_id not in GAMES:
        raise Damaged(f"There is no game {game_id!r}.")
    game = GAMES[game_id]
    try:
        options = game.agree(options)
        state, _ = game.setup(options, Recorded(chance))
    except Illegal as error:
        raise Damaged(f"The match cannot be set up: {error}") from error
    except ValueError as error:
        raise Damaged("What chance answered at the start does not fit the match.") from error
    replay = _Replay(game, options, state)
    dealt = replay.value = replay.worth()
    steps = [replay.step(number, turn) for number, turn in enumerate(turns, start=1)]
    ending = outcome if game.outcome(replay.state) is None else None
    if ending is not None and ending.winner is not None and ending.reason in LOSSES:
        steps.append(_lost(len(steps) + 1, replay.value, ending.winner, ending.reason))
    # An end by the game's own rules that these moves do not reach: nobody's decision, the moves are missing.
    is_cut_short = ending is not None and ending.reason not in (*LOSSES, CALLED_OFF, MOVE_CAP)
    result = steps[-1].after if steps else dealt
    return Review(game_id, SOLVERS[game_id].opening(options), dealt, result, tuple(steps), is_cut_short)


def _lost(number: int, before: float, winner: Seat, reason: str) -> Step:
    """Take a resignation, a lost clock or an absence as a decision of the one who lost by it."""
    result = _for_first(winner, 1.0)
    return Step(number, other(winner), None, before, result, result, end=reason)


def _result(end: Outcome) -> float:
    return 0.0 if end.winner is None else _for_first(end.winner, 1.0)


def _for_first(seat: Seat, value: float) -> float:
    return value if seat == 1 else -value
