"""A game played by typing, heard by both players and a spectator.

The rules are the server's, the words are the renderer's, and lines come in the order that the renderer
asks for: welcome and board once, then announcements with their updates, turn lines and questions.
"""

from types import ModuleType
from typing import Any, get_args

from client.core.games import RENDERERS
from client.core.games.renderer import Answer, Invalid, Question
from protocol.choice import Choice
from protocol.model import SEATS, Model, Owner, Seat
from server.games.game import Chance
from tests.server.games.position import Position

VIEWERS: tuple[Owner, ...] = (1, 2, 0)


class TypedGame:
    """A game, and what everybody in it has read."""

    def __init__(self, game: str, chance: Chance | None = None, **options: str) -> None:
        self.position = Position(game, chance, **options)
        self.renderer = RENDERERS[game]
        self.heard: dict[Owner, list[str]] = {viewer: [] for viewer in VIEWERS}
        self._answers: dict[Seat, tuple[Answer, ...]] = dict.fromkeys(SEATS, ())
        self._is_asked_again = dict.fromkeys(SEATS, False)
        for viewer in VIEWERS:
            view = self.view(viewer)
            self.heard[viewer] += [*self.renderer.welcome(view), "", *self.renderer.board(view), ""]
        self._tell()

    def view(self, viewer: Owner) -> Any:
        return self.position.view(viewer or None)

    def choices(self, seat: Seat) -> tuple[Choice, ...]:
        return self.position.game.legal_moves(self.position.state, seat)

    def board(self, viewer: Owner) -> list[str]:
        return list(self.renderer.board(self.view(viewer)))

    def question(self, seat: Seat) -> Question:
        """Look at the question that a seat is asked now."""
        question = self.renderer.ask(self.view(seat), self.choices(seat), self._answers[seat])
        assert isinstance(question, Question)
        return question

    def line(self, seat: Seat, text: str) -> Any:
        """Read a line as a whole move of a seat's, without making it."""
        return self.renderer.parse_line(text, self.choices(seat))

    def type(self, seat: Seat, *texts: str) -> None:
        """Answer a seat's questions, one after the other, over as many moves as they make."""
        for text in texts:
            question = self.question(seat)
            if not self._is_asked_again[seat]:
                self.heard[seat] += question.lead
            self.heard[seat].append(question.prompt + text)
            self._take(seat, question.accept(text))

    def refusal(self, seat: Seat, text: str) -> str:
        """Type an answer that must not be taken, and hand back the sentence that it gets."""
        asked = self.question(seat)
        try:
            self.type(seat, text)
        except Invalid as invalid:
            self.heard[seat].append(str(invalid))
            self._is_asked_again[seat] = True
            assert self.question(seat).prompt == asked.prompt
            return str(invalid)
        raise AssertionError(f"{text!r} was taken")

    def _take(self, seat: Seat, answer: Answer) -> None:
        self._is_asked_again[seat] = False
        self._answers[seat] = (*self._answers[seat], answer)
        asked = self.renderer.ask(self.view(seat), self.choices(seat), self._answers[seat])
        if not isinstance(asked, Question):
            self._answers[seat] = ()
            self.position.play(seat, **asked)
            self._tell()

    def _tell(self) -> None:
        for viewer in VIEWERS:
            view = self.view(viewer)
            for event in self.position.events:
                self.heard[viewer] += self.renderer.announce(event, viewer)
                self.heard[viewer] += self.renderer.update(event, view)
            self.heard[viewer] += self.renderer.turn(view)


def assert_holds(heard: list[str], *blocks: str) -> None:
    """Check that blocks of lines were heard, in this order, each with nothing in between."""
    at = 0
    for block in blocks:
        lines = block.strip().splitlines()
        places = [place for place in range(at, len(heard)) if heard[place : place + len(lines)] == lines]
        assert places, f"not heard from line {at} on:\n{block}\nbut:\n" + "\n".join(heard[at:])
        at = places[0] + len(lines)


def event_classes(module: ModuleType) -> set[type[Model]]:
    """List the classes of a game's events."""
    union, *_ = get_args(module.Event)
    return set(get_args(union))
