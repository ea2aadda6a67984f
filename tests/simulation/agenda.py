"""Time as the simulation has it: a list of what is going to happen, and the loop that a server lives in.

Nothing waits for anything real. The order of everything follows from the times and from the order in which
things were put on the agenda, so that the same seed is the same world.
"""

import heapq
from collections.abc import Callable
from random import Random
from typing import Any

Call = Callable[..., Any]

TURN_SPANS_S = (0.0, 0.0, 0.0, 0.001, 0.01)
"""How long the server may be busy with one turn of its loop: whatever happens then belongs to that turn."""


class Timer:
    """Something that is going to happen, unless it is cancelled."""

    __slots__ = ("call", "is_cancelled")

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call
        self.is_cancelled = False

    def cancel(self) -> None:
        self.is_cancelled = True


class Agenda:
    """What is going to happen, in order."""

    def __init__(self, random: Random) -> None:
        self.now = 0.0
        self.turns = 0
        self._random = random
        self._heap: list[tuple[float, int, Timer]] = []
        self._count = 0
        self._loops: list[Loop] = []

    def after(self, delay_s: float, call: Call, *arguments: Any) -> Timer:
        """Have something happen in a while."""
        return self.at(self.now + delay_s, call, *arguments)

    def at(self, time: float, call: Call, *arguments: Any) -> Timer:
        """Have something happen at a time; what is due at the same time happens in the order of asking."""
        timer = Timer(lambda: call(*arguments))
        self._count += 1
        heapq.heappush(self._heap, (time, self._count, timer))
        return timer

    def loop(self) -> "Loop":
        """Start a new loop; the ones before it are dead."""
        for loop in self._loops:
            loop.is_dead = True
        self._loops = [Loop(self)]
        return self._loops[0]

    def turn(self) -> bool:
        """Let the next thing happen, and what falls into the same turn of the loop; False at the end."""
        if not self._heap:
            return False
        self.turns += 1
        end = max(self.now, self._heap[0][0]) + self._random.choice(TURN_SPANS_S)
        while self._heap and self._heap[0][0] <= end:
            time, _, timer = heapq.heappop(self._heap)
            self.now = max(self.now, time)
            if not timer.is_cancelled:
                timer.call()
        for loop in self._loops:
            loop.drain()
        return True


class Loop:
    """As much of an event loop as the server uses. It dies with its server, and all its calls with it."""

    def __init__(self, agenda: Agenda) -> None:
        self.is_dead = False
        self._agenda = agenda
        self._soon: list[tuple[Call, tuple[Any, ...]]] = []

    def call_soon(self, call: Call, *arguments: Any) -> None:
        self._soon.append((call, arguments))

    call_soon_threadsafe = call_soon

    def call_later(self, delay_s: float, call: Call, *arguments: Any) -> Timer:
        return self._agenda.after(delay_s, self._call, call, arguments)

    def _call(self, call: Call, arguments: tuple[Any, ...]) -> None:
        if not self.is_dead:
            call(*arguments)

    def drain(self) -> None:
        """Make the calls of this turn, and those that they lead to."""
        while self._soon and not self.is_dead:
            soon, self._soon = self._soon, []
            for call, arguments in soon:
                self._call(call, arguments)
