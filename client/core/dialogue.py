"""The questions of one turn, one after the other, until the answers make a move.

Pure: it asks the game's renderer what to ask and never writes or reads a line itself.
"""

from client.core.games.renderer import Answer, Move, Question, Renderer
from client.core.state import MatchState

BACK = frozenset({"", "back"})


class Dialogue:
    """The question that stands, and the answers to those before it."""

    def __init__(self, renderer: Renderer, match: MatchState) -> None:
        self._renderer = renderer
        self._view = match.view
        self._legal = match.legal
        self._turn = match.turn
        self._answers: tuple[Answer, ...] = ()
        first = renderer.ask(self._view, self._legal, ())
        if not isinstance(first, Question):
            raise TypeError(f"{renderer.id} makes a move without asking for it")
        self.question = first

    def fits(self, match: MatchState) -> bool:
        """Tell whether the question is still the right one after news about the match."""
        return (match.turn, match.legal) == (self._turn, self._legal)

    def take(self, text: str) -> Move | Question:
        """Take an answer; return the next question, or the move; raise `Invalid` for a bad answer.

        A whole move answers every question at once. `BACK` returns to the question before.
        """
        if move := self._renderer.parse_line(text, self._legal):
            return move
        if self._answers and text.strip().casefold() in BACK:
            answers = self._answers[:-1]
        else:
            answers = (*self._answers, self.question.accept(text))
        following = self._renderer.ask(self._view, self._legal, answers)
        if isinstance(following, Question):
            self._answers, self.question = answers, following
        return following
