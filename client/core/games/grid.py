"""Grid Conquest in line mode, in the words of its book.

A number picked for a challenge is secret until both are in: no line here shows one before, not even the
player's own on the board, because others may be looking at the same screen.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from textwrap import wrap

from client.core.games.answer import is_legal, read_number, read_word, values_of
from client.core.games.phrase import Phrases
from client.core.games.renderer import Answer, Invalid, Lines, Move, Question, Renderer, Tally
from client.core.games.wording import counted, listed, player
from protocol.choice import Choice
from protocol.games.grid import (
    HAND,
    ID,
    LARGEST_SIZE,
    TITLE,
    Challenged,
    Claimed,
    Event,
    Picked,
    Refilled,
    Revealed,
    Standing,
    SuddenDeath,
    View,
    Won,
)
from protocol.model import SEATS, Owner, Seat, other

MARKERS = {1: "X", 2: "O"}
OFFERS = {"claim": "[claim] an empty cell", "challenge": "[challenge] an opponent's cell"}
SUDDEN_DEATH = "Sudden Death"
WIDTH = 80
SIZES = frozenset(str(size) for size in range(2, LARGEST_SIZE + 1))
PHRASES = Phrases(
    {"claim": "claim cell {cell}", "challenge": "challenge cell {cell}", "pick": "pick {number}"}
)


def welcome(view: View) -> Lines:
    return (f"Welcome to {TITLE}!", *(f"{player(seat)}: '{MARKERS[seat]}'" for seat in SEATS))


def board(view: View) -> Lines:
    if not view.to_act:
        return (*_drawn(view), *_reckoning(view))
    standing = (_standing(view.challenge, view.viewer),) if view.challenge else ()
    sudden = (f"{SUDDEN_DEATH}: the first challenge that its challenger wins decides.",) * view.sudden_death
    return (*_drawn(view), *(_holdings(view, seat) for seat in SEATS), *standing, *sudden)


def _drawn(view: View) -> Lines:
    """Draw the grid as the book does; cells of a larger grid are as wide as its highest number."""
    width = len(str(view.size**2))
    marks = [MARKERS.get(owner, str(cell)).rjust(width) for cell, owner in enumerate(view.cells, start=1)]
    rows = [" | ".join(marks[at : at + view.size]) for at in range(0, len(marks), view.size)]
    edge, middle = "-" * (width + 1), "-" * (width + 2)
    rule = "+".join((edge, *(middle,) * (view.size - 2), edge))
    return tuple(line for row in rows for line in (rule, row))[1:]


def _holdings(view: View, seat: Seat) -> str:
    hand = view.hands[seat - 1]
    cells = counted(view.cells.count(seat), "cell")
    spent = listed(number for number in HAND if number not in hand)
    return f"{player(seat)} ({MARKERS[seat]}): {cells}. Unused numbers: {_summed(hand)}. Spent: {spent}."


def _summed(hand: tuple[int, ...]) -> str:
    return f"{listed(hand)} (sum = {sum(hand)})"


def _reckoning(view: View) -> Lines:
    """Count up at the end as the book does: the cells, and the unused numbers if the cells are level."""
    held = [[cell for cell, owner in enumerate(view.cells, start=1) if owner == seat] for seat in SEATS]
    cells = (
        f"{player(seat)} controls cells: {listed(mine)} ({counted(len(mine), 'cell')})."
        for seat, mine in zip(SEATS, held, strict=True)
    )
    control = (line for each in cells for line in wrap(each, WIDTH))
    if len(held[0]) != len(held[1]):
        return tuple(control)
    unused = (f"- {player(seat)}: {_summed(view.hands[seat - 1])}." for seat in SEATS)
    return (*control, "Unused challenge numbers:", *unused)


def _standing(challenge: Standing, viewer: Owner) -> str:
    picked = "".join(f" {_has(seat, viewer)} selected a number." for seat in challenge.picked)
    return f"{player(challenge.challenger)} challenges cell {challenge.cell}.{picked}"


def turn(view: View) -> Lines:
    if view.challenge:
        return _waiting(view)
    return tuple(
        f"It's your turn, {player(seat)}." if seat == view.viewer else f"It's {player(seat)}'s turn."
        for seat in view.to_act
    )


def _waiting(view: View) -> Lines:
    """Tell who waits for whom; who owes a number is asked for it instead."""
    if view.viewer in view.to_act:
        return ()
    return tuple(f"Waiting for {player(seat)} to select their challenge number..." for seat in view.to_act)


def ask(view: View, choices: tuple[Choice, ...], answers: tuple[Answer, ...]) -> Question | Move:
    if is_legal(choices, "pick"):
        return {"kind": "pick", "number": answers[0]} if answers else _ask_number(choices)
    if not answers:
        return Question(
            (f"Available actions: {', '.join(OFFERS[action] for action in _offered(view))}.",),
            "Enter your action: ",
            partial(_read_action, view, choices),
        )
    if len(answers) == 1:
        return _ask_cell(view, choices, str(answers[0]))
    action, cell = answers
    return {"kind": action, "cell": cell}


def _offered(view: View) -> tuple[str, ...]:
    """List the book's actions; in Sudden Death (R6) there is nothing left to claim."""
    return ("challenge",) if view.sudden_death else tuple(OFFERS)


