"""Galaxy Conquest: spend ships to conquer planets; four planets win."""

from dataclasses import replace

from protocol.choice import Choice
from protocol.games.galaxy import ID, PLANETS, TITLE, Attack, Attacked, View, Won
from protocol.model import SEATS, UNOWNED, Owner, Seat, other, unchecked
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
    make_choice,
)

NUMBERS = tuple(range(1, PLANETS + 1))
WINNING_COUNT = 4

make_attacked = unchecked(Attacked)
make_view = unchecked(View)


@immutable
class State:
    """The whole truth of a game; nothing in it is hidden."""

    planets: tuple[Owner, ...]
    ships: tuple[tuple[int, ...], tuple[int, ...]]
    turn: Seat
    end: Outcome | None = None


def setup(options: Options, chance: Chance) -> tuple[State, Events]:
    return State(planets=UNOWNED * PLANETS, ships=(NUMBERS, NUMBERS), turn=1), ()


def to_act(state: State) -> frozenset[Seat]:
    return NOBODY if state.end else ONE_SEAT[state.turn]


def legal_moves(state: State, seat: Seat) -> tuple[Choice, ...]:
    if state.end or seat != state.turn:
        return ()
    # G3: a ship too weak for the planet may still be sent.
    unconquered = tuple(number for number in NUMBERS if not state.planets[number - 1])
    return (make_choice(kind="attack", values={"planet": unconquered, "ship": state.ships[seat - 1]}),)


def explain(state: State, seat: Seat, move: Attack) -> str:
    if state.end:
        return GAME_OVER
    if seat != state.turn:
        return NOT_YOUR_TURN
    if owner := state.planets[move.planet - 1]:
        return f"Planet {move.planet} belongs to Player {owner}."
    return f"Ship {move.ship} is spent."


def advance(state: State, seat: Seat, move: Attack, chance: Chance) -> tuple[State, Events]:
    conquered = move.ship >= move.planet
    planets = state.planets
    if conquered:
        planets = (*planets[: move.planet - 1], seat, *planets[move.planet :])
    left = tuple(ship for ship in state.ships[seat - 1] if ship != move.ship)
    ships = (left, state.ships[1]) if seat == 1 else (state.ships[0], left)
    state = State(planets=planets, ships=ships, turn=other(seat))
    end = decide(state)
    attacked = make_attacked(seat=seat, planet=move.planet, ship=move.ship, conquered=conquered)
    if end is None:
        return state, (attacked,)
    won = Won.model_validate(
        {"seat": end.winner, "reason": end.reason, "planets": (held(state, 1), held(state, 2))}
    )
    return replace(state, end=end), (attacked, won)


def held(state: State, seat: Seat) -> tuple[int, ...]:
    """List the planets of a seat, lowest first."""
    return tuple(number for number in NUMBERS if state.planets[number - 1] == seat)


def decide(state: State) -> Outcome | None:
    """Tell how the game has ended, if the position ends it."""
    counts = {seat: state.planets.count(seat) for seat in SEATS}
    for seat in SEATS:
        if counts[seat] >= WINNING_COUNT:  # G1
            return Outcome(winner=seat, reason="four_planets")
    if any(state.ships):
        return None
    # G2: the fleets are spent and nobody has four planets.
    if counts[1] != counts[2]:
        return Outcome(winner=1 if counts[1] > counts[2] else 2, reason="most_planets")
    return Outcome(winner=1 if max(held(state, 1)) > max(held(state, 2)) else 2, reason="highest_planet")


def outcome(state: State) -> Outcome | None:
    return state.end


def view(state: State, viewer: Seat | None) -> View:
    return make_view(
        viewer=viewer or 0, to_act=tuple(to_act(state)), planets=state.planets, ships=state.ships
    )


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
