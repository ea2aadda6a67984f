"""When no clock ran, since the oldest running turn began: the server was down, or could not save.

A player never loses by our stopping. While clocks run, the time is written down at every tick together with
the pauses, so that a restart knows how much of each turn was used.
"""

from server.core.entry import Fact

ALIVE = "alive"


class Pauses:
    """The pauses of all clocks, each with its beginning and end."""

    def __init__(self) -> None:
        self._known: list[tuple[float, float]] = []
        self._begun_at: float | None = None

    def begin(self, now: float) -> None:
        """Let all clocks stand still from now on."""
        self._begun_at = now

    def end(self, now: float) -> float:
        """Let all clocks run again; return for how long they stood still."""
        begun_at, self._begun_at = self._begun_at, None
        if begun_at is None:
            return 0.0
        self.add(begun_at, now)
        return now - begun_at

    def add(self, begin: float, end: float) -> None:
        """Take note of a pause that is over."""
        self._known.append((begin, end))

    def since(self, began: float) -> float:
        """Tell for how long a turn that began then stood still."""
        return sum(max(0.0, end - max(begin, began)) for begin, end in self._known)

    def to_fact(self, now: float, oldest: float) -> Fact:
        """Write down the time and the pauses that matter to the oldest running turn; forget the others."""
        self._known = [pause for pause in self._known if pause[1] > oldest]
        return Fact(ALIVE, {"at": now, "pauses": self._known})

    def restore(self, fact: Fact) -> float | None:
        """Bring the pauses back; return when the server was last alive, None for another fact."""
        if fact.key != ALIVE or fact.body is None:
            return None
        at = float(fact.body["at"])
        self._known = [(float(begin), float(end)) for begin, end in fact.body["pauses"]]
        return at
