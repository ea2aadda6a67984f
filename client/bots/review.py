"""Looking at a finished match again: playing its record once more, and valuing every decision on the way."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from client.bots.bot import SOLVERS, advise
from client.core.advice import TINY, Advice
from client.core.record import LOSSES, BadRecord, Record, is_cut_short
from client.core.review import Decision, Review
from protocol.games import parse_move
from protocol.model import Seat, other
from protocol.outcome import Outcome
from protocol.server_frame import Turned
from server.games import GAMES
from server.games.chance import Recorded
from server.games.game import AnyGame, Illegal, Options


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

    def decide(self, number: int, turn: Turned) -> Decision:
        """Play the next move, and value it."""
        move = parse_move(self.game.id, turn.move)
        if turn.seat not in self.game.to_act(self.state) or move is None:
            raise BadRecord(f"Move {number} does not fit the match.")
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
        return Decision(number, turn.seat, move, before, expected, after, better)

    def _advance(self, number: int, turn: Turned, move: Any) -> None:
        try:
            self.state, _ = self.game.apply(self.state, turn.seat, move, Recorded(turn.chance))
        except Illegal as error:
            raise BadRecord(f"Move {number} is not legal: {error}") from error
        except ValueError as error:
            raise BadRecord(f"What chance answered to move {number} does not fit the match.") from error


def review(record: Record, on_move: Callable[[int], None] = lambda number: None) -> Review:
    """Look at a match again, telling of each move that is done; raise `BadRecord` when it is no match."""
    replay, head = _set_up(record), record.header
    dealt = replay.value = replay.worth()
    decisions = []
    for number, turn in enumerate(record.moves, start=1):
        decisions.append(replay.decide(number, turn))
        on_move(number)
    # Without the moves that led to an end by the game's own rules, it is nobody's decision.
    is_short = is_cut_short(head.outcome, replay.game.outcome(replay.state))
    if head.outcome.winner is not None and head.outcome.reason in LOSSES:
        decisions.append(_lost(len(decisions) + 1, replay.value, head.outcome.winner, head.outcome.reason))
    result = decisions[-1].after if decisions else dealt
    start = SOLVERS[head.game].opening(replay.options)
    return Review(head.game, start, dealt, result, tuple(decisions), is_short)


def _set_up(record: Record) -> _Replay:
    head = record.header
    if head.game not in GAMES:
        raise BadRecord(f"There is no game {head.game!r}.")
    game = GAMES[head.game]
    try:
        options = game.agree(head.options)
        state, _ = game.setup(options, Recorded(head.chance))
    except Illegal as error:
        raise BadRecord(f"The match cannot be set up: {error}") from error
    except ValueError as error:
        raise BadRecord("What chance answered at the start does not fit the match.") from error
    return _Replay(game, options, state)


def _lost(number: int, before: float, winner: Seat, reason: str) -> Decision:
    """Take a resignation, a lost clock or an absence as a decision of the one who lost by it."""
    result = _for_first(winner, 1.0)
    return Decision(number, other(winner), None, before, result, result, end=reason)


def _result(end: Outcome) -> float:
    return 0.0 if end.winner is None else _for_first(end.winner, 1.0)


def _for_first(seat: Seat, value: float) -> float:
    return value if seat == 1 else -value
