"""The one place where tasks and threads are started, so that none of them ends unnoticed.

A task, thread or callback that fails hands its exception to the owner that was named at its start. What the
owner does about it is not known here; that there is one is certain: a test finds every other start.
"""

import asyncio
import contextlib
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from functools import partial
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")
OnFault = Callable[[BaseException], None]


def start(coroutine: Coroutine[Any, Any, object], name: str, on_fault: OnFault) -> asyncio.Task[object]:
    """Start a task; its owner is told when it ends by an exception. Being cancelled is no fault."""
    task = asyncio.get_running_loop().create_task(coroutine, name=name)

    def ended(task: asyncio.Task[object]) -> None:
        fault = None if task.cancelled() else task.exception()
        if fault is not None:
            on_fault(fault)

    task.add_done_callback(ended)
    return task


def start_thread(work: Callable[[], None], name: str, on_fault: OnFault) -> threading.Thread:
    """Start a thread that does not keep the program from ending; `on_fault` is called in that thread."""

    def run() -> None:
        try:
            work()
        except BaseException as fault:  # noqa: BLE001 (the supervisor's: nothing else may stay unseen)
            on_fault(fault)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread


async def in_thread(work: Callable[[], T], name: str) -> T:
    """Do some work in a thread and wait for it; what it raises is raised here.

    The program's end does not wait for the thread: the work may never come to an end.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()

    def settle(deliver: Callable[[], None]) -> None:
        if not future.done():
            deliver()

    def tell(deliver: Callable[[], None]) -> None:
        # The loop may be closed by now: then nobody wants to know.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, deliver)

    start_thread(
        lambda: tell(partial(future.set_result, work())),
        name,
        lambda fault: tell(partial(future.set_exception, fault)),
    )
    return await future


def guarded(work: Callable[..., object], on_fault: OnFault) -> Callable[..., None]:
    """Make a callback of which the owner is told when it fails, whoever calls it."""

    def run(*arguments: object) -> None:
        try:
            work(*arguments)
        except Exception as fault:  # noqa: BLE001 (the supervisor's: nothing else may stay unseen)
            on_fault(fault)

    return run


@contextlib.asynccontextmanager
async def alongside(coroutine: Coroutine[Any, Any, object], name: str) -> AsyncIterator[asyncio.Task[object]]:
    """Run a coroutine for as long as a block lasts.

    If it fails, the block is cancelled and the exception comes out of the block. If it just ends, the block
    goes on. When the block ends, the coroutine is cancelled and its end is waited for.
    """
    failure: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(coroutine, name=name)
            try:
                yield task
            finally:
                task.cancel()
    except BaseExceptionGroup as raised:
        failure = raised.exceptions[0]
    if failure is not None:
        raise failure


@contextlib.asynccontextmanager
async def answerable() -> AsyncIterator[OnFault]:
    """Own threads and callbacks for as long as a block lasts: what they report comes out of the block."""
    loop = asyncio.get_running_loop()
    reported: asyncio.Future[BaseException] = loop.create_future()

    def settle(fault: BaseException) -> None:
        if not reported.done():
            reported.set_result(fault)

    def report(fault: BaseException) -> None:
        # The loop may be closed by now: then the block has ended long ago.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(settle, fault)

    async def raise_it() -> None:
        raise await reported

    async with alongside(raise_it(), "supervision"):
        yield report


class Failed(Exception):
    """A part of a server has died by a fault of ours; the message is a sentence, the cause is the fault."""


class Fate:
    """The owner of all that a server starts: the first fault is its end."""

    def __init__(
        self, what: str, log: logging.Logger, foreseen: type[BaseException] | tuple[()] = ()
    ) -> None:
        self._what = what
        self._log = log
        self._foreseen = foreseen
        """What is no fault of ours, and says itself what has happened."""
        self.fault: BaseException | None = None
        self._has_failed = asyncio.Event()

    def fail(self, fault: BaseException) -> None:
        """Take note that a part has died: there is nothing to do but to say so and to stop."""
        if not isinstance(fault, self._foreseen):
            self._log.error("A fault of ours; the %s cannot go on.", self._what, exc_info=fault)
        if self.fault is None:
            self.fault = fault
            self._has_failed.set()

    async def failed(self) -> NoReturn:
        """Wait for as long as all is well; raise `Failed` when a part has died."""
        await self._has_failed.wait()
        is_foreseen = isinstance(self.fault, self._foreseen)
        raise Failed(str(self.fault) if is_foreseen else sorry(self._what)) from self.fault


def sorry(what: str) -> str:
    """Say that a server has met a fault of ours."""
    return f"The {what} made a mistake of its own and had to stop."


async def stop(task: asyncio.Task[Any]) -> None:
    """Cancel a task and wait until it has ended; how it ended was told to its owner."""
    task.cancel()
    await asyncio.wait([task])
