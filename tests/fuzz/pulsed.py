"""The server with a pulse, run like `python -m server`: it notes how long its loop could not turn.

A beat is due every few milliseconds. How late it comes is how long everybody waited, whatever the loop was
busy with, waiting for locks and for the disk included. The time for which the process could have run and the
system ran others instead is not the server's fault: the kernel counts it (`schedstat`), and it is taken off.
The time that the loop's thread was at work itself, without anything that it waited for, is noted as well.
What was found stands in the file that PULSE_REPORT names, as JSON, rewritten every second and at the end.
"""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

from server import command, config
from server.core.input import Garbled, Input, Received
from server.io import shell

BEAT_S = 0.005
STALL_S = 0.05


class Pulse:
    """Beats in a loop and notes what was late, and how many frames were read."""

    def __init__(self, loop: asyncio.AbstractEventLoop, server: shell.Server, report: Path) -> None:
        self.taken = 0
        self.beats = self.stalls = self.excused = self.busy = 0
        self.worst_s = 0.0
        self._loop = loop
        self._report = report
        self._schedstat = os.open(f"/proc/self/task/{os.getpid()}/schedstat", os.O_RDONLY)
        self._last, self._waited, self._worked = time.perf_counter(), self._waited_s(), time.thread_time()
        self._written_at = 0.0
        self._step, server.step = server.step, self.step  # type: ignore[method-assign]
        loop.call_later(BEAT_S, self.beat)

    def step(self, given: Input) -> None:
        """Count what reaches the kernel, frames and things that are none."""
        self.taken += isinstance(given, Received | Garbled)
        self._step(given)

    def _waited_s(self) -> float:
        """Tell for how long the loop's thread was ready to run and was not let."""
        return int(os.pread(self._schedstat, 64, 0).split()[1]) / 1e9

    def beat(self) -> None:
        """Note how late this beat is, and plan the next."""
        now, waited = time.perf_counter(), self._waited_s()
        late_s = now - self._last - BEAT_S
        own_s = late_s - (waited - self._waited)
        self.beats += 1
        self.busy += time.thread_time() - self._worked > STALL_S
        self.worst_s = max(self.worst_s, own_s)
        if own_s > STALL_S:
            self.stalls += 1
        elif late_s > STALL_S:
            self.excused += 1
        if now - self._written_at > 1.0:
            self._written_at = now
            self.write()
        self._last, self._waited, self._worked = time.perf_counter(), self._waited_s(), time.thread_time()
        self._loop.call_later(BEAT_S, self.beat)

    def write(self) -> None:
        """Write down what was found so far."""
        found = {
            "taken": self.taken,
            "beats": self.beats,
            "stalls": self.stalls,
            "excused": self.excused,
            "busy": self.busy,
            "worst_ms": round(1000 * self.worst_s, 1),
        }
        draft = self._report.with_suffix(".new")
        draft.write_text(json.dumps(found))
        draft.replace(self._report)


def main() -> int:
    """Run the server's own command with a pulse."""
    report = Path(os.environ["PULSE_REPORT"])
    real_start = shell.start
    pulses: list[Pulse] = []

    async def start(settings: config.Config) -> shell.Server:
        server = await real_start(settings)
        pulses.append(Pulse(asyncio.get_running_loop(), server, report))
        return server

    shell.start = start
    code = command.main()
    for pulse in pulses:
        pulse.write()
    return code


if __name__ == "__main__":
    sys.exit(main())
