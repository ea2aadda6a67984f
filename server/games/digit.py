"""Digit Conquest: add the drawn digit to one's own score or take it from the other's; exactly 50 wins."""

from dataclasses import replace

from protocol.choice import Choice
from protocol.games.digit import (
    COPIES,
    DIGITS,
    GOAL,
    ID,
    TITLE,
    Add,
    Added,
    Discarded,
    Draw,
    Drew,
    Reshuffled,
    Subtract,
    Subtracted,
    View,
    Won,
)
from protocol.model import Model, Seat, other, unchecked
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
    make_choice,
)

FULL_DECK = (COPIES,) * DIGITS

make_drew = unchecked(Drew)
make_added = unchecked(Added)
make_subtracted = unchecked(Subtracted)
make_view = unchecked(View)

ADD = Choice(kind="add", values={})
SUBTRACT = Choice(kind="subtract", values={})


@immutable
class State:
    """The whole truth of a game. The deck has no order (C1), so there is none to hide."""

    scores: tuple[int, int]
    turn: Seat
    drawn: int | None
    deck: tuple[int, ...]
    """How many of each digit are left; the rest lie open."""
    is_choosing: bool
    """The option draw=choose: players name their card."""
    end: Outcome | None = None


def setup(options: Options, chance: Chance) -> tuple[State, Events]:
    state = State(scores=(0, 0), turn=1, drawn=None, deck=FULL_DECK, is_choosing=options["draw"] == "choose")
    return begin_turn(state, chance)


def to_act(state: State) -> frozenset[Seat]:
    return NOBODY if state.end else ONE_SEAT[state.turn]


def legal_moves(state: State, seat: Seat) -> tuple[Choice, ...]:
    if state.end or seat != state.turn:
        return ()
    if state.drawn is None:
        in_deck = tuple(digit for digit, count in enumerate(state.deck, start=1) if count)
        return (make_choice(kind="draw", values={"digit": in_deck}),)
    return uses(state, seat, state.drawn)


def uses(state: State, seat: Seat, digit: int) -> tuple[Choice, ...]:
    """List what a seat may do with a digit: nothing, when it must be discarded (C3)."""
    can_add = state.scores[seat - 1] + digit <= GOAL
    can_subtract = state.scores[other(seat) - 1] - digit >= 0  # C2: not cut off at zero
    return (ADD,) * can_add + (SUBTRACT,) * can_subtract


def explain(state: State, seat: Seat, move: Draw | Add | Subtract) -> str:
    if state.end:
        return GAME_OVER
    if seat != state.turn:
        return NOT_YOUR_TURN
    match move:
        case Draw() if state.drawn is not None:
            return "You have a card already. Add it or subtract it."
        case Draw():
            return f"There is no {move.digit} left in the deck."
        case _ if state.drawn is None:
            return "Choose a card from the deck first."
        case Add():
            return f"{state.drawn} more would be above {GOAL}."
        case Subtract():
            return f"{state.drawn} less would be below 0."


def advance(state: State, seat: Seat, move: Draw | Add | Subtract, chance: Chance) -> tuple[State, Events]:
    if isinstance(move, Draw):
        return take_card(state, move.digit, chance)
    digit = state.drawn
    assert digit is not None, "a legal Add or Subtract has a card"
    first, second = state.scores
    event: Model
    if isinstance(move, Add):
        scores = (first + digit, second) if seat == 1 else (first, second + digit)
        event = make_added(seat=seat, digit=digit, scores=scores)
    else:
        scores = (first, second - digit) if seat == 1 else (first - digit, second)
        event = make_subtracted(seat=seat, digit=digit, scores=scores)
    if scores[seat - 1] == GOAL:  # C4
        end = Outcome(winner=seat, reason="exactly_fifty")
        return replace(state, scores=scores, drawn=None, end=end), (event, Won(seat=seat, scores=scores))
    state = State(scores, other(seat), None, state.deck, state.is_choosing)
    state, events = begin_turn(state, chance)
    return state, (event, *events)


def begin_turn(state: State, chance: Chance) -> tuple[State, Events]:
    """Draw the card of the turn that begins, or leave it to the player to choose one."""
    reshuffled: Events = ()
    if not any(state.deck):  # C5
        state = replace(state, deck=FULL_DECK)
        reshuffled = (Reshuffled(),)
    if state.is_choosing:
        return state, reshuffled
    state, events = take_card(state, draw_uniformly(state.deck, chance), chance)
    return state, (*reshuffled, *events)


def draw_uniformly(deck: tuple[int, ...], chance: Chance) -> int:
    """Draw one of the cards left, each equally likely."""
    place = chance.below(sum(deck))
    for digit, count in enumerate(deck, start=1):
        if place < count:
            return digit
        place -= count
    raise ValueError("a deck of no cards was drawn from")


def take_card(state: State, digit: int, chance: Chance) -> tuple[State, Events]:
    """Move a card from the deck to the player; a card that fits nowhere passes the turn (C3).

    This ends: who cannot use a card has an opponent below 9 points, who can add any card.
    """
    seat = state.turn
    deck = (*state.deck[: digit - 1], state.deck[digit - 1] - 1, *state.deck[digit:])
    state = State(state.scores, seat, digit, deck, state.is_choosing)
    drew = make_drew(seat=seat, digit=digit)
    if uses(state, seat, digit):
        return state, (drew,)
    state, events = begin_turn(replace(state, drawn=None, turn=other(seat)), chance)
    return state, (drew, Discarded(seat=seat, digit=digit), *events)


def outcome(state: State) -> Outcome | None:
    return state.end


def view(state: State, viewer: Seat | None) -> View:
    return make_view(
        viewer=viewer or 0,
        to_act=tuple(to_act(state)),
        scores=state.scores,
        drawn=state.drawn,
        deck=state.deck,
    )


GAME = Game(
    id=ID,
    title=TITLE,
    options={
        "draw": Option(
            default="random",
            allowed=("random", "choose"),
            about="how cards come: drawn at random by the server, or named by the player",
        )
    },
    setup=setup,
    to_act=to_act,
    legal_moves=legal_moves,
    explain=explain,
    advance=advance,
    outcome=outcome,
    view=view,
    is_open=True,
)
