"""A bot of the user's own: a Python file with one class that has one method, `choose`.

What such a bot does wrong is told to its author: in a sentence, with the author's part of the traceback
and with what the bot was given. What it prints and draws is its own affair.
"""

import importlib.util
import inspect
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import count
from pathlib import Path
from types import ModuleType, TracebackType

from client.bots.bot import Bot
from protocol.choice import Choice, Move, spelled_out
from protocol.games.view import GameView

MOST_LISTED = 12
"""More legal moves than this are not all listed for the author of a bot that played another."""

_numbers = count(1)


class BadBot(Exception):
    """A file that holds no bot; the message is a sentence that says why."""


class Raised(Exception):
    """A bot's own code raised something: a sentence, then the author's part of the traceback."""


class UserBot:
    """A bot made from a user's class, with what its code raises told apart from what ours does."""

    def __init__(self, kind: type[Bot], name: str) -> None:
        self._name = name
        with _Blaming(name):
            self._bot = kind()

    def choose(self, view: GameView, choices: Sequence[Choice]) -> Move | Mapping[str, object]:
        """Pass the question on; the answer can be anything. Raise `Raised`."""
        with _Blaming(self._name, (f"view = {view!r}", f"choices = {choices!r}")):
            return self._bot.choose(view, choices)


def load(path: Path) -> type[Bot]:
    """Read the class of a bot from a Python file; raise `BadBot`, or `Raised` for what the file raises.

    The file is run as any program of the user's own would be.
    """
    module = _run(path)
    classes = [
        found
        for found in vars(module).values()
        if inspect.isclass(found) and found.__module__ == module.__name__ and hasattr(found, "choose")
    ]
    if len(classes) != 1:
        raise BadBot(
            f"{path} must hold one class with a method choose(self, view, choices); it holds {len(classes)}."
        )
    bot: type[Bot] = classes[0]
    if len(inspect.signature(bot.choose).parameters) != 3:
        raise BadBot(f"The method choose of {bot.__name__} must take self, view and choices.")
    return bot


def complaint(name: str, view: GameView, choices: Sequence[Choice], answer: object) -> str:
    """Say that a bot answered with what is not legal, and what would have been."""
    moves = list(spelled_out(choices))
    more = f" and {len(moves) - MOST_LISTED} more" if len(moves) > MOST_LISTED else ""
    listed = ", ".join(map(str, moves[:MOST_LISTED]))
    seat = view.__dict__["viewer"]
    return f"{name}, as Player {seat}, answered {_cut(answer)}, which is not legal. Legal: {listed}{more}."


def _cut(answer: object) -> str:
    with _Blaming("The answer"):
        text = repr(answer)
    return text if len(text) <= 200 else f"{text[:200]}..."


def _run(path: Path) -> ModuleType:
    # The name is the file's own and nobody else's: a bot may be called random.py.
    spec = importlib.util.spec_from_file_location(f"bot_{next(_numbers)}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadBot(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    # As for a script of one's own: dataclasses look their module up, and what lies beside it can be imported.
    sys.modules[module.__name__] = module
    if (folder := str(path.resolve().parent)) not in sys.path:
        sys.path.append(folder)
    try:
        with _Blaming(str(path)):
            spec.loader.exec_module(module)
    except OSError as error:
        raise BadBot(f"{path} cannot be read: {error.strerror}.") from error
    except SyntaxError as error:
        raise BadBot(f"{path} is not Python: {error.msg}, line {error.lineno}.") from error
    return module


class _Blaming(AbstractContextManager[None]):
    """Turns whatever somebody else's code raises in a block into `Raised`."""

    def __init__(self, name: str, given: tuple[str, ...] = ()) -> None:
        self._name = name
        self._given = given

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not isinstance(problem, Exception | SystemExit):
            return
        theirs = _theirs(trace)
        if theirs is None and isinstance(problem, OSError | SyntaxError):
            # The file itself could not be read.
            return
        summary = traceback.format_exception_only(problem)[-1].strip()
        told = "".join(traceback.format_exception(type(problem), problem, theirs)).rstrip()
        given = ("It was given:", *self._given) if self._given else ()
        raise Raised("\n".join((f"{self._name} raised {summary}", told, *given))) from problem


def _theirs(trace: TracebackType | None) -> TracebackType | None:
    """Leave out the part of a traceback that is ours and the interpreter's."""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if file != __file__ and not file.startswith("<frozen importlib"):
            return trace
        trace = trace.tb_next
    return None
