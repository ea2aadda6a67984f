"""Golden transcripts: whole games, step by step, as each player and a spectator are told of them.

`python -m tests.games.transcript` writes them all anew; a person reviews the difference. Scripts say
"claim 5", with the seat in front where both owe a move, and a leading "!" for a move that is refused.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from protocol.choice import Choice
from protocol.model import SEATS, Model, Seat
from tests.server.games.playthrough import move_universe
from tests.server.games.position import Position, Stacked

GOLDEN = Path(__file__).with_name("golden")

GALAXY_BOOK = """
attack 7 7 / attack 6 6 / attack 5 5 / !attack 5 4 / attack 4 4 / attack 3 3 / attack 2 2 / attack 1 1
"""
GRID_BOOK = """
claim 5 / claim 1 / challenge 1 / 1 pick 4 / 2 pick 3 / claim 2 / claim 4 / claim 3 / claim 7
challenge 7 / 2 pick 5 / !1 claim 8 / !1 pick 4 / 1 pick 1 / claim 8 / claim 6
challenge 6 / 1 pick 2 / !1 pick 3 / 2 pick 4 / claim 9
"""
SUDDEN_DEATH = """
claim 1 / claim 2 / challenge 2 / 1 pick 5 / 2 pick 5 / claim 3 / !claim 2 / claim 4
!claim 1 / challenge 1 / 2 pick 1 / 1 pick 1 / challenge 2 / 1 pick 2 / 2 pick 2
challenge 4 / 2 pick 3 / 1 pick 3 / challenge 3 / 1 pick 4 / 2 pick 4
challenge 1 / 2 pick 1 / 1 pick 5 / challenge 2 / 1 pick 4 / 2 pick 3
"""
DECK = "75673152891362669841738395448272519452113"
USES = "aaaaaaaaaaaaasaaaasasasasasasssasaasaasa"
CHOOSING = """
!add / draw 9 / !draw 8 / !subtract / add / draw 2 / add / draw 9 / add / draw 2 / add / draw 9 / add
draw 1 / add / draw 9 / add / !draw 9 / draw 1 / add / draw 8 / add / draw 4 / subtract / draw 8 / add
draw 1 / add / draw 8 / draw 3 / add / draw 2 / add
"""
DUEL_BOOK = """
attack / defend / attack / !attack / heal / attack / attack / defend / attack / heal / attack / heal / attack
defend / heal / heal / attack / attack / attack / heal / attack
"""


@dataclass(frozen=True)
class Scene:
    """One game to be told."""

    name: str
    """The game's id, then what the scene shows."""
    script: str
    options: dict[str, str] = field(default_factory=dict)
    cards: str = ""

    @property
    def game(self) -> str:
        return self.name.split("-")[0]

    @property
    def path(self) -> Path:
        return GOLDEN / f"{self.name}.txt"


SCENES = (
    Scene("galaxy-book", GALAXY_BOOK),
    Scene(
        "galaxy-spent-fleets",
        "attack 1 7 / attack 2 7 / "
        + " / ".join(f"attack 7 {ship} / attack 7 {ship}" for ship in range(1, 7)),
    ),
    Scene("conquer-three-adjacent", "claim 4 / claim 7 / claim 3 / !claim 4 / claim 5 / claim 2"),
    Scene("conquer-full-map", "claim 1 / claim 3 / claim 2 / claim 5 / claim 4 / claim 6 / claim 7"),
    Scene("grid-book", GRID_BOOK),
    Scene("grid-sudden-death", SUDDEN_DEATH, {"size": "2"}),
    Scene("digit-random", " / ".join("add" if use == "a" else "subtract" for use in USES), cards=DECK),
    Scene("digit-choose", CHOOSING, {"draw": "choose"}),
    Scene("duel-book", DUEL_BOOK),
)


def tell(scene: Scene) -> str:
    """Play a scene and write down all that is said at every step."""
    position = Position(scene.game, Stacked(map(int, scene.cards)), **scene.options)
    agreed = " ".join(f"{name}={value}" for name, value in position.game.agree(scene.options).items())
    lines = [
        f"{position.game.title} ({scene.game})",
        f"options: {agreed or 'none'}",
        "",
        "start",
        *told(position),
    ]
    for number, line in enumerate(scene.script.strip().replace("\n", " / ").split(" / "), start=1):
        lines += ["", *step(position, number, line)]
    return "\n".join(lines) + "\n"


def step(position: Position, number: int, line: str) -> Iterator[str]:
    """Make one move of a script, and tell what comes of it."""
    words = line.removeprefix("!").split()
    seat: Seat = 1 if words[0] == "1" or (words[0] != "2" and 1 in position.to_act) else 2
    kind, *values = words[1:] if words[0] in ("1", "2") else words
    move = dict(zip(fields_of(position.game.id, kind), map(int, values), strict=True))
    yield " ".join([f"{number}. Player {seat}: {kind}", *(f"{name}={value}" for name, value in move.items())])
    if line.startswith("!"):
        yield f"   refused  {position.refused(seat, kind, **move)}"
    else:
        position.play(seat, kind, **move)
        yield from told(position)


def fields_of(game: str, kind: str) -> list[str]:
    """Name the fields of a kind of move, in order."""
    dumped = (move.model_dump() for move in move_universe(game))
    return [name for name in next(raw for raw in dumped if raw["kind"] == kind) if name != "kind"]


def told(position: Position) -> Iterator[str]:
    """Tell what happened last, who owes a move, and what everybody sees and may do."""
    for event in position.events:
        yield f"   event    {named(event)}"
    outcome = position.outcome
    yield f"   outcome  {named(outcome)}" if outcome else f"   to act   {written(sorted(position.to_act))}"
    for seat in SEATS:
        yield f"   view {seat}   {named(position.view(seat))}"
    yield f"   watching {named(position.view())}"
    for seat in SEATS:
        yield f"   moves {seat}  {offered(position.game.legal_moves(position.state, seat))}"


def offered(choices: Sequence[Choice]) -> str:
    """Write a seat's legal moves in one line."""
    each = [
        " ".join([choice.kind, *(f"{k}={written(v)}" for k, v in choice.values.items())])
        for choice in choices
    ]
    return " | ".join(each) or "none"


def named(model: Model) -> str:
    """Write a model's fields in one line, its kind or game in front."""
    values = dict(model.model_dump())
    head = [values.pop(name) for name in ("kind", "game") if name in values]
    return " ".join([*head, *(f"{name}={written(value)}" for name, value in values.items())])


def written(value: Any) -> str:
    """Write one value: sequences as 1,2,3 and sequences of them as 1,2/3."""
    if isinstance(value, dict):
        return "(" + " ".join(f"{name}={written(each)}" for name, each in value.items()) + ")"
    if isinstance(value, list | tuple):
        between = "/" if any(isinstance(each, list | tuple) for each in value) else ","
        return between.join(map(written, value)) or "none"
    return "none" if value is None else str(value).lower()


def main() -> None:
    """Write all golden transcripts, and remove those that no scene tells any more."""
    GOLDEN.mkdir(exist_ok=True)
    for path in GOLDEN.glob("*.txt"):
        if path not in {scene.path for scene in SCENES}:
            path.unlink()
    for scene in SCENES:
        scene.path.write_text(tell(scene), encoding="utf-8")
        print(f"wrote {scene.path.name}")


if __name__ == "__main__":
    main()
