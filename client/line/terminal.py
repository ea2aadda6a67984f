"""A terminal: lines go out, lines come in, and news interrupts neither.

Output is append-only: nothing is ever taken back, and the cursor moves in the line being typed only. A
prompt that news broke into is written again below it, and so is what is half typed, unless it stays with
the terminal. Lines of a pipe that arrive early wait for their question; at a terminal they answer nothing,
because nobody types an answer to a question not yet seen. Every line is defused here, whoever wrote it.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TextIO

from client.core import slash
from client.core.games.answer import matches_of
from client.core.news import ConnectionLost, SessionOver
from client.line import hidden
from client.line.input import Reader
from client.net.inbox import Inbox
from client.net.session import Heard
from protocol.process import stream
from protocol.process.supervision import OnFault
from protocol.text import defused

if TYPE_CHECKING:
    from client.line.editing import Editor

_PLAIN = str.maketrans({"…": "...", "–": "-", "—": "-", "’": "'", "“": '"', "”": '"', "�": "?"})


@dataclass(frozen=True, slots=True)
class Typed:
    """A line of input."""

    text: str
    question: int | None = None
    """The question that stood there when it was read, as the terminal counts questions."""


@dataclass(frozen=True, slots=True)
class InputOver:
    """There will be no more input."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """Ctrl-C was pressed."""


@dataclass(frozen=True, slots=True)
class Dismissed:
    """The system wants this program to end."""


@dataclass(frozen=True, slots=True)
class Ready:
    """What was worked out beside the match is there."""

    tell: Callable[[], None]
    """Says it, or raises what went wrong as nobody foresaw."""


Item = Typed | InputOver | Interrupted | Dismissed | Ready | Heard

YES = frozenset({"y", "yes"})

OWN_WORK = 0
"""Awaited instead of a request, which counts from 1, while something is worked out here."""


TOO_EARLY = "You typed that before it was asked for, so it was not used."
EDITED = "The arrow keys move in the line and bring earlier ones back; Tab completes a command."
UNEDITED = "Ctrl-R shows again what you had begun to type when news broke in."
NO_MATCH_YET = "There is no match yet, only this question. /quit leaves."


class InputEnded(Exception):
    """A question was asked, and there is nobody left to answer it."""


class WantsToLeave(Exception):
    """The player does not want to answer a question but to leave."""


class Terminal:
    """A player's terminal, or the pipes that stand for one."""

    def __init__(
        self,
        write: Callable[[str], None],
        is_terminal: bool = False,
        is_ascii: bool = False,
        hide: Callable[[], Callable[[], None] | None] = lambda: None,
    ) -> None:
        self.is_terminal = is_terminal
        self.inbox: Inbox[Item] = Inbox()
        self.on_taken: Callable[[], None] = lambda: None
        """Called for each line that was used up."""
        self.is_listening = False
        """Whether somebody waits for what happens here; the rest of the time is spent on something long."""
        self._write = write
        self.is_ascii = is_ascii
        self._hide = hide
        self._show: Callable[[], None] | None = None
        self._prompt: str | None = None
        self._is_hidden = False
        self.stays_hidden = False
        """Whether nothing that is typed is shown from a secret answer up to the next question."""
        self._is_prompt_out = False
        self._asked = 0
        self.question: int | None = None
        """The number of the question that the player has seen and not answered yet."""
        self.awaited: int | None = None
        """The request whose answer is on its way: until it is heard there is no prompt."""
        self._held: list[Item] = []
        """What was taken out of the inbox too early."""
        self.editor: Editor | None = None
        """What edits the line that is being typed, where the terminal does not do that itself."""

    def edit_with(self, editor: "Editor | None") -> None:
        """Let lines be edited from now on."""
        if editor is not None:
            self.editor, self._hide = editor, editor.hide

    @property
    def on_typing(self) -> str:
        """What there is to know about typing a line here."""
        if self.editor is not None:
            return EDITED
        return UNEDITED if self.is_terminal else ""

    def ring(self) -> None:
        """Call whoever sits at the terminal; nothing in a pipe."""
        if self.is_terminal:
            self._write("\a")

    def say(self, *lines: str) -> None:
        """Write lines, below the prompt if one is open."""
        if not lines:
            return
        self._step_below()
        self._write("".join(self._clean(line) + "\n" for line in lines))
        if self.is_listening:  # It was said by what goes on beside the match: nobody else asks again.
            self._ask_again()

    def want(self, prompt: str, is_hidden: bool = False) -> None:
        """Ask for a line; the prompt appears when all news are out."""
        self.unwant()
        self._prompt, self._is_hidden = prompt, is_hidden

    def reword(self, prompt: str) -> None:
        """Ask the same question in other words, from the next time that it is written."""
        self._prompt = prompt

    def unwant(self) -> None:
        """Ask for nothing any more."""
        if self._is_prompt_out:
            self._step_below()
        self._close_prompt()

    def accept(self, text: str) -> None:
        """Take a line as the answer to the prompt; write it there, unless the terminal has."""
        if not (self.is_terminal and self._is_prompt_out):
            if not self._is_prompt_out:
                self._step_below()
                self._write(self._clean(self._prompt or ""))
            self._write(("" if self._is_hidden else self._clean(text)) + "\n")
        self._close_prompt()
        self.on_taken()

    def noted(self, text: str) -> None:
        """Take a line that is not the answer to the prompt, which is asked again."""
        if self._is_prompt_out and not self.is_terminal:
            self._write(self._clean(text) + "\n")
        self._is_prompt_out = False
        self.on_taken()

    def put_back(self, lines: Iterable[str], is_input_over: bool) -> None:
        """Give back what was typed ahead but never asked for; it may answer the questions to come."""
        items: list[Item] = [Typed(line) for line in lines]
        self._held = [*items, *self._held, *[InputOver()] * is_input_over]

    def listen(self) -> Inbox[Item]:
        """Return what takes the news of a new session; news of the one before is dropped."""
        self.awaited = None
        waiting = [self.inbox.get_nowait() for _ in range(self.inbox.qsize())]
        self._held = [item for item in (*self._held, *waiting) if not isinstance(item, Heard | Ready)]
        return self.inbox

    def gap(self) -> None:
        """Part news from what a person may just be typing on an otherwise empty line."""
        if self.is_terminal and not self._is_prompt_out:
            self._step_below()
            self._write("\n")

    async def next(self) -> Item:
        """Wait for the next thing that happens."""
        while True:
            item = self._held.pop(0) if self._held else await self._arrival()
            if not (isinstance(item, Typed) and self._is_early(item)):
                return item
            self.noted(item.text)
            if item.text.strip():
                self.say(TOO_EARLY)

    def _is_early(self, item: Typed) -> bool:
        """Tell whether a person typed an answer to another question than the one that stands, or to none."""
        is_answer = self.is_terminal and not slash.is_command(item.text)
        return is_answer and (item.question is None or item.question != self.question)

    async def _arrival(self) -> Item:
        if self.editor is not None:
            # What was typed up to here was typed before the question that may be put out now.
            self.editor.read()
        self._ask_again()
        self.is_listening = True
        try:
            item = await self.inbox.get()
        finally:
            self.is_listening = False
        if isinstance(item, Ready) and self.awaited == OWN_WORK:
            self.awaited = None
        if isinstance(item, Interrupted) and self.editor is not None:
            self.editor.discard()
        if isinstance(item, Heard):
            is_cut = isinstance(item.news, ConnectionLost | SessionOver)
            self.awaited = None if is_cut or item.answers == self.awaited else self.awaited
        return item

    def _ask_again(self) -> None:
        """Put the question out, and what is half typed, once all news is."""
        if self.inbox.empty() and self.awaited is None:
            self._put_prompt_out()
        if self.inbox.empty() and self.editor is not None:
            self.editor.redraw()

    async def ask(self, prompt: str) -> str:
        """Ask a question outside of a match; raise `WantsToLeave`, or `InputEnded` when nobody answers."""
        self.want(prompt)
        held: list[Item] = []
        try:
            while True:
                match await self.next():
                    case Typed(text=text) if slash.is_command(text):
                        self._obey(text)
                    case Typed(text=text):
                        self.accept(text)
                        return text.strip()
                    case InputOver() as item:
                        # Whoever asks next must learn it too.
                        held.append(item)
                        self.unwant()
                        raise InputEnded
                    case Interrupted() | Dismissed():
                        self.unwant()
                        raise WantsToLeave
                    case item:
                        held.append(item)
        finally:
            self._held = held + self._held

    async def agrees(self, *question: str) -> bool:
        """Ask a person for a yes; a script gives none."""
        if not self.is_terminal:
            return False
        *lead, asked = question
        self.say(*lead)
        return (await self.ask(f"{asked} (y/n) ")).casefold() in YES

    def _obey(self, text: str) -> None:
        """Carry out a command where there is no match: only leaving makes sense."""
        self.noted(text)
        if slash.is_quit(text):
            self.unwant()
            raise WantsToLeave
        self.say(NO_MATCH_YET)

    async def choose(
        self, choices: Sequence[str], zeroth: str | None = None, names: Sequence[str] = ()
    ) -> int:
        """Let the player choose by number, counted from 1; another choice may come before, as 0.

        A choice is known by its words as well, or by its name, whole or cut short.
        """
        first = 1 if zeroth is None else 0
        offered = choices if zeroth is None else (zeroth, *choices)
        self.say(*(f"{number}. {choice}" for number, choice in enumerate(offered, start=first)))
        allowed = f"a number from {first} to {len(choices)}"
        numbers = {choice.casefold(): number for number, choice in enumerate(offered, start=first)}
        numbers |= {name: number for number, name in enumerate(names, start=1)}
        while True:
            answer = await self.ask(f"Enter {allowed}: ")
            if answer.isascii() and answer.isdigit() and first <= int(answer[:9]) <= len(choices):
                return int(answer)
            meant = {numbers[words] for words in matches_of(answer, numbers)}
            if len(meant) == 1:
                return meant.pop()
            several = " or ".join(offered[number - first] for number in sorted(meant))
            self.say(f"{answer!r} could be {several}." if meant else f"{answer!r} is not {allowed}.")

    def close(self) -> None:
        """Leave the terminal as it was found."""
        self.unwant()
        self._stop_hiding()
        if self.editor is not None:
            self.editor.close()

    def pause(self) -> None:
        """Give the terminal to somebody else for a while, as it was found."""
        self._stop_hiding()
        if self.editor is not None:
            self.editor.pause()

    def go_on(self) -> None:
        """Take the terminal back after a pause: what stood there has scrolled away, so ask again."""
        self._stop_hiding()
        if self.editor is not None:
            self.editor.go_on()
            self.editor.redraw()
        self._is_prompt_out = False
        if self.question is not None:
            self._put_prompt_out()

    def _put_prompt_out(self) -> None:
        if self._prompt is None or self._is_prompt_out:
            return
        # A quick answer may be there as soon as the prompt is: hide it and know its question before.
        if self._is_hidden and self._show is None:
            self._show = self._hide()
        elif not self._is_hidden:
            self._stop_hiding()
        if self.question is None:
            self._asked += 1
            self.question = self._asked
        self._is_prompt_out = True
        prompt = self._clean(self._prompt)
        if self.editor is not None:
            self.editor.show(prompt)
        else:
            self._write(prompt)

    def _step_below(self) -> None:
        """Go below the prompt, and what is half typed behind it."""
        if self.editor is not None:
            self.editor.step_below()
        elif self._is_prompt_out:
            self._write("\n")
        self._is_prompt_out = False

    def _close_prompt(self) -> None:
        self._prompt, self._is_hidden, self._is_prompt_out, self.question = None, False, False, None
        if not self.stays_hidden:
            self._stop_hiding()

    def _stop_hiding(self) -> None:
        if self._show is not None:
            self._show()
            self._show = None

    def _clean(self, line: str) -> str:
        line = defused(line)
        return line.translate(_PLAIN).encode("ascii", "replace").decode() if self.is_ascii else line