def _ask_number(choices: tuple[Choice, ...]) -> Question:
    hand = values_of(choices, "pick", "number")

    def complain(number: int | None) -> str:
        if number in HAND:
            return f"Error: Number {number} has already been used. Please select a valid number."
        return f"Error: Challenge numbers are {HAND[0]} to {HAND[-1]}. Please select a valid number."

    return Question(
        (),
        f"Select a challenge number from your available numbers [{listed(hand)}]: ",
        lambda text: read_number(text, "number", hand, complain),
        is_secret=True,
    )


def _ask_cell(view: View, choices: tuple[Choice, ...], action: str) -> Question:
    cells = values_of(choices, action, "cell")
    whose = "available cells" if action == "claim" else "opponent's cells"
    return Question(
        (),
        f"Enter the cell number you wish to {action} ({whose}: {listed(cells)}): ",
        lambda text: read_number(text, "cell", cells, partial(_complain_of_cell, view, action)),
    )


def _complain_of_cell(view: View, action: str, number: int | None) -> str:
    if number is None:
        return "Error: That is not a number. Please select a valid cell."
    if number not in range(1, len(view.cells) + 1):
        return f"Error: The cells are 1 to {len(view.cells)}. Please select a valid cell."
    if action == "claim":
        return f"Error: Cell {number} is already claimed. Please select an empty cell."
    return f"Error: Cell {number} is not your opponent's. Please select one of your opponent's cells."


def _read_action(view: View, choices: tuple[Choice, ...], text: str) -> str:
    # A cell typed on the same line is looked at too: what is wrong with the line may be the cell.
    typed, _, cell = text.strip().partition(" ")
    action = read_word(typed, _offered(view), _no_action(view))
    if not is_legal(choices, action):
        raise Invalid(_why_not(view))
    if cell:
        _ask_cell(view, choices, action).accept(cell)
    return action


def _no_action(view: View) -> str:
    if view.sudden_death:
        return "Error: All cells are claimed. Please enter challenge."
    return "Error: That is not an action. Please enter claim or challenge."


def _why_not(view: View) -> str:
    if view.viewer and not view.hands[view.viewer - 1]:
        return "Error: You have no remaining numbers, so you cannot challenge. Please enter claim."
    return "Error: Your opponent has no cell that you could challenge. Please enter claim."


def announce(event: Event, viewer: Owner) -> Lines:
    match event:
        case Claimed():
            return (f"{_has(event.seat, viewer)} claimed cell {event.cell}.",)
        case Challenged():
            return (_challenged(event, viewer),)
        case Picked():
            return (f"{_has(event.seat, viewer)} selected a challenge number.",)
        case Revealed():
            return ("Challenge results:", *_numbers(event, viewer), _result(event, viewer))
        case SuddenDeath():
            return (
                "All cells are claimed.",
                f"Both players control {counted(event.cells[0], 'cell')}.",
                f"Both players' unused numbers have the sum {event.sums[0]}.",
                f"The game proceeds to {SUDDEN_DEATH}:",
                "Players take turns challenging opponent's cells until the tie is broken.",
            )
        case Refilled():
            return (f"No numbers are left. Both players have {listed(HAND)} again.",)
        case Won():
            return _won(event)


