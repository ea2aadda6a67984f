"""One run at a terminal: the event loop, the signals, and a clean end."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from io import TextIOWrapper
from types import FrameType

from client.core.failure import CouldNot
from client.line.terminal import (
    Dismissed,
    InputEnded,
    Interrupted,
    Item,
    Terminal,
    WantsToLeave,
    open_terminal,
)
from client.local.fault import log_to_file
from protocol.process.supervision import OnFault, answerable, guarded

Work = Callable[[Terminal], Awaitable[None]]

GOODBYE = "Goodbye."


def run(work: Work, is_ascii: bool = False) -> int:
    """Do some work at this process's terminal or pipes; return the exit code."""
    log_to_file()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A name that this terminal cannot show must not end the game.
            stream.reconfigure(errors="replace")
    try:
        asyncio.run(_sit(work, is_ascii))
    except InputEnded as problem:
        raise CouldNot("There was a question, but no more input to answer it.") from problem
    except asyncio.CancelledError:
        return 1
    return 0


async def _sit(work: Work, is_ascii: bool) -> None:
    async with answerable() as on_fault:
        terminal = open_terminal(on_fault, is_ascii)
        with _signals(terminal, on_fault), _job_control(terminal, on_fault):
            try:
                await work(terminal)
            except WantsToLeave:
                terminal.say(GOODBYE)
            finally:
                terminal.close()


@contextlib.contextmanager
def _signals(terminal: Terminal, on_fault: OnFault) -> Iterator[None]:
    """Turn signals into something that the terminal reports; where nobody listens to it, they end it all."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def report(item: Item) -> None:
        if terminal.is_listening or task is None:
            terminal.inbox.put_nowait(item)
        else:
            task.cancel()

    def interrupted(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(guarded(report, on_fault), Interrupted())

    def dismissed(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(guarded(report, on_fault), Dismissed())

    before = signal.signal(signal.SIGINT, interrupted), signal.signal(signal.SIGTERM, dismissed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])


@contextlib.contextmanager
def _job_control(terminal: Terminal, on_fault: OnFault) -> Iterator[None]:
    """Leave the terminal as it was found on Ctrl-Z, Ctrl-\\ and a hangup, and ask again on coming back."""
    names = ("SIGTSTP", "SIGQUIT", "SIGHUP") if terminal.is_terminal else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    # A shell without job control, or nohup, has some of them ignored; Windows does not have them.
    ours = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    if not ours:
        yield
        return
    loop = asyncio.get_running_loop()

    def give_way(number: int, frame: FrameType | None) -> None:
        terminal.pause()
        # Only the system's own way of stopping, or ending, tells the shell.
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    def continued(number: int, frame: FrameType | None) -> None:
        take_over()
        loop.call_soon_threadsafe(guarded(terminal.go_on, on_fault))

    def take_over() -> None:
        for number in ours:
            signal.signal(number, give_way)

    take_over()
    before = signal.signal(signal.SIGCONT, continued)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