def open_terminal(
    on_fault: OnFault, is_ascii: bool = False, stdin: TextIO | None = None, stdout: TextIO | None = None
) -> Terminal:
    """Sit down at this process's own terminal or pipes; needs a running event loop."""
    source, out = stdin or sys.stdin, stdout or sys.stdout
    loop = asyncio.get_running_loop()

    descriptor, encoding = source.fileno(), source.encoding or "utf-8"
    is_terminal = source.isatty() and out.isatty()
    write = partial(stream.write, out=out)
    terminal = Terminal(write, is_terminal, is_ascii, lambda: hidden.hide(descriptor))

    def put(line: str | None) -> None:
        terminal.inbox.put_nowait(InputOver() if line is None else Typed(line, terminal.question))

    if is_terminal and (descriptor, out.fileno()) == (0, 1):
        from client.line.editing import open_editor

        terminal.edit_with(open_editor(encoding, write, put, on_fault))
    if terminal.editor is not None:
        return terminal

    def deliver(line: str | None) -> None:
        item = InputOver() if line is None else Typed(line, terminal.question)
        try:
            loop.call_soon_threadsafe(terminal.inbox.put_nowait, item)
        except RuntimeError:
            # The loop is closed: the program is ending and reads no more.
            return

    reader = Reader(descriptor, encoding, deliver, on_fault)
    terminal.on_taken = reader.taken
    reader.start()
    return terminal
