"""Nim in words."""

from functools import partial

from client.core.games.answer import read_number, values_of
from client.core.games.phrase import Phrases
from client.core.games.renderer import Answer, Lines, Move, Question, Renderer, Tally
from client.core.games.wording import counted, player
from protocol.choice import Choice
from protocol.games.nim import ID, TITLE, Event, Took, View
from protocol.model import Owner

PHRASES = Phrases({"take": "take {sticks}"})


def welcome(view: View) -> Lines:
    return (f"Welcome to {TITLE}!",)


def board(view: View) -> Lines:
    return (f"Sticks: {'|' * view.left or 'none'}",)


def turn(view: View) -> Lines:
    return tuple(f"{player(seat)}'s turn." for seat in view.to_act)


def ask(view: View, choices: tuple[Choice, ...], answers: tuple[Answer, ...]) -> Question | Move:
    if answers:
        return {"kind": "take", "sticks": answers[0]}
    allowed = values_of(choices, "take", "sticks")
    return Question((), "Enter the number of sticks to take: ", partial(_read, allowed))


def _read(allowed: tuple[int, ...], text: str) -> int:
    return read_number(text, "sticks", allowed, lambda _: "Please take one to three sticks.")


def announce(event: Event, viewer: Owner) -> Lines:
    if isinstance(event, Took):
        return (f"{player(event.seat)} takes {counted(event.sticks, 'stick')}.",)
    return (f"{player(event.seat)} has the last stick and wins!",)


def tally(view: View) -> Tally:
    return ()


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
)
