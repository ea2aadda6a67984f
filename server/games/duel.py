"""Command Line Conquer: attack, defend or heal until somebody has no HP left."""

from dataclasses import replace
from typing import Literal

from protocol.choice import Choice
from protocol.games.duel import (
    FULL_HP,
    ID,
    TITLE,
    Attack,
    Attacked,
    Defend,
    Defended,
    Heal,
    Healed,
    Stance,
    View,
    Won,
)
from protocol.model import Model, Seat, unchecked
from protocol.outcome import Outcome
from server.games.game import (
    GAME_OVER,
    NOBODY,
    NOT_YOUR_TURN,
    ONE_SEAT,
    Chance,
    Events,
    Game,
    Options,
    immutable,
)

# D1, D2: what an attack takes depends on what the opponent is doing.
DAMAGE: dict[Stance, Literal[0, 2, 4]] = {
    "none": 2,
    "attacking": 2,
    "defending": 0,
    "healing": 4,
    "guarded": 2,
}

ATTACK = Choice(kind="attack", values={})
DEFEND = Choice(kind="defend", values={})
HEAL = Choice(kind="heal", values={})

make_attacked = unchecked(Attacked)
make_defended = unchecked(Defended)
make_healed = unchecked(Healed)
make_view = unchecked(View)


@immutable
class State:
    """The whole truth of a game; nothing in it is hidden."""

    hp: tuple[int, int]
    stances: tuple[Stance, Stance]
    turn: Seat
    end: Outcome | None = None


def setup(options: Options, chance: Chance) -> tuple[State, Events]:
    return State(hp=(FULL_HP, FULL_HP), stances=("none", "none"), turn=1), ()


def to_act(state: State) -> frozenset[Seat]:
    return NOBODY if state.end else ONE_SEAT[state.turn]


def legal_moves(state: State, seat: Seat) -> tuple[Choice, ...]:
    if state.end or seat != state.turn:
        return ()
    if state.stances[seat - 1] == "defending":
        return (DEFEND, HEAL)  # D3
    return (ATTACK, DEFEND, HEAL)


def explain(state: State, seat: Seat, move: Attack | Defend | Heal) -> str:
    if state.end:
        return GAME_OVER
    if seat != state.turn:
        return NOT_YOUR_TURN
    return "Attack cannot follow Defend."


def advance(state: State, seat: Seat, move: Attack | Defend | Heal, chance: Chance) -> tuple[State, Events]:
    foe: Seat = 2 if seat == 1 else 1
    own, theirs = state.hp[seat - 1], state.hp[foe - 1]
    was, met = state.stances[seat - 1], state.stances[foe - 1]
    stance: Stance
    event: Model
    kind = move.kind
    if kind == "attack":
        stance, damage = "attacking", DAMAGE[met]
        theirs -= damage
        hp = (own, theirs) if seat == 1 else (theirs, own)
        event = make_attacked(seat=seat, met=met, damage=damage, hp=hp)
    elif kind == "defend":
        stance, hp = "defending", state.hp
        event = make_defended(seat=seat, hp=hp)
    else:
        stance = "guarded" if was == "defending" else "healing"  # D2
        gained: Literal[0, 1] = 1 if own < FULL_HP else 0  # D4
        own += gained
        hp = (own, theirs) if seat == 1 else (theirs, own)
        event = make_healed(seat=seat, gained=gained, hp=hp)
    state = State(hp, (stance, met) if seat == 1 else (met, stance), foe)
    if hp[foe - 1] <= 0:  # D5
        end = Outcome(winner=seat, reason="no_hp")
        return replace(state, end=end), (event, Won(seat=seat, hp=hp))
    return state, (event,)


def outcome(state: State) -> Outcome | None:
    return state.end


def view(state: State, viewer: Seat | None) -> View:
    return make_view(viewer=viewer or 0, to_act=tuple(to_act(state)), hp=state.hp, stances=state.stances)


GAME = Game(
    id=ID,
    title=TITLE,
    options={},
    setup=setup,
    to_act=to_act,
    legal_moves=legal_moves,
    explain=explain,
    advance=advance,
    outcome=outcome,
    view=view,
    is_open=True,
)
