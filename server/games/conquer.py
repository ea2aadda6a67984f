"""Conquer: claim territories in a row of seven; three adjacent ones win."""

from dataclasses import replace

from protocol.choice import Choice
from protocol.games.conquer import ID, TERRITORIES, TITLE, Claim, Claimed, View, Won
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

WINNING_CHAIN = 3

make_claimed = unchecked(Claimed)
make_view = unchecked(View)


@immutable
class State:
    """The whole truth of a game; nothing in it is hidden."""

    territories: tuple[Owner, ...]
    turn: Seat
    end: Outcome | None = None


def setup(options: Options, chance: Chance) -> tuple[State, Events]:
    return State(territories=UNOWNED * TERRITORIES, turn=1), ()


def to_act(state: State) -> frozenset[Seat]:
    return NOBODY if state.end else ONE_SEAT[state.turn]


def legal_moves(state: State, seat: Seat) -> tuple[Choice, ...]:
    if state.end or seat != state.turn:
        return ()
    unclaimed = tuple(number for number, owner in enumerate(state.territories, start=1) if not owner)
    return (make_choice(kind="claim", values={"territory": unclaimed}),)


def explain(state: State, seat: Seat, move: Claim) -> str:
    if state.end:
        return GAME_OVER
    if seat != state.turn:
        return NOT_YOUR_TURN
    return f"Territory {move.territory} is claimed already."


def advance(state: State, seat: Seat, move: Claim, chance: Chance) -> tuple[State, Events]:
    before = state.territories
    territories = (*before[: move.territory - 1], seat, *before[move.territory :])
    state = State(territories=territories, turn=other(seat))
    claimed = make_claimed(seat=seat, territory=move.territory)
    end = decide(state)
    if end is None or end.winner is None:
        return state, (claimed,)
    # Q2: the announcement shows the whole chain.
    chain = longest_chain(state, end.winner)
    won = Won.model_validate({"seat": end.winner, "reason": end.reason, "chain": chain})
    return replace(state, end=end), (claimed, won)


def longest_chain(state: State, seat: Seat) -> tuple[int, ...]:
    """List a seat's longest run of adjacent territories; the first of several equally long ones."""
    longest: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()
    for number, owner in enumerate(state.territories, start=1):
        chain = (*chain, number) if owner == seat else ()
        if len(chain) > len(longest):
            longest = chain
    return longest


def decide(state: State) -> Outcome | None:
    """Tell how the game has ended, if the position ends it."""
    chains = {seat: len(longest_chain(state, seat)) for seat in SEATS}
    for seat in SEATS:
        if chains[seat] >= WINNING_CHAIN:  # Q1
            return Outcome(winner=seat, reason="three_adjacent")
    if 0 in state.territories:
        return None
    # Q3: all are claimed and nobody has three in a row.
    if chains[1] != chains[2]:
        return Outcome(winner=1 if chains[1] > chains[2] else 2, reason="longest_chain")
    held = state.territories.count
    return Outcome(winner=1 if held(1) > held(2) else 2, reason="most_territories")


def outcome(state: State) -> Outcome | None:
    return state.end


def view(state: State, viewer: Seat | None) -> View:
    """Return what a seat, or a spectator, may know: here it is everything."""
    return make_view(viewer=viewer or 0, to_act=tuple(to_act(state)), territories=state.territories)


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
