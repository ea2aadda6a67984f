"""Line mode: a match as append-only text, readable by a screen reader and driven by a pipe.

A `Chair` stands between a session and a terminal: news become lines, lines become moves and commands. The
games' words come from their renderers; what is legal comes from the server with every view.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TypeGuard

from client.core import news, slash, wording
from client.core.dialogue import Dialogue
from client.core.failure import CouldNot
from client.core.games import RENDERERS
from client.core.games.renderer import Invalid, Question
from client.core.news import MatchNews, News
from client.core.seat import Arrival
from client.core.state import MatchState, followed
from client.core.teller import Teller
from client.line.order import Orders
from client.line.terminal import Dismissed, InputOver, Interrupted, Item, Terminal, Typed
from client.net.deadline import SHORT_S
from client.net.session import Heard, Session
from protocol.frame import Leave, Play

PATIENCE_S = 60.0
"""How long a script without further input waits for a server that is gone."""

AFTER_MATCH = (
    "/rematch plays again with seats swapped, /review looks back, /save keeps the record, /quit leaves."
)
AFTER_WATCHING = (
    "You will see the next match of these two, if there is one;"
    " /review looks back, /save keeps the record, /quit leaves."
)
YES = frozenset({"y", "yes"})
NO = frozenset({"n", "no"})


def seat_at(terminal: Terminal, hide_picks: bool = False) -> Callable[[Session, Arrival], Awaitable[None]]:
    """Return what plays line by line until a match is left."""

    async def take_seat(session: Session, arrival: Arrival) -> None:
        await Chair(session, terminal, arrival, hide_picks).run()

    return take_seat


class Chair:
    """One player, or spectator, at one match after another."""

    def __init__(
        self, session: Session, terminal: Terminal, arrival: Arrival, hide_picks: bool = False
    ) -> None:
        self._session = session
        self._terminal = terminal
        self._arrival = arrival
        self._hide_picks = hide_picks
        self._code = arrival.code
        self._state = session.state
        self._teller = Teller()
        self._orders = Orders(session, terminal, self._confirm, self.leave)
        self._ahead: deque[str] = deque()
        self._dialogue: Dialogue | None = None
        self._confirmed: Callable[[], None] | None = None
        self._play: int | None = None
        self._played: tuple[str, int] | None = None
        self._is_input_over = False
        self._is_interrupted = False
        self._is_lost = False
        self._failure: str | None = None
        self._has_introduced_watching = False
        self._is_done = False

    async def run(self) -> None:
        """Stay until the player leaves or nothing is left to do; raise `CouldNot` when that fails."""
        try:
            while not self._is_done:
                self._take(await self._terminal.next())
                self._use_lines()
        finally:
            self._terminal.close()
            self._terminal.put_back(self._ahead, self._is_input_over)
        if self._failure is not None:
            raise CouldNot(self._failure)

    def leave(self, is_asked: bool = False) -> None:
        """Leave politely: the seat in a running match is kept, anything else is cleared away."""
        match = self._match
        if match is None:
            self._is_done = True
            return
        is_running = match.begun and match.outcome is None
        if is_running and is_asked and self._arrival.quit_question and self._terminal.is_terminal:
            self._confirm(self._arrival.quit_question, lambda: self.leave())
            return
        self._is_done = True
        if is_running and match.seat:
            self._terminal.say(self._arrival.way_back)
            return
        self._session.send(Leave, match=match.code)
        self._session.forget()

    def _dismissed(self) -> None:
        """Leave because the system wants it: nobody has said that an open match is to be taken back."""
        if self._match is not None and not self._match.begun and self._arrival.way_back:
            self._terminal.say(self._arrival.way_back)
            self._is_done = True
        else:
            self.leave()

    @property
    def _match(self) -> MatchState | None:
        return self._state.matches.get(self._code) if self._code else None

    def _take(self, item: Item) -> None:
        match item:
            case Typed(text=text):
                self._is_interrupted = False
                self._typed(text)
            case InputOver():
                self._is_input_over = True
                if self._terminal.is_terminal:
                    self.leave()
            case Interrupted() if not self._is_interrupted:
                self._is_interrupted = True
                self._terminal.say("", "Leave? Press Ctrl-C again to leave, or just go on.")
            case Interrupted():
                self.leave()
            case Dismissed():
                self._dismissed()
            case Heard(news=told, state=state):
                # The session may know more already; what was not read yet has not happened here.
                self._state = state
                self._hear(told)

    def _typed(self, text: str) -> None:
        # At a terminal a command is meant now; in a pipe it waits for its turn among the answers.
        if self._terminal.is_terminal and slash.is_command(text):
            self._orders.execute(text, self._match)
        else:
            self._ahead.append(text)

    def _use_lines(self) -> None:
        """Use what was typed, as far as somebody asks for it."""
        while not self._is_done and self._terminal.awaited is None:
            is_command = bool(self._ahead) and slash.is_command(self._ahead[0])
            if is_command and self._is_command_due(self._ahead[0]):
                self._orders.execute(self._ahead.popleft(), self._match)
            elif is_command or not self._is_asking():
                return
            elif self._ahead:
                self._answer(self._ahead.popleft())
            elif self._is_input_over:
                self._end_with_input()
            else:
                return

    def _end_with_input(self) -> None:
        """Leave because nobody is there to answer any more."""
        if not self._is_over() and self._arrival.unfinished:
            self._failure = self._arrival.unfinished
        self.leave()

    def _is_command_due(self, text: str) -> bool:
        """Tell whether the time has come for a command of a pipe."""
        match = self._match
        if match is None or self._play is not None:
            return False
        if match.view is None or not self._session.is_connected:
            return slash.is_quit(text)
        # Nobody is to act any more: the end is on its way, and is heard before anything else is done.
        is_ending = match.outcome is None and not match.view.to_act
        return not is_ending and not (slash.is_quit(text) and self._is_result_due(match))

    def _is_result_due(self, match: MatchState) -> bool:
        """Tell whether what we played still waits for a move of the opponent's, who is there to make it."""
        is_half = self._dialogue is None and self._played == (match.code, match.turn)
        return is_half and match.outcome is None and all(match.present)

    def _is_asking(self) -> bool:
        return self._confirmed is not None or self._dialogue is not None or self._is_over()

    def _is_over(self) -> bool:
        match = self._match
        return match is not None and match.outcome is not None

    def _answer(self, text: str) -> None:
        self._terminal.accept(text)
        if self._confirmed is not None:
            self._answer_confirmation(text.strip().casefold(), self._confirmed)
        elif self._dialogue is not None:
            self._answer_question(text, self._dialogue)
        elif self._match is not None and not self._match.seat:
            self._terminal.say(wording.WATCHING)
            self._want_again()
        elif text.strip().casefold() in YES:
            self._orders.execute("/rematch", self._match)
            self._want_again()
        elif text.strip().casefold() in NO:
            self.leave()
        else:
            self._terminal.say(AFTER_MATCH)
            self._want_again()

    def _answer_confirmation(self, text: str, confirmed: Callable[[], None]) -> None:
        self._confirmed = None
        if text in YES:
            confirmed()
        self._want_again()

    def _answer_question(self, text: str, dialogue: Dialogue) -> None:
        try:
            following = dialogue.take(text)
        except Invalid as no:
            self._terminal.say(str(no))
            self._want_again()
            return
        if isinstance(following, Question):
            self._terminal.say(*following.lead)
            self._want_again()
            return
        self._dialogue = None
        match = self._match
        if match is not None:
            self._played = match.code, match.turn
            if not self._session.is_connected:
                self._terminal.say(wording.MOVE_WAITS)
            self._play = self._session.send(Play, match=match.code, turn=match.turn, move=following)

    def _confirm(self, question: str, confirmed: Callable[[], None]) -> None:
        """Do something after a yes; at once where nobody is there to say it."""
        if not self._terminal.is_terminal:
            confirmed()
            return
        self._confirmed = confirmed
        self._terminal.want(f"{question} (y/n) ")

    def _want_again(self) -> None:
        """Put the prompt back that stands now."""
        if self._is_done or self._confirmed is not None:
            return
        if self._dialogue is not None:
            question = self._dialogue.question
            hidden = question.is_secret and self._hide_picks
            self._terminal.want(self._timed(question.prompt), hidden)
        elif self._is_over():
            self._terminal.want("> ")

    def _timed(self, prompt: str) -> str:
        """Say in front of a prompt how much time is left, when that is little."""
        left_s = self._session.left_s(self._code) if self._code else None
        is_short = left_s is not None and left_s <= max(SHORT_S)
        return f"({wording.seconds(left_s)} left) {prompt}" if is_short and left_s is not None else prompt

    def _hear(self, item: News) -> None:
        self._code = followed(self._state, self._code, item)
        match = self._match if isinstance(item, MatchNews) else None
        if isinstance(item, MatchNews) and (match is None or item.match != self._code):
            self._hear_farewell(item)
            return
        if match is not None and match.game not in RENDERERS:
            self._fail(wording.unknown_game(match.game))
            return
        if isinstance(item, news.SessionOver | news.ConnectionLost) and self._is_over():
            # There is nothing to come back for, and perhaps nobody: the host may have left.
            self._terminal.say(wording.gone(item))
            self._session.forget()
            self._is_done = True
            return
        if isinstance(item, news.SessionOver) or self._is_failed_start(item):
            self._fail(item.text)
            return
        if self._is_unasked(item):
            self._terminal.gap()
        self._terminal.say(*self._teller.tell(match, item))
        self._react(item, match)

    def _is_unasked(self, item: News) -> bool:
        """Tell whether news break in on a player who may be typing."""
        is_position = isinstance(item, news.PositionShown) and item.request is None
        return is_position or isinstance(
            item, news.ChatArrived | news.PlayerLost | news.PlayerBack | news.ClaimDue | news.TimeShort
        )

    def _hear_farewell(self, item: MatchNews) -> None:
        if isinstance(item, news.MatchLeft) and item.match == self._code:
            self._session.forget()
            self._fail(wording.PUT_AWAY)

    def _react(self, item: News, match: MatchState | None) -> None:
        match item:
            case news.MatchOpened():
                self._terminal.say(*self._arrival.on_open(item.match))
            case news.MatchBegan():
                self._drop_questions()
            case news.MatchResumed():
                # Whoever was away is asked from the first question again.
                self._dialogue = None
                self._terminal.unwant()
            case news.PositionShown() if match is not None:
                self._position_shown(item, match)
            case news.MatchEnded() if match is not None:
                self._drop_questions()
                self._terminal.say(AFTER_MATCH if match.seat else AFTER_WATCHING)
                self._want_again()
            case news.Refusal():
                self._refused(item)
            case news.TimeShort() if self._dialogue is not None and self._confirmed is None:
                self._terminal.reword(self._timed(self._dialogue.question.prompt))
            case news.RecordArrived():
                self._orders.save(item.record)
            case news.ConnectionLost():
                self._lost(item)
            case news.Welcomed():
                self._welcomed(item)
            case _:
                pass

    def _drop_questions(self) -> None:
        self._dialogue = self._confirmed = self._play = None
        self._terminal.unwant()

    def _position_shown(self, item: news.PositionShown, match: MatchState) -> None:
        if not match.seat and not self._has_introduced_watching:
            self._has_introduced_watching = True
            self._terminal.say("", wording.WATCHING)
        if item.request is not None and item.request == self._play:
            self._play = None
        if self._play is None:
            self._ask_for_move(match)

    def _ask_for_move(self, match: MatchState) -> None:
        if self._dialogue is not None and self._dialogue.fits(match):
            return
        if not match.legal:
            if self._dialogue is not None:
                self._drop_questions()
            return
        left_s = self._session.left_s(match.code)
        if left_s is not None:
            self._terminal.say(f"You have {wording.seconds(left_s)}.")
        self._dialogue = Dialogue(RENDERERS[match.game], match)
        self._terminal.say(*self._dialogue.question.lead)
        self._want_again()

    def _refused(self, item: news.Refusal) -> None:
        if item.request == self._play:
            self._play = None
            if self._match is not None:
                self._ask_for_move(self._match)

    def _lost(self, item: news.ConnectionLost) -> None:
        self._is_lost = True
        if self._is_input_over and item.waited_s >= PATIENCE_S:
            self._fail(f"The server did not come back. {self._arrival.way_back}".strip())

    def _welcomed(self, item: news.Welcomed) -> None:
        if self._is_lost:
            self._is_lost = False
            self._terminal.say(wording.CONNECTED_AGAIN)
        if self._arrival.request is None and self._code not in item.matches:
            self._session.forget()
            self._fail(wording.NOT_THERE)

    def _is_failed_start(self, item: News) -> TypeGuard[news.Refusal]:
        return isinstance(item, news.Refusal) and item.request == self._arrival.request

    def _fail(self, text: str) -> None:
        self._failure = text
        self._is_done = True
