"""Choosing on a board is answering the line client's questions: what they make of it, and what is said of it.

The answers come from the server's legal moves, and so do the sentences for what cannot be chosen.
"""

import re
from typing import Any

from client.core.games.renderer import Answer, Move, Question, Renderer
from client.core.games.wording import player
from client.core.people import People
from protocol.choice import Choice
from protocol.model import SEATS

Answers = tuple[Answer, ...]
TYPED = re.compile(r"^Error: | Please enter \w+( or \w+)?\.$")
"""What a sentence about a wrong answer says of typing."""


def answered(
    renderer: Renderer, view: Any, legal: tuple[Choice, ...], answers: Answers, texts: tuple[str, ...]
) -> Answers | Move:
    """Answer the next questions; hand back the move, or the answers of half a move; raise `Invalid`."""
    asked = renderer.ask(view, legal, answers)
    for text in texts:
        if isinstance(asked, Question):
            answers = (*answers, asked.accept(text))
            asked = renderer.ask(view, legal, answers)
    return answers if isinstance(asked, Question) else asked


def untyped(sentence: str, people: People) -> str:
    """Say what is wrong with a choice to one who has typed nothing, and who knows the players by name.

    >>> untyped("Error: Cell 5 belongs to Player 2.", People(("Ann", "Bob")))
    'Cell 5 belongs to Bob.'
    >>> untyped("Adding 9 would take your score above 50. Please enter 2.", People())
    'Adding 9 would take your score above 50.'
    """
    text = TYPED.sub("", sentence)
    for seat in SEATS:
        text = text.replace(player(seat), "you" if seat == people.reader else people.called(seat))
    return text
