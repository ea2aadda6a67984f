"""What two players agree on before a match."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from protocol.client_frame import Create
from protocol.field import First
from server.games import GAMES
from server.games.game import AnyGame


@dataclass(frozen=True, slots=True)
class Terms:
    """The game and how it is to be played."""

    game: AnyGame
    options: dict[str, str]
    first: First
    private: bool
    clock_s: int | None
    hints: bool
    watchable: bool = True

    @classmethod
    def from_request(cls, request: Create) -> "Terms":
        """Take the terms from a request; raise KeyError for an unknown game, `Illegal` for an option."""
        game = GAMES[request.game]
        options = game.agree(request.options)
        return cls(
            game, options, request.first, request.private, request.clock_s, request.hints, request.watchable
        )

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> "Terms":
        """Read the terms back from the journal; raise as `from_request` does."""
        game = GAMES[body["game"]]
        return cls(
            game,
            game.agree(body["options"]),
            body["first"],
            body["private"],
            body["clock_s"],
            body["hints"],
            body["watchable"],
        )

    def with_creator_first(self) -> "Terms":
        """Return the terms of a rematch, whose seats are settled already."""
        return replace(self, first="creator")

    def to_body(self) -> dict[str, Any]:
        """Write the terms down for the journal."""
        return {
            "game": self.game.id,
            "options": self.options,
            "first": self.first,
            "private": self.private,
            "clock_s": self.clock_s,
            "hints": self.hints,
            "watchable": self.watchable,
        }