def addressee(event: Event) -> Owner:
    match event:
        case Claimed() | Challenged():
            return event.seat
        case Revealed():
            # The book tells the results to the challenger.
            return event.challenger
        case _:
            return 0


def update(event: Event, view: View) -> Lines:
    if not isinstance(event, Claimed | Revealed):
        return ()
    return _drawn(view) if view.to_act else board(view)


def _has(seat: Seat, viewer: Owner) -> str:
    return "You have" if seat == viewer else f"{player(seat)} has"


def _challenged(event: Challenged, viewer: Owner) -> str:
    if viewer == event.seat:
        return f"You challenge cell {event.cell}."
    return f"{player(event.seat)} challenges {'your cell' if viewer else 'cell'} {event.cell}."


def _numbers(event: Revealed, viewer: Owner) -> Lines:
    if viewer:
        yours, theirs = event.numbers[viewer - 1], event.numbers[other(viewer) - 1]
        return (f"- Your number: {yours}", f"- Opponent's number: {theirs}")
    return tuple(f"- {player(seat)}'s number: {event.numbers[seat - 1]}" for seat in SEATS)


def _result(event: Revealed, viewer: Owner) -> str:
    owner, cell = player(event.owner), f"cell {event.cell}"
    if event.numbers[0] == event.numbers[1]:
        return (
            f"It is a tie; {'you retain' if viewer == event.owner else f'{owner} retains'} control of {cell}."
        )
    is_taken = event.owner == event.challenger
    if viewer == event.owner:
        return f"You win the challenge and {'now' if is_taken else 'still'} control {cell}."
    holds = f"{'now' if is_taken else 'still'} controls {cell}."
    return f"You lose the challenge. {owner} {holds}" if viewer else f"{owner} wins the challenge and {holds}"


def _won(event: Won) -> Lines:
    winner = player(event.seat)
    match event.reason:
        case "most_cells":
            return ("All cells are claimed.", f"{winner} wins!")
        case "unused_numbers":
            return ("All cells are claimed.", f"{winner} wins! (higher sum of unused numbers)")
        case "sudden_death":
            return (f"{winner} wins in {SUDDEN_DEATH}!",)


def tally(view: View) -> Tally:
    first, second = view.hands
    return (
        ("Cells", (view.cells.count(1), view.cells.count(2))),
        ("Unused numbers", (listed(first), listed(second))),
    )


def fits(options: Mapping[str, str], view: View | None, told: Iterable[Event | Choice]) -> bool:
    agreed = options.get("size", "3")
    size = int(agreed) if agreed in SIZES else 0
    told = tuple(told)
    if view is not None and (view.size, len(view.cells)) != (size, size**2):
        return False
    is_pick = any(isinstance(one, Choice) and one.kind == "pick" for one in told)
    if is_pick and (view is None or view.challenge is None):
        return False
    cells = [cell for one in told for cell in _cells(one)]
    standing = (view.challenge.cell,) if view is not None and view.challenge is not None else ()
    return all(cell <= size**2 for cell in (*cells, *standing))


def _cells(one: Event | Choice) -> tuple[int, ...]:
    if isinstance(one, Choice):
        return one.values.get("cell", ())
    return (one.cell,) if isinstance(one, Claimed | Challenged | Revealed) else ()


RENDERER = Renderer(
    id=ID,
    welcome=welcome,
    board=board,
    turn=turn,
    ask=ask,
    announce=announce,
    tally=tally,
    describe=PHRASES.describe,
    parse_line=PHRASES.parse_line,
    any_of={"claim": "claim any empty cell", "challenge": "challenge any of their cells"},
    update=update,
    fits=fits,
    addressee=addressee,
)
