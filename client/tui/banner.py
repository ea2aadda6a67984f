"""The line that says that the connection is lost, and counts down to the next try."""

import time
from dataclasses import replace

from textual.timer import Timer
from textual.widgets import Static

from client.core import wording
from client.core.news import ConnectionLost

STEP_S = 0.5


class Banner(Static):
    """Shown only while there is no connection."""

    def __init__(self) -> None:
        super().__init__(id="banner", markup=False)
        self._lost = ConnectionLost(0.0, 0.0)
        self._until = 0.0
        self._timer: Timer | None = None

    def lost(self, item: ConnectionLost) -> None:
        """Appear, and count down to the next try."""
        self._lost = item
        self._until = time.monotonic() + item.retry_in_s
        self.add_class("-shown")
        self._count()
        if self._timer is None:
            self._timer = self.set_interval(STEP_S, self._count)

    def back(self) -> None:
        """Disappear."""
        self.remove_class("-shown")
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _count(self) -> None:
        left = max(0.0, self._until - time.monotonic())
        self.update(wording.connection_lines(replace(self._lost, retry_in_s=left))[-1])
