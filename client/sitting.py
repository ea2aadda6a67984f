"""One sitting at a desk: the event loop, the signals, and a clean end."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Awaitable, Callable, Iterator
from io import TextIOWrapper
from types import FrameType

from client.desk import Desk, Dismissed, InputEnded, Interrupted, Item, open_desk
from client.failure import CouldNot

Work = Callable[[Desk], Awaitable[None]]


def run(work: Work, is_ascii: bool = False) -> int:
    """Do some work at this process's terminal or pipes; return the exit code."""
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
    desk = open_desk(is_ascii)
    with _signals(desk):
        try:
            await work(desk)
        finally:
            desk.close()


@contextlib.contextmanager
def _signals(desk: Desk) -> Iterator[None]:
    """Turn signals into something that the desk reports; where nobody listens to it, they end it all."""
    loop = asyncio.get_running_loop()
    task = asyncio.current_task()

    def report(item: Item) -> None:
        if desk.is_listening or task is None:
            desk.inbox.put_nowait(item)
        else:
            task.cancel()

    def interrupted(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(report, Interrupted())

    def dismissed(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(report, Dismissed())

    before = signal.signal(signal.SIGINT, interrupted), signal.signal(signal.SIGTERM, dismissed)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
