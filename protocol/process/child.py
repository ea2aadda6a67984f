"""A process of our own that works something out, so that nothing else in this one is held up by it.

It gets one question, tells how far it is, and gives one answer, all as pickles on its pipes. It belongs to
the one that asks: it ends with the answer, or when the wait for it is given up.
"""

import contextlib
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any

from protocol.process.supervision import in_thread

ROOT = Path(__file__).parents[2]
"""Where our packages are."""

END_S = 0.5
"""How long a process that says nothing more may take to end by itself."""

Stream = IO[bytes] | int | None
"""What a process reads from or writes to; None for what ours does."""

Tell = Callable[[float], None]
"""Takes how much of the work is done: from 0.0 to 1.0."""


class Died(Exception):
    """The process ended without an answer; the message is what it left behind."""


async def ask(module: str, question: object, tell: Tell) -> Any:
    """Have a module of ours, which calls `answer`, work something out; raise `Died` when it cannot.

    To be cancelled is to end the process.
    """
    with tempfile.TemporaryFile() as errors, begin(module, stderr=errors) as process:
        try:
            return await _converse(process, question, tell)
        except (EOFError, OSError, pickle.UnpicklingError) as problem:
            raise Died(_remains(process, errors)) from problem
        finally:
            process.kill()
            _close(process.stdin)


def begin(
    module: str,
    stdin: Stream = subprocess.PIPE,
    stdout: Stream = subprocess.PIPE,
    stderr: Stream = None,
    folder: Path = ROOT,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[bytes]:
    """Start a module of ours as a process, for its owner to wait for.

    With an environment of its own it says itself where our packages are, and finds no others in its folder.
    """
    return subprocess.Popen(
        [sys.executable, *(["-P"] if environment is not None else []), "-m", module],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=folder,
        env=environment,
        # Keys such as Ctrl-C are for the program that owns the terminal.
        start_new_session=True,
    )


async def _converse(process: subprocess.Popen[bytes], question: object, tell: Tell) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    await in_thread(partial(_put, process.stdin, question), "asking")
    take = partial(pickle.load, process.stdout)
    while isinstance(said := await in_thread(take, "hearing an answer"), float):
        tell(said)
    return said


def _remains(process: subprocess.Popen[bytes], errors: IO[bytes]) -> str:
    """Tell what a process that is ending has left behind."""
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(END_S)
    errors.seek(0)
    return f"{errors.read().decode('utf-8', 'replace')}The process ended with code {process.returncode}."


def _put(pipe: IO[bytes], question: object) -> None:
    pickle.dump(question, pipe)
    pipe.flush()


def _close(pipe: IO[bytes] | None) -> None:
    # What was not read of the question is of no use any more.
    with contextlib.suppress(OSError):
        if pipe is not None:
            pipe.close()


def answer(work: Callable[[Any, Tell], object]) -> None:
    """Answer one question, as the process that `ask` starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What is printed must not come between the pickles.
    out, sys.stdout = sys.stdout.buffer, sys.stderr

    def say(something: object) -> None:
        pickle.dump(something, out)
        out.flush()

    say(work(pickle.load(sys.stdin.buffer), say))
