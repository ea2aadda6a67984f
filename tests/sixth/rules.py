"""Nim: take one to three sticks in turn; the last stick wins."""

from protocol.choice import Choice
from protocol.games.nim import ID, MOST_TAKEN, TITLE, Take, Took, View, Won
from protocol.model import Seat, other
from protocol.outcome import Outcome
from server.games.game import (
    GAME_OVER,
    NOBODY,
    NOT_YOUR_TURN,
    ONE_SEAT,
    Chance,
    Events,
    Game,
    Option,
    Options,
    immutable,
)


@immutable
class State:
    """The whole truth of a game; nothing in it is hidden."""

    left: int
    turn: Seat


def setup(options: Options, chance: Chance) -> tuple[State, Events]:
    return State(left=int(options["sticks"]), turn=1), ()


def to_act(state: State) -> frozenset[Seat]:
    return ONE_SEAT[state.turn] if state.left else NOBODY


def legal_moves(state: State, seat: Seat) -> tuple[Choice, ...]:
    if not state.left or seat != state.turn:
        return ()
    most = min(MOST_TAKEN, state.left)
    return (Choice(kind="take", values={"sticks": tuple(range(1, most + 1))}),)


def explain(state: State, seat: Seat, move: Take) -> str:
    if not state.left:
        return GAME_OVER
    return NOT_YOUR_TURN if seat != state.turn else "There are not so many sticks left."


def advance(state: State, seat: Seat, move: Take, chance: Chance) -> tuple[State, Events]:
    took = Took(seat=seat, sticks=move.sticks)
    after = State(left=state.left - move.sticks, turn=other(seat))
    return after, (took,) if after.left else (took, Won(seat=seat))


def outcome(state: State) -> Outcome | None:
    return None if state.left else Outcome(winner=other(state.turn), reason="last_stick")


def view(state: State, viewer: Seat | None) -> View:
    return View(viewer=viewer or 0, to_act=tuple(to_act(state)), left=state.left)


GAME = Game(
    id=ID,
    title=TITLE,
    options={"sticks": Option("7", ("7", "12"), "how many sticks there are")},
    setup=setup,
    to_act=to_act,
    legal_moves=legal_moves,
    explain=explain,
    advance=advance,
    outcome=outcome,
    view=view,
    is_open=True,
)
