"""Hints and reviews for a player at a terminal: worked out beside the match, and told when they are done."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

from client.core.failure import CouldNot
from client.core.games.renderer import Lines
from client.core.record import BadRecord, Record
from client.core.state import MatchState
from client.line.terminal import OWN_WORK, Ready, Terminal
from client.local import advice
from protocol.process.child import Tell
from protocol.process.supervision import start, stop

BUSY = "Your last hint or review is still being worked out."
STOPPED = "The review was stopped."
HOW_TO_STOP = " (Ctrl-C stops that.)"
PATIENCE_S = 2.0
"""Shorter reviews do not say how far they are."""


class Adviser:
    """Works out one hint or review at a time."""

    def __init__(self, terminal: Terminal) -> None:
        self._terminal = terminal
        self._work: asyncio.Task[object] | None = None
        self.is_reviewing = False
        """Whether a review is on its way, which can be stopped."""

    def hint(self, match: MatchState) -> None:
        """Say what to play; nothing else is asked of the player meanwhile."""
        if not self._is_busy():
            self._terminal.awaited = OWN_WORK
            self._start(advice.hint(match, lambda share: None))

    def review(self, record: Record) -> None:
        """Look at a finished match again. A person can do something else meanwhile; a pipe waits for it."""
        if self._is_busy():
            return
        self._terminal.say(review_begins(record) + (HOW_TO_STOP if self._terminal.is_terminal else ""))
        if not self._terminal.is_terminal:
            self._terminal.awaited = OWN_WORK
        self.is_reviewing = True
        tell = progress(self._terminal)
        self._start(advice.review(record, tell, self._terminal.is_ascii))

    def stop_review(self) -> None:
        """Give up a review."""
        if self._work is not None:
            self._work.cancel()
            self._done(partial(self._terminal.say, STOPPED))

    async def close(self) -> None:
        """Give up what is not done yet."""
        if self._work is not None:
            await stop(self._work)

    def _is_busy(self) -> bool:
        is_busy = self._work is not None and not self._work.done()
        if is_busy:
            self._terminal.say(BUSY)
        return is_busy

    def _start(self, work: Coroutine[Any, Any, Lines]) -> None:
        self._work = start(self._tell(work), "advice", lambda fault: self._done(partial(_raise, fault)))

    async def _tell(self, work: Coroutine[Any, Any, Lines]) -> None:
        try:
            lines = await work
        except (BadRecord, CouldNot) as problem:
            lines = (str(problem),)
        self._done(partial(self._terminal.say, *lines))

    def _done(self, tell: partial[None]) -> None:
        self.is_reviewing = False
        self._terminal.inbox.put_nowait(Ready(tell))


def _raise(fault: BaseException) -> None:
    raise fault


def review_begins(record: Record) -> str:
    """Say that a review has begun, and of how much."""
    return f"Looking at {len(record.moves)} moves again."


def progress(terminal: Terminal, now: Callable[[], float] = time.monotonic) -> Tell:
    """Return what says after each quarter how far a review is, to a person whom it keeps waiting."""
    said, at = 0, now()

    def tell(share: float) -> None:
        nonlocal said, at
        quarter = int(4 * share)
        if terminal.is_terminal and said < quarter < 4 and now() - at >= PATIENCE_S:
            said, at = quarter, now()
            terminal.say(f"{25 * quarter} % of them are done.")

    return tell
