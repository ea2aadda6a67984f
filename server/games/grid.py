"""Grid Conquest: claim cells, and challenge the opponent's with secret numbers; most cells win.

The state holds standing picks; `view` and the events are the only ways out, and neither has room for
another player's pick.
"""

from dataclasses import replace

from protocol.choice import Choice
from protocol.games.grid import (
    HAND,
    ID,
    LARGEST_SIZE,
    TITLE,
    Challenge,
    Challenged,
    Claim,
    Claimed,
    Pick,
    Picked,
    Refilled,
    Revealed,
    Standing,
    SuddenDeath,
    View,
    Won,
)
from protocol.model import SEATS, UNOWNED, Owner, Seat, other, unchecked
from protocol.outcome import Outcome
from server.games.game import (
    BOTH_SEATS,
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
    make_choice,
)

Hand = tuple[int, ...]

make_claimed = unchecked(Claimed)
make_challenged = unchecked(Challenged)
make_picked = unchecked(Picked)
make_revealed = unchecked(Revealed)
make_standing = unchecked(Standing)
make_view = unchecked(View)


@immutable
class State:
    """The whole truth of a game, standing picks included."""

    size: int
    cells: tuple[Owner, ...]
    hands: tuple[Hand, Hand]
    turn: Seat
    """Who claims or challenges; while a challenge stands, the challenger."""
    challenged: int | None = None
    """The cell of the standing challenge."""
    picks: tuple[int | None, int | None] = (None, None)
    sudden_death: bool = False
    end: Outcome | None = None


def setup(options: Options, chance: Chance) -> tuple[State, Events]:
    size = int(options["size"])
    return State(size=size, cells=UNOWNED * size**2, hands=(HAND, HAND), turn=1), ()


def to_act(state: State) -> frozenset[Seat]:
    if state.end:
        return NOBODY
    if state.challenged is None:
        return ONE_SEAT[state.turn]
    # R1: both owe a pick, in either order.
    if state.picks[0] is not None:
        return ONE_SEAT[2]
    return ONE_SEAT[1] if state.picks[1] is not None else BOTH_SEATS


def legal_moves(state: State, seat: Seat) -> tuple[Choice, ...]:
    if seat not in to_act(state):
        return ()
    hand = state.hands[seat - 1]
    if state.challenged is not None:
        return (make_choice(kind="pick", values={"number": hand}),)
    choices = []
    if empty := held(state, 0):
        choices.append(make_choice(kind="claim", values={"cell": empty}))
    if hand and (theirs := held(state, other(seat))):
        choices.append(make_choice(kind="challenge", values={"cell": theirs}))
    return tuple(choices)


def held(state: State, owner: Owner) -> tuple[int, ...]:
    """List the cells of a seat, or the empty ones (0)."""
    return tuple([cell for cell, holder in enumerate(state.cells, start=1) if holder == owner])


def explain(state: State, seat: Seat, move: Claim | Challenge | Pick) -> str:
    if state.end:
        return GAME_OVER
    if state.challenged is not None:
        return _explain_during_challenge(state, seat, move)
    if seat != state.turn:
        return NOT_YOUR_TURN
    match move:
        case Pick():
            return "There is no challenge to pick a number for."
        case _ if move.cell > len(state.cells):
            return f"There is no cell {move.cell}; the cells are 1 to {len(state.cells)}."
        case Claim() if state.sudden_death:
            return "All cells are claimed. In Sudden Death you must challenge."
        case Claim():
            return f"Cell {move.cell} is claimed already."
        case Challenge() if not state.hands[seat - 1]:
            return "You have no challenge numbers left, so you cannot challenge."
        case Challenge():
            return f"Cell {move.cell} is not your opponent's."


def _explain_during_challenge(state: State, seat: Seat, move: Claim | Challenge | Pick) -> str:
    if state.picks[seat - 1] is not None:
        return "You have already picked a number, and a pick is final."
    if isinstance(move, Pick):  # R3
        return f"Number {move.number} is spent."
    return "A challenge stands. Select a challenge number first."


