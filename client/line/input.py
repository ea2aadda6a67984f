"""Lines from a terminal, a pipe or a file, read by a thread so that nothing else waits for a person.

It reads the descriptor itself: a thread that is blocked in a buffered `readline` would hold a lock that
the interpreter wants when it ends.
"""

import codecs
import os
import threading
from collections.abc import Callable

from protocol.process.supervision import OnFault, start_thread

CHUNK = 4096
LINE_MAX = 2000
"""Characters after which a line is cut: no answer is that long, but a hostile file may be."""
AHEAD_MAX = 1000
"""Lines that may wait for their question; after that the writer of the pipe waits."""


class Reader:
    """Delivers one line after the other, and None at the end of input."""

    def __init__(
        self, descriptor: int, encoding: str, deliver: Callable[[str | None], None], on_fault: OnFault
    ) -> None:
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._deliver = deliver
        self._on_fault = on_fault
        self._room = threading.Semaphore(AHEAD_MAX)

    def start(self) -> None:
        """Begin to read, until the end of input or of the program."""
        start_thread(self._read, "reader", self._on_fault)

    def taken(self) -> None:
        """Make room for one more line."""
        self._room.release()

    def _read(self) -> None:
        held = ""
        while data := self._chunk():
            *lines, held = (held + self._decoder.decode(data)).split("\n")
            for line in lines:
                self._pass_on(line)
            held = held[:LINE_MAX]
        if held:
            self._pass_on(held)
        self._deliver(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, CHUNK)
        except OSError:
            # The terminal was closed, or there never was one.
            return b""

    def _pass_on(self, line: str) -> None:
        self._room.acquire()
        self._deliver(line[:LINE_MAX].rstrip("\r"))
