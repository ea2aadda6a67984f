"""A game as it stands, in which a test makes moves by the game's own `apply`.

Every refusal is checked here to change nothing and to leave the same players to be asked (A2), so no
test can forget it. Luck is stacked by the test, never drawn.
"""

from collections.abc import Iterable, Sequence
from copy import deepcopy
from typing import Any

import pytest

from protocol.choice import Move, spelled_out
from protocol.games import parse_move
from protocol.games.digit import COPIES, DIGITS
from protocol.games.view import GameView
from protocol.model import SEATS, Model, Seat
from protocol.outcome import Outcome
from server.games import GAMES
from server.games.game import Chance, Illegal


class NoLuck:
    """The chance of a game that has none: asking it is a bug."""

    def below(self, n: int) -> int:
        raise AssertionError("this game asks for no luck")


class Stacked:
    """Makes the cards of Digit Conquest come in a given order, out of a deck that it counts itself."""

    def __init__(self, digits: Iterable[int]) -> None:
        self._coming = iter(digits)
        self._left: list[int] = []

    def below(self, n: int) -> int:
        self._left = self._left or [digit for digit in range(1, DIGITS + 1) for _ in range(COPIES)]
        assert n == len(self._left), "every card that is left can come"
        place = self._left.index(next(self._coming))
        del self._left[place]
        return place


class Position:
    """One game, as it stands."""

    def __init__(self, game: str, chance: Chance | None = None, **options: str) -> None:
        self.game = GAMES[game]
        self.chance = chance or NoLuck()
        self.state, self.events = self.game.setup(self.game.agree(options), self.chance)

    def play(self, seat: Seat, kind: str, **fields: int) -> Sequence[Model]:
        """Make a move that must be legal, and hand back what happened."""
        self.state, self.events = self.game.apply(self.state, seat, self._move(kind, fields), self.chance)
        return self.events

    def refused(self, seat: Seat, kind: str, **fields: int) -> str:
        """Make a move that must be refused, and hand back the reason."""
        before, asked = deepcopy(self.state), self.to_act
        legal = [self.legal(each) for each in SEATS]
        with pytest.raises(Illegal) as refusal:
            self.game.apply(self.state, seat, self._move(kind, fields), self.chance)
        assert self.state == before
        assert self.to_act == asked
        assert [self.legal(each) for each in SEATS] == legal
        return str(refusal.value)

    def _move(self, kind: str, fields: dict[str, int]) -> Move:
        move = parse_move(self.game.id, {"kind": kind, **fields})
        assert move is not None, f"{kind} {fields} is no move of {self.game.id}"
        return move

    @property
    def to_act(self) -> set[Seat]:
        return set(self.game.to_act(self.state))

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def legal(self, seat: Seat) -> list[dict[str, Any]]:
        """List a seat's legal moves, each as it would travel."""
        return list(spelled_out(self.game.legal_moves(self.state, seat)))

    def may(self, seat: Seat, kind: str, field: str) -> list[int]:
        """List what a field may be in a seat's legal moves of one kind."""
        return sorted({move[field] for move in self.legal(seat) if move["kind"] == kind})

    def view(self, viewer: Seat | None = None) -> GameView:
        """Look at it as a seat, or as a spectator."""
        return self.game.view(self.state, viewer)

    def happened(self, kind: str) -> Model:
        """Find the one event of a kind that the last move caused."""
        (event,) = [event for event in self.events if event.model_dump()["kind"] == kind]
        return event
