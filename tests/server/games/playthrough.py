"""Games played by seeded random players, with every way of playing that the registry offers.

A playthrough keeps what a journal would keep, and a few of the states it passed through. Players lean
towards the first kind of move they are offered, each to a degree of their own: that ends long games
sooner, and makes bold games beside timid ones.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import Any

from pydantic import TypeAdapter

from protocol.choice import Choice, Move
from protocol.games import MODULES
from protocol.model import Model, Seat
from server.games import GAMES
from server.games.chance import Drawn
from server.games.game import AnyGame
from tests.server.games.explore import move_of

GAMES_EACH = 2000
"""How many playthroughs each game gets, shared equally by its variants."""


@dataclass(frozen=True)
class Variant:
    """A game with all its options settled."""

    id: str
    options: tuple[tuple[str, str], ...]

    @property
    def game(self) -> AnyGame:
        return GAMES[self.id]

    def __str__(self) -> str:
        return "-".join((self.id, *(value for _, value in self.options)))


def variants_of(game: AnyGame) -> list[Variant]:
    """List every combination of a game's options."""
    named = [[(name, value) for value in option.allowed] for name, option in game.options.items()]
    return [Variant(game.id, options) for options in product(*named)]


VARIANTS = [variant for game in GAMES.values() for variant in variants_of(game)]


@dataclass(frozen=True, slots=True)
class Entry:
    """One move of a playthrough, and what chance answered to it."""

    seat: Seat
    move: Move
    answers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One move, and the states on both sides of it."""

    before: Any
    entry: Entry
    after: Any
    events: tuple[Model, ...]


@dataclass(frozen=True, slots=True)
class Playthrough:
    """A whole game."""

    setup_answers: tuple[int, ...]
    entries: tuple[Entry, ...]
    passed: tuple[Any, ...]
    """Some of the states on the way, the first always among them."""
    final: Any


def begin(variant: Variant, randbelow: Callable[[int], int]) -> tuple[Any, tuple[int, ...]]:
    """Set a game up; hand back the state and what chance answered."""
    chance = Drawn(randbelow)
    state, _ = variant.game.setup(dict(variant.options), chance)
    return state, tuple(chance.answers)


def walk(variant: Variant, state: Any, random: Random) -> Iterator[Step]:
    """Play on from a state to the end of the game."""
    game = variant.game
    boldness = {1: random.uniform(0.5, 1), 2: random.uniform(0.5, 1)}
    while seats := game.to_act(state):
        seat = random.choice(sorted(seats))
        move = pick(variant.id, game.legal_moves(state, seat), boldness[seat], random)
        chance = Drawn(random.randrange)
        after, events = game.apply(state, seat, move, chance)
        yield Step(state, Entry(seat, move, tuple(chance.answers)), after, tuple(events))
        state = after


def pick(game: str, choices: tuple[Choice, ...], boldness: float, random: Random) -> Move:
    """Choose a legal move without spelling all of them out."""
    choice = choices[0] if random.random() < boldness else random.choice(choices)
    fields = {name: random.choice(values) for name, values in choice.values.items()}
    return move_of(game, choice.kind, **fields)


def play_through(variant: Variant, seed: int) -> Playthrough:
    """Play one whole game."""
    random = Random(f"{variant}:{seed}")
    first, setup_answers = begin(variant, random.randrange)
    entries, passed, final = [], [first], first
    for step in walk(variant, first, random):
        entries.append(step.entry)
        final = step.after
        if random.random() < 1 / len(entries):
            passed.append(final)
    return Playthrough(setup_answers, tuple(entries), tuple(passed), final)


@cache
def playthroughs(variant: Variant) -> tuple[Playthrough, ...]:
    """Play a variant's share of the games."""
    count = GAMES_EACH // len(variants_of(variant.game))
    return tuple(play_through(variant, seed) for seed in range(count))


@cache
def states_on_the_way(variant: Variant) -> tuple[Any, ...]:
    """Collect the different states that a variant's playthroughs passed through and ended in."""
    return tuple(
        {state: None for played in playthroughs(variant) for state in (*played.passed, played.final)}
    )


def widest_moves(game: str) -> list[dict[str, Any]]:
    """List one move of each kind as it travels, the one with the highest numbers."""
    return list({move.kind: move.model_dump() for move in move_universe(game)}.values())


@cache
def move_universe(game: str) -> tuple[Move, ...]:
    """List every move that a game can express, legal or not."""
    module = MODULES[game]
    schema = TypeAdapter(module.Move).json_schema()
    moves = []
    for shape in schema.get("$defs", {"": schema}).values():
        fields = dict(shape["properties"])
        kind = fields.pop("kind")["const"]
        ranges = [range(field["minimum"], field["maximum"] + 1) for field in fields.values()]
        moves += [
            move_of(game, kind, **dict(zip(fields, values, strict=True))) for values in product(*ranges)
        ]
    return tuple(moves)
