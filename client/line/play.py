"""Line mode: a match as append-only text, readable by a screen reader and driven by a pipe.

A `LinePlayer` stands between a seat and a terminal: what the seat shows becomes lines, and lines become
moves and commands. The games' words come from their renderers; what is legal comes with every view.
"""

from collections import deque
from collections.abc import Awaitable, Callable

from client.core import news, slash, wording
from client.core.command import Asked, Help, Hint, Rules, Said, ToConfirm, obey
from client.core.dialogue import Dialogue
from client.core.failure import CouldNot
from client.core.games import RENDERERS
from client.core.games.renderer import Invalid, Question
from client.core.news import MatchNews
from client.core.seat import Arrival, Back, Requests, Seat, ServerGone, Shown, ToReview, ToSave
from client.core.state import MatchState
from client.core.teller import Teller
from client.line.advice import Adviser
from client.line.terminal import YES, Dismissed, InputOver, Interrupted, Item, Ready, Terminal, Typed
from client.local import saved
from client.local.rulebook import rules_text
from client.net.deadline import SHORT_S
from client.net.session import Heard
from protocol.process.stream import is_hung_up

PATIENCE_S = 60.0
"""How long a script without further input waits for a server that is gone."""

AFTER_MATCH = (
    "/rematch plays again with seats swapped, /review looks back, /save keeps the record, /quit leaves."
)
AFTER_WATCHING = (
    "You will see the next match of these two, if there is one;"
    " /review looks back, /save keeps the record, /quit leaves."
)
NO = frozenset({"n", "no"})


def seat_at(
    terminal: Terminal, hide_picks: bool = False, calls: bool = True
) -> Callable[[Requests, Arrival], Awaitable[None]]:
    """Return what plays line by line until a match is left."""

    async def take_seat(session: Requests, arrival: Arrival) -> None:
        await LinePlayer(session, terminal, arrival, hide_picks, calls).run()

    return take_seat


