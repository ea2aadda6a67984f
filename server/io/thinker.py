"""A thread of its own for what takes long, so that no match waits for it."""

import queue
import threading
from collections.abc import Callable

from protocol.process.supervision import OnFault, start_thread


class Thinker:
    """Does one piece of work at a time, in the order in which they came."""

    def __init__(self, on_fault: OnFault) -> None:
        self._on_fault = on_fault
        self._works: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    def submit(self, work: Callable[[], None]) -> None:
        """Have something done; it must deal with failures of its own. The thread ends with the process."""
        if self._thread is None:
            self._thread = start_thread(self._work_for_ever, "thinker", self._on_fault)
        self._works.put(work)

    def _work_for_ever(self) -> None:
        while True:
            self._works.get()()