def advance(state: State, seat: Seat, move: Claim | Challenge | Pick, chance: Chance) -> tuple[State, Events]:
    match move:
        case Claim():
            state = replace(state, cells=_with_owner(state.cells, move.cell, seat), turn=other(seat))
            claimed = make_claimed(seat=seat, cell=move.cell)
            if 0 in state.cells:
                return state, (claimed,)
            state, events = count_up(state)  # R4
            return state, (claimed, *events)
        case Challenge():
            return replace(state, challenged=move.cell), (make_challenged(seat=seat, cell=move.cell),)
        case Pick():
            picks = (move.number, state.picks[1]) if seat == 1 else (state.picks[0], move.number)
            state = replace(state, picks=picks)
            if None in picks:
                return state, (make_picked(seat=seat),)
            state, events = reveal(state)
            return state, (make_picked(seat=seat), *events)


def _with_owner(cells: tuple[Owner, ...], cell: int, owner: Owner) -> tuple[Owner, ...]:
    return (*cells[: cell - 1], owner, *cells[cell:])


def reveal(state: State) -> tuple[State, Events]:
    """Turn both numbers over, spend them, and settle the standing challenge (R2)."""
    first, second = state.picks
    cell = state.challenged
    if first is None or second is None or cell is None:
        raise ValueError("there is nothing to reveal before both picks are in")
    challenger = state.turn
    attack, defence = (first, second) if challenger == 1 else (second, first)
    owner = challenger if attack > defence else other(challenger)
    state = replace(
        state,
        cells=_with_owner(state.cells, cell, owner),
        hands=(_without(state.hands[0], first), _without(state.hands[1], second)),
        turn=other(challenger),
        challenged=None,
        picks=(None, None),
    )
    revealed = make_revealed(cell=cell, challenger=challenger, numbers=(first, second), owner=owner)
    if not state.sudden_death:
        return state, (revealed,)
    if owner == challenger:  # R6: the first challenge that its challenger wins decides.
        state, events = _won(state, challenger, "sudden_death")
        return state, (revealed, *events)
    if not any(state.hands):
        return replace(state, hands=(HAND, HAND)), (revealed, Refilled())
    return state, (revealed,)


def _without(hand: Hand, number: int) -> Hand:
    return tuple(kept for kept in hand if kept != number)


def count_up(state: State) -> tuple[State, Events]:
    """End the game, all cells being claimed, or send it into Sudden Death (R5)."""
    cells, sums = _cells(state), _sums(state)
    if cells[0] != cells[1]:
        return _won(state, 1 if cells[0] > cells[1] else 2, "most_cells")
    if sums[0] != sums[1]:
        return _won(state, 1 if sums[0] > sums[1] else 2, "unused_numbers")
    state = replace(state, sudden_death=True)
    begun = SuddenDeath(cells=cells, sums=sums)
    if any(state.hands):
        return state, (begun,)
    return replace(state, hands=(HAND, HAND)), (begun, Refilled())


def _won(state: State, seat: Seat, reason: str) -> tuple[State, Events]:
    state = replace(state, end=Outcome(winner=seat, reason=reason))
    won = Won.model_validate({"seat": seat, "reason": reason, "cells": _cells(state), "sums": _sums(state)})
    return state, (won,)


def _cells(state: State) -> tuple[int, int]:
    return state.cells.count(1), state.cells.count(2)


def _sums(state: State) -> tuple[int, int]:
    return sum(state.hands[0]), sum(state.hands[1])


def outcome(state: State) -> Outcome | None:
    return state.end


def view(state: State, viewer: Seat | None) -> View:
    standing = None
    if state.challenged is not None:
        picked = tuple(seat for seat in SEATS if state.picks[seat - 1] is not None)
        standing = make_standing(cell=state.challenged, challenger=state.turn, picked=picked)
    return make_view(
        viewer=viewer or 0,
        to_act=tuple(sorted(to_act(state))),
        size=state.size,
        cells=state.cells,
        hands=state.hands,
        challenge=standing,
        pick=state.picks[viewer - 1] if viewer else None,
        sudden_death=state.sudden_death,
    )


GAME = Game(
    id=ID,
    title=TITLE,
    options={
        "size": Option(
            default="3",
            allowed=tuple(str(size) for size in range(2, LARGEST_SIZE + 1)),
            about="the grid has size x size cells",
        )
    },
    setup=setup,
    to_act=to_act,
    legal_moves=legal_moves,
    explain=explain,
    advance=advance,
    outcome=outcome,
    view=view,
)
