"""What a game is: pure functions over an immutable state, and the one way in for moves.

Rules know no clock, no random generator and no I/O. What chance they need they ask of the `Chance`
that is handed in, so that a recorded game can be played again exactly.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from typing import Any, Generic, Protocol, TypeVar, cast, dataclass_transform

from protocol.choice import Choice, Move, admits
from protocol.games.view import GameView
from protocol.model import Model, Seat, unchecked
from protocol.outcome import Outcome

S = TypeVar("S")
M = TypeVar("M", bound=Move)

Events = Sequence[Model]
Options = Mapping[str, str]


class Illegal(Exception):
    """A move or an option that the rules do not allow; its text is a sentence for the player."""


class Chance(Protocol):
    """Where rules get their luck from."""

    def below(self, n: int) -> int:
        """Answer a whole number from 0 to n - 1, each equally likely."""
        ...


@dataclass_transform(frozen_default=True)
def immutable(kind: type[S]) -> type[S]:
    """Make a frozen dataclass with slots that is quick to make: every move makes a state.

    A frozen dataclass gets around its own lock by looking each field up by name; this one puts the values
    straight into the slots.
    """
    made: Any = dataclass(frozen=True, slots=True)(kind)
    scope: dict[str, Any] = {}
    parameters, body = ["self"], []
    for field in fields(made):
        scope[f"put_{field.name}"] = getattr(made, field.name).__set__
        scope[f"default_{field.name}"] = field.default
        parameters.append(field.name if field.default is MISSING else f"{field.name}=default_{field.name}")
        body.append(f"    put_{field.name}(self, {field.name})")
    exec("\n".join([f"def __init__({', '.join(parameters)}):", *body]), scope)
    made.__init__ = scope["__init__"]
    return cast(type[S], made)


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can be agreed before a match."""

    default: str
    allowed: tuple[str, ...]
    about: str


@dataclass(frozen=True, slots=True)
class Game(Generic[S, M]):
    """One game's rules; `server.games.galaxy` is a good first example."""

    id: str
    title: str
    options: Mapping[str, Option]
    setup: Callable[[Options, Chance], tuple[S, Events]]
    to_act: Callable[[S], frozenset[Seat]]
    """The seats that owe a move: two when they choose at the same time, none when the game is over."""
    legal_moves: Callable[[S, Seat], tuple[Choice, ...]]
    """What a seat that owes a move may play; nothing for one that owes none."""
    explain: Callable[[S, Seat, M], str]
    """Say, in a sentence, why a move that is not legal is not."""
    advance: Callable[[S, Seat, M, Chance], tuple[S, Events]]
    """Carry out a move known to be legal."""
    outcome: Callable[[S], Outcome | None]
    view: Callable[[S, Seat | None], GameView]
    """What a seat may know, or a spectator (None), built up from what may be seen."""
    is_open: bool = False
    """Nothing is ever hidden: all views of a state are alike but for whose they are."""

    def apply(self, state: S, seat: Seat, move: M, chance: Chance) -> tuple[S, Events]:
        """Play a legal move; raise `Illegal`, with the reason, for any other."""
        if not admits(self.legal_moves(state, seat), move):
            raise Illegal(self.explain(state, seat, move))
        return self.advance(state, seat, move, chance)

    def agree(self, chosen: Options) -> dict[str, str]:
        """Complete the chosen options with the defaults; raise `Illegal` for one that does not exist."""
        for name, value in chosen.items():
            if name not in self.options:
                raise Illegal(f"{self.title} has no option {name!r}; {self._allowed_options()}")
            if value not in self.options[name].allowed:
                allowed = ", ".join(self.options[name].allowed)
                raise Illegal(f"The option {name} cannot be {value!r}; it can be {allowed}.")
        return {name: chosen.get(name, option.default) for name, option in self.options.items()}

    def _allowed_options(self) -> str:
        if not self.options:
            return "it has none."
        return (
            "it has " + ", ".join(f"{name} ({'|'.join(o.allowed)})" for name, o in self.options.items()) + "."
        )


AnyGame = Game[Any, Any]

make_choice = unchecked(Choice)

NOBODY: frozenset[Seat] = frozenset()
ONE_SEAT: dict[Seat, frozenset[Seat]] = {1: frozenset({1}), 2: frozenset({2})}
BOTH_SEATS: frozenset[Seat] = frozenset({1, 2})

NOT_YOUR_TURN = "It is not your turn."
GAME_OVER = "The game is over."
