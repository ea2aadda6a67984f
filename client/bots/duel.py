"""Command Line Conquer solved backwards: who can force a win, and who only hopes for a mistake.

Nobody can force anything but a blow that lands now, so almost every position is even. To press all the
same, even positions are told apart by their chances when both players err now and then.
"""

from collections.abc import Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from client.bots.solver import ERRING, Solver, weigh
from client.core.advice import Advice, Candidate
from protocol.choice import Choice, spelled_out
from protocol.games import parse_move
from protocol.games.duel import FULL_HP, ID, Stance, View
from protocol.model import other
from server.games.duel import DAMAGE
from server.games.game import Options

PATIENCE = 0.95
"""What a chance is worth one turn later: pressing is better than waiting."""
ROUNDS = 40
"""How far ahead the chances look; PATIENCE makes what lies beyond small."""


class Position(NamedTuple):
    """A duel as the player to move sees it."""

    hp: int
    facing_hp: int
    stance: Stance
    facing: Stance


Judgement = tuple[int, int]
"""For the player to move: 1, 0 or -1, and the turns until the forced end (0 when nothing is forced)."""


def advise(view: View, choices: Sequence[Choice], options: Options) -> Advice:
    """Say what every legal action is worth."""
    seat = view.to_act[0]
    position = Position(
        view.hp[seat - 1],
        view.hp[other(seat) - 1],
        _plain(view.stances[seat - 1]),
        _plain(view.stances[other(seat) - 1]),
    )
    return weigh([_consider(position, raw) for raw in spelled_out(choices)])


def _consider(position: Position, raw: dict[str, int | str]) -> Candidate:
    move = parse_move(ID, raw)
    assert move is not None, "a legal move can be read"
    kind = str(raw["kind"])
    after = play(position, kind)
    is_silly = _is_silly(position, kind)
    if after is None:
        return Candidate(move, 1.0, 1.0, 1, is_silly)
    value, distance = solved()[after]
    return Candidate(move, -value, -chances()[after], distance + 1 if value else None, is_silly)


def _is_silly(position: Position, kind: str) -> bool:
    """Tell whether an action does nothing, or drops one's guard where any blow is the last.

    Two mistakes are human and not silly: to lose patience behind one's shield, and to heal in the open
    where a double blow is the last.
    """
    if kind == "attack" and DAMAGE[position.facing] == 0:
        return True
    if kind == "defend" or position.stance == "defending":
        return False
    is_due = position.hp <= DAMAGE["attacking"] and position.facing != "defending"
    return is_due or (kind == "heal" and position.hp == FULL_HP)


def actions(position: Position) -> tuple[str, ...]:
    """List the legal kinds of action."""
    return ("defend", "heal") if position.stance == "defending" else ("attack", "defend", "heal")  # D3


def play(position: Position, kind: str) -> Position | None:
    """Act, and see the result from the opponent's side; None when the opponent is beaten."""
    hp, facing_hp, stance, facing = position
    if kind == "attack":
        facing_hp -= DAMAGE[facing]
        return Position(facing_hp, hp, facing, "attacking") if facing_hp > 0 else None
    if kind == "defend":
        return Position(facing_hp, hp, facing, "defending")
    # D2: a guarded heal leaves one as an attack does.
    healed: Stance = "attacking" if stance == "defending" else "healing"
    return Position(facing_hp, min(hp + 1, FULL_HP), facing, healed)


def _plain(stance: Stance) -> Stance:
    """Merge the stances that differ in nothing: a blow takes 2, and the next action is free."""
    return "attacking" if stance in ("none", "guarded") else stance


@cache
def positions() -> tuple[Position, ...]:
    """List all positions that can be on the board."""
    stances: tuple[Stance, ...] = ("attacking", "defending", "healing")
    health = range(1, FULL_HP + 1)
    return tuple(Position(*parts) for parts in product(health, health, stances, stances))


@cache
def solved() -> dict[Position, Judgement]:
    """Judge every position, working back from the ends until nothing more is forced."""
    known: dict[Position, Judgement] = {}
    for turns in range(1, len(positions())):
        forced = {p: j for p in positions() if p not in known and (j := _forced(p, known, turns))}
        if not forced:
            break
        known |= forced
    return {position: known.get(position, (0, 0)) for position in positions()}


def _forced(position: Position, known: dict[Position, Judgement], turns: int) -> Judgement | None:
    after = [play(position, kind) for kind in actions(position)]
    values = [-1 if p is None else known.get(p, (0, 0))[0] for p in after]
    if -1 in values:
        return 1, turns
    return (-1, turns) if all(value == 1 for value in values) else None


@cache
def chances() -> dict[Position, float]:
    """Reckon what every position promises when both players err now and then."""
    places: dict[Position | None, int] = {position: place for place, position in enumerate(positions())}
    afters = [[places.get(play(p, kind), -1) for kind in actions(p)] for p in positions()]
    worths = [0.0] * len(afters)
    for _ in range(ROUNDS):
        # The last place is that of a beaten opponent, worth 1.0 to the winner.
        ahead = [-PATIENCE * worth for worth in worths] + [1.0]
        worths = [_promise([ahead[place] for place in places_after]) for places_after in afters]
    return dict(zip(positions(), worths, strict=True))


def _promise(replies: list[float]) -> float:
    return (1 - ERRING) * max(replies) + ERRING * sum(replies) / len(replies)


SOLVER = Solver(
    advise=advise,
    opening=lambda options: 0.0,
    room=lambda view: 6.0,
)
