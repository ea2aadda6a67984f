"""What a game must offer to be played in line mode: its words, and nothing of its rules.

All functions are pure: views, events and choices in, lines of text out. What may be answered comes from
the server's choices; the wording comes from the game's rule book.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from protocol.choice import Choice
from protocol.model import Owner

Lines = tuple[str, ...]
Answer = int | str
Move = dict[str, int | str]
Tally = tuple[tuple[str, tuple[object, object]], ...]
"""What is counted in a game, and how much of it each seat has."""


class Invalid(Exception):
    """An answer that does not fit the question; its text is the book's sentence for it."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question of the book's, asked of the player who owes a move."""

    lead: Lines
    """Lines to print once before the prompt; after an invalid answer the prompt alone is asked again."""
    prompt: str
    """The prompt itself, with the blank that the answer follows."""
    accept: Callable[[str], Answer]
    """Read an answer; raise `Invalid`, after which the same question is asked again."""
    is_secret: bool = False
    """Whether the answer should not be seen on a shared screen."""


@dataclass(frozen=True, slots=True)
class Renderer:
    """One game's words. `Any` stands for the game's own view and event models.

    The books' transcripts come out in this order: once the welcome and the board; then, for every view
    that arrives, the announcements of its events, each with its update, its turn lines, and the questions
    of who owes a move.
    """

    id: str
    welcome: Callable[[Any], Lines]
    """The first lines of a match, for its first view; the board is not among them."""
    board: Callable[[Any], Lines]
    """The position, drawn as in the book, complete enough to play from."""
    turn: Callable[[Any], Lines]
    """The lines that open a turn ("Player 1's turn."), for whoever owes a move in the view.

    They depend on the viewer, who may be waiting. Nothing when there is no more to say than the
    announcements have said, and at the end.
    """
    ask: Callable[[Any, tuple[Choice, ...], tuple[Answer, ...]], Question | Move]
    """The next question, given the answers so far to the earlier ones; or the move that they make."""
    announce: Callable[[Any, Owner], Lines]
    """What an event says to a viewer (a seat, or 0 for a spectator)."""
    tally: Callable[[Any], Tally]
    """The numbers of a position, side by side for both seats."""
    describe: Callable[[Move], str]
    """A move in words ("attack planet 7 with ship 5"), for hints, lists of moves and replays."""
    parse_line: Callable[[str, tuple[Choice, ...]], Move | None]
    """The move that a line typed at the first question spells out ("7 5", "claim 5"), if it is legal.

    Try it before the question's own `accept`, which has the sentence for a line that is no legal move.
    """
    any_of: Mapping[str, str] = field(default_factory=dict)
    """A kind of move in words when it does not matter which ("attack any planet"); for kinds with fields."""
    update: Callable[[Any, Any], Lines] = lambda event, view: ()
    """What the book shows of the position straight after an event, the view being the one it led to."""
    fits: Callable[[Mapping[str, str], Any, Iterable[Any]], bool] = lambda options, view, told: True
    """Whether a match with such options can have that view, if one is shown, and those events and choices.

    What types cannot say: everything on a board must have its place there.
    """
    addressee: Callable[[Any], Owner] = lambda event: getattr(event, "seat", 0)
    """Whom the book calls "you" in announcing an event, where both players read along."""