class LinePlayer:
    """One player, or spectator, at a terminal: what is asked there, and what was typed ahead."""

    def __init__(
        self,
        session: Requests,
        terminal: Terminal,
        arrival: Arrival,
        hide_picks: bool = False,
        calls: bool = True,
    ) -> None:
        self._session = session
        self._terminal = terminal
        self._say = terminal.say
        self._seat = Seat(session, arrival, session.state)
        self._hide_picks = hide_picks
        self._calls = calls and arrival.calls
        self._teller = Teller()
        self._adviser = Adviser(terminal)
        self._ahead: deque[str] = deque()
        self._dialogue: Dialogue | None = None
        self._confirmed: Callable[[], None] | None = None
        self._is_input_over = False
        self._is_interrupted = False
        self._has_introduced_watching = False

    async def run(self) -> None:
        """Stay until the player leaves or nothing is left to do; raise `CouldNot` when that fails."""
        try:
            while not self._seat.is_done:
                self._take(await self._terminal.next())
                self._use_lines()
        finally:
            await self._adviser.close()
            self._terminal.unwant()
            self._terminal.put_back(self._ahead, self._is_input_over)
        if self._seat.failure is not None:
            raise CouldNot(self._seat.failure)

    def _take(self, item: Item) -> None:
        match item:
            case Typed(text=text):
                self._is_interrupted = False
                self._typed(text)
            case InputOver():
                self._is_input_over = True
                if self._terminal.is_terminal:
                    # A shell that dies with its terminal may tell us later than the terminal itself.
                    self._say_farewell(self._seat.lose_touch() if is_hung_up() else self._seat.leave())
            case Interrupted() if not self._terminal.is_terminal:
                # An end is wanted: what is left in the pipe answers nothing any more.
                self._ahead.clear()
                self._is_input_over = True
                self._leave()
            case Interrupted() if self._adviser.is_reviewing:
                self._adviser.stop_review()
            case Interrupted() if not self._is_interrupted:
                self._is_interrupted = True
                self._say("", "Leave? Press Ctrl-C again to leave, or just go on.")
            case Interrupted():
                self._leave()
            case Dismissed():
                self._say_farewell(self._seat.leave_unasked())
            case Ready(tell=tell):
                tell()
            case Heard():
                self._hear(item)

    def _ask_to_leave(self) -> None:
        """Leave, after a yes where leaving does harm to others."""
        question = self._seat.arrival.quit_question
        if question and self._seat.is_running and self._terminal.is_terminal:
            self._confirm(question, self._leave)
        else:
            self._leave()

    def _leave(self) -> None:
        self._say_farewell(self._seat.leave())

    def _say_farewell(self, farewell: str) -> None:
        if farewell:
            self._say(farewell)

    def _typed(self, text: str) -> None:
        # At a terminal a command is meant now; in a pipe it waits for its turn among the answers.
        if self._terminal.is_terminal and slash.is_command(text):
            self._obey(text)
        else:
            self._ahead.append(text)

    def _use_lines(self) -> None:
        """Use what was typed, as far as somebody asks for it."""
        while not self._seat.is_done and self._terminal.awaited is None:
            is_command = bool(self._ahead) and slash.is_command(self._ahead[0])
            if is_command and self._is_command_due(self._ahead[0]):
                self._obey(self._ahead.popleft())
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
        if not self._seat.is_over and self._seat.arrival.unfinished:
            self._seat.failure = self._seat.arrival.unfinished
        self._leave()

    def _is_command_due(self, text: str) -> bool:
        """Tell whether the time has come for a command of a pipe."""
        match = self._seat.match
        if match is None or self._seat.is_move_under_way:
            return False
        if match.view is None or not self._session.is_connected:
            return slash.is_quit(text)
        # Nobody is to act any more: the end is on its way, and is heard before anything else is done.
        is_ending = match.outcome is None and not match.view.to_act
        is_half = self._dialogue is None and self._seat.has_played
        # What we played may wait for the opponent's move in the same turn, who is there to make it.
        is_result_due = is_half and match.outcome is None and all(match.present)
        return not is_ending and not (slash.is_quit(text) and is_result_due)

    def _is_asking(self) -> bool:
        return self._confirmed is not None or self._dialogue is not None or self._seat.is_over

    def _obey(self, text: str) -> None:
        self._terminal.noted(text)
        try:
            self._carry_out(slash.parse_command(text))
        except slash.UnknownCommand as no:
            self._say(str(no))

    def _carry_out(self, command: slash.Command, is_confirmed: bool = False) -> None:
        if command.name == "quit":
            self._ask_to_leave()
            return
        match obey(self._seat, command, is_confirmed):
            case Said(lines=lines):
                self._say(*lines)
            case Help(is_watching=is_watching, is_shared=is_shared):
                self._say(*slash.help_lines(self._terminal.on_typing, is_watching, is_shared))
            case Rules(game=game):
                self._say(*rules_text(game).splitlines())
            case Hint(match=match):
                self._adviser.hint(match)
            case ToConfirm(question=question):
                self._confirm(question, lambda: self._carry_out(command, is_confirmed=True))
            case ToSave() | ToReview() as use:
                self._show(use)
            case Asked(request=request):
                # Its answer is heard before anything else is asked.
                self._terminal.awaited = request

    def _confirm(self, question: str, confirmed: Callable[[], None]) -> None:
        """Do something after a yes; at once where nobody is there to say it."""
        if not self._terminal.is_terminal:
            confirmed()
            return
        self._confirmed = confirmed
        self._terminal.want(f"{question} (y/n) ")

    def _answer(self, text: str) -> None:
        self._terminal.accept(text)
        word = text.strip().casefold()
        if self._confirmed is not None:
            self._answer_confirmation(word, self._confirmed)
        elif self._dialogue is not None:
            self._answer_question(text, self._dialogue)
        elif self._seat.match is not None and not self._seat.match.seat:
            self._say(wording.WATCHING)
            self._want_again()
        elif word in NO:
            self._leave()
        elif word in YES:
            self._carry_out(slash.Command("rematch"))
            self._want_again()
        else:
            self._say(AFTER_MATCH)
            self._want_again()

    def _answer_confirmation(self, word: str, confirmed: Callable[[], None]) -> None:
        self._confirmed = None
        if word in YES:
            confirmed()
        self._want_again()

    def _answer_question(self, text: str, dialogue: Dialogue) -> None:
        """Answer the question that stands; the last answer makes the move."""
        try:
            following = dialogue.take(text)
        except Invalid as no:
            self._say(str(no))
            self._want_again()
            return
        if isinstance(following, Question):
            self._say(*following.lead)
            self._want_again()
            return
        self._dialogue = None
        if not self._session.is_connected:
            self._say(wording.MOVE_WAITS)
        self._seat.play(following)

    def _want_again(self) -> None:
        """Put the prompt back that stands now."""
        if self._seat.is_done or self._confirmed is not None:
            return
        if self._dialogue is not None:
            question = self._dialogue.question
            is_hidden = question.is_secret and (self._hide_picks or self._is_shared)
            self._terminal.want(self._timed(question.prompt), is_hidden)
            self._terminal.stays_hidden = is_hidden and self._is_shared
        elif self._seat.is_over:
            self._terminal.want("> ")

    @property
    def _is_shared(self) -> bool:
        return self._seat.match is not None and self._seat.match.is_shared

    def _left_s(self) -> float | None:
        match = self._seat.match
        return self._session.left_s(match.code) if match is not None else None

    def _timed(self, prompt: str) -> str:
        """Say in front of a prompt how much time is left, when that is little."""
        left_s = self._left_s()
        is_short = left_s is not None and left_s <= max(SHORT_S)
        return f"({wording.seconds(left_s)} left) {prompt}" if is_short and left_s is not None else prompt

    def _hear(self, heard: Heard) -> None:
        """Show what a piece of news means for our match."""
        for shown in self._seat.hear(heard.news, heard.state):
            self._show(shown)

    def _show(self, shown: Shown) -> None:
        match shown:
            case Back():
                self._say(wording.CONNECTED_AGAIN)
            case ServerGone(text=text):
                self._say(text)
                self._seat.is_done = True
            case ToSave(path=path, record=record):
                self._say(saved.save(path, record))
            case ToReview(record=record):
                self._adviser.review(record)
            case _:
                self._tell(shown)

    def _tell(self, item: news.News) -> None:
        match = self._seat.match if isinstance(item, MatchNews) else None
        if _is_unasked(item):
            self._terminal.gap()
        self._say(*self._teller.tell(match, item))
        match item:
            case news.MatchOpened():
                self._say(*self._seat.arrival.on_open(item.match))
            case news.MatchBegan():
                self._drop_questions()
            case news.MatchResumed():
                # After a break we are asked from the first question again.
                self._dialogue = None
                self._terminal.unwant()
            case news.PositionShown() if match is not None:
                self._position_shown(match)
            case news.MatchEnded() if match is not None:
                self._drop_questions()
                self._say(AFTER_MATCH if match.seat else AFTER_WATCHING)
                self._want_again()
            case news.Refusal():
                self._ask_for_move()
            case news.TimeShort() if self._dialogue is not None and self._confirmed is None:
                self._terminal.reword(self._timed(self._dialogue.question.prompt))
            case news.ConnectionLost(waited_s=waited_s) if self._is_input_over and waited_s >= PATIENCE_S:
                self._seat.fail(f"The server did not come back. {self._seat.arrival.way_back}".strip())

    def _drop_questions(self) -> None:
        self._dialogue = self._confirmed = None
        self._terminal.unwant()

    def _position_shown(self, match: MatchState) -> None:
        if not match.seat and not self._has_introduced_watching:
            self._has_introduced_watching = True
            self._say("", wording.WATCHING)
        if self._dialogue is not None and not match.legal:
            self._drop_questions()
        self._ask_for_move()

    def _ask_for_move(self) -> None:
        match = self._seat.match
        if match is None or not self._seat.can_play:
            return
        if self._dialogue is not None and self._dialogue.fits(match):
            return
        left_s = self._left_s()
        if left_s is not None:
            self._say(f"You have {wording.seconds(left_s)}.")
        self._dialogue = Dialogue(RENDERERS[match.game], match)
        if self._calls:
            self._terminal.ring()
        if match.is_shared and self._dialogue.question.is_secret:
            self._say(wording.look_away(match))
        self._say(*self._dialogue.question.lead)
        self._want_again()


def _is_unasked(item: news.News) -> bool:
    """Tell whether news breaks in on a player who may be typing."""
    is_position = isinstance(item, news.PositionShown) and item.request is None
    return is_position or isinstance(
        item, news.ChatArrived | news.PlayerLost | news.PlayerBack | news.ClaimDue | news.TimeShort
    )
