"""Digit Conquest in line mode, in the words of its book."""

from functools import partial

from client.core.games.answer import is_legal, matches_of, parse_number, read_number, values_of
from client.core.games.phrase import Phrases
from client.core.games.renderer import Answer, Invalid, Lines, Move, Question, Renderer, Tally
from client.core.games.wording import listed, player
from protocol.choice import Choice
from protocol.games.digit import (
    DIGITS,
    GOAL,
    ID,
    TITLE,
    Added,
    Discarded,
    Drew,
    Event,
    Reshuffled,
    Subtracted,
    View,
    Won,
)
from protocol.model import Owner, Seat, other

ACTIONS = ("add", "subtract")
"""The book's actions 1 and 2."""
CARDS_LEFT = "Cards left by digit"
PHRASES = Phrases({"draw": "draw a {digit}", "add": "add the card", "subtract": "subtract the card"})


def welcome(view: View) -> Lines:
    return (f"Welcome to {TITLE}!", "Player 1 and Player 2 start with 0 points.")


def board(view: View) -> Lines:
    left = ", ".join(f"{digit}: {count}" for digit, count in enumerate(view.deck, start=1))
    drawn = (f"Card in play: {view.drawn}, drawn by {player(seat)}" for seat in view.to_act if view.drawn)
    return (_scores("Current", view.scores), f"{CARDS_LEFT} - {left}", *drawn)


def _scores(which: str, scores: tuple[int, int]) -> str:
    return f"{which} Scores - Player 1: {scores[0]}, Player 2: {scores[1]}"


def turn(view: View) -> Lines:
    # The book opens a turn before the card is drawn, so the draw's announcement has said whose turn it is.
    if view.drawn is not None:
        return ()
    return tuple(f"{player(seat)}'s turn." for seat in view.to_act)


def ask(view: View, choices: tuple[Choice, ...], answers: tuple[Answer, ...]) -> Question | Move:
    if is_legal(choices, "draw"):
        return {"kind": "draw", "digit": answers[0]} if answers else _ask_digit(choices)
    if answers:
        return {"kind": answers[0]}
    return Question(
        lead=(
            "Choose an action:",
            f"1. Add {view.drawn} to your score.",
            f"2. Subtract {view.drawn} from your opponent's score.",
        ),
        prompt="Enter 1 or 2: ",
        accept=partial(_read_action, view, choices),
    )


def _ask_digit(choices: tuple[Choice, ...]) -> Question:
    in_deck = values_of(choices, "draw", "digit")

    def complain(number: int | None) -> str:
        if number in range(1, DIGITS + 1):
            return f"There is no {number} left in the deck. Choose another digit."
        return f"Invalid choice. Please enter a digit from 1 to {DIGITS}."

    return Question(
        lead=(f"Available digits: {listed(in_deck)}",),
        prompt="Enter the digit to draw: ",
        accept=lambda text: read_number(text, "digit", in_deck, complain),
    )


def _read_action(view: View, choices: tuple[Choice, ...], text: str) -> str:
    number = parse_number(text)
    matches = [ACTIONS[number - 1]] if number in (1, 2) else matches_of(text.strip(), ACTIONS)
    if not matches:
        raise Invalid("Invalid choice. Please enter 1 or 2.")
    action = matches[0]
    if is_legal(choices, action):
        return action
    if action == "add":
        raise Invalid(f"Adding {view.drawn} would take your score above {GOAL}. Please enter 2.")
    raise Invalid(f"Subtracting {view.drawn} would take your opponent's score below 0. Please enter 1.")


def announce(event: Event, viewer: Owner) -> Lines:
    match event:
        case Drew():
            # A game can take 200 turns; an empty line keeps them apart, as the book's samples are.
            drew = f"{_who(event.seat, viewer)} drew: {event.digit}"
            return ("", f"{player(event.seat)}'s turn.", "Drawing a card...", drew)
        case Added():
            return _added(event, viewer)
        case Subtracted():
            who, whose = _who(event.seat, viewer), _whose(other(event.seat), viewer)
            return (f"{who} subtracted {event.digit} from {whose} score.", _scores("Current", event.scores))
        case Discarded():
            return (f"The {event.digit} can neither be added nor subtracted. It is discarded.",)
        case Reshuffled():
            return ("The deck has run out. The discard pile is reshuffled to form a new deck.",)
        case Won():
            congratulations = "Congratulations! " if viewer == event.seat else ""
            return (
                f"{congratulations}{_who(event.seat, viewer)} reached exactly {GOAL} points.",
                f"{player(event.seat)} wins the game!",
                _scores("Final", event.scores),
            )


def update(event: Event, view: View) -> Lines:
    # The other events that end a turn bring the scores with them.
    return (_scores("Current", view.scores),) if isinstance(event, Discarded) else ()


def _added(event: Added, viewer: Owner) -> Lines:
    whose = "your" if viewer == event.seat else "their"
    added = f"{_who(event.seat, viewer)} added {event.digit} to {whose} score."
    # The winning card is followed by the congratulations, and the scores come at their end.
    has_won = event.scores[event.seat - 1] == GOAL
    return (added,) if has_won else (added, _scores("Current", event.scores))


def _who(seat: Seat, viewer: Owner) -> str:
    return "You" if seat == viewer else player(seat)


def _whose(seat: Seat, viewer: Owner) -> str:
    return "your" if seat == viewer else f"{player(seat)}'s"


def tally(view: View) -> Tally:
    return (("Score", view.scores),)


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
    any_of={"draw": "draw any card"},
    update=update,
)
