"""What time alone brings about: the win over an absent opponent may be claimed, little time is left to move.

The server says how many seconds are left; from then on this client counts by its own clock. Times are passed
in, none is read here.
"""

from collections.abc import Iterator

from client.core.news import ClaimDue, News, TimeShort
from client.core.state import ClientState
from protocol.server_frame import ServerFrame, Shown, Sighted

SHORT_S = (30.0, 10.0)
"""When the time left for a move is told: at so many seconds before its end."""


class Deadlines:
    """The deadlines of a session's matches, by the match's code."""

    def __init__(self) -> None:
        self._claims: dict[str, float] = {}
        """When the win over an absent opponent can be claimed."""
        self._clocks: dict[str, float] = {}
        """When the time for the move that is due runs out."""
        self._told: dict[str, float] = {}
        """How much of that time was left when it was told last."""

    def note(self, frame: ServerFrame, state: ClientState, now: float) -> None:
        """Take down what a frame says about deadlines."""
        if isinstance(frame, Sighted):
            self._note_claim(frame, state, now)
        elif isinstance(frame, Shown):
            self._note_clock(frame, now)

    def forget_claims(self) -> None:
        """Forget who was away: after a lost connection the server says it anew."""
        self._claims.clear()

    def left_s(self, code: str, now: float) -> float | None:
        """Tell how much time is left for the move that is due in a match; None without a clock."""
        ends_at = self._clocks.get(code)
        return None if ends_at is None else max(0.0, ends_at - now)

    def due(self, state: ClientState, now: float) -> list[News]:
        """List the news that is due, each piece once."""
        return [*self._due_claims(state, now), *self._due_clocks(state, now)]

    def _due_claims(self, state: ClientState, now: float) -> Iterator[News]:
        for code in [code for code, due_at in self._claims.items() if now >= due_at]:
            del self._claims[code]
            match = state.matches.get(code)
            if match is not None and match.outcome is None:
                yield ClaimDue(code)

    def _due_clocks(self, state: ClientState, now: float) -> Iterator[News]:
        for code in self._clocks:
            match, left_s, told_s = state.matches.get(code), self.left_s(code, now), self._told[code]
            is_ours = match is not None and match.outcome is None and bool(match.legal)
            if is_ours and left_s and any(left_s <= short_s < told_s for short_s in SHORT_S):
                self._told[code] = left_s
                yield TimeShort(code, left_s)

    def _note_claim(self, frame: Sighted, state: ClientState, now: float) -> None:
        self._claims.pop(frame.match, None)
        match = state.matches.get(frame.match)
        if frame.claim_in_s and match is not None and frame.seat == match.opponent:
            self._claims[frame.match] = now + frame.claim_in_s

    def _note_clock(self, frame: Shown, now: float) -> None:
        self._clocks.pop(frame.match, None)
        if frame.left_ms is not None:
            left_s = frame.left_ms / 1000
            self._clocks[frame.match] = now + left_s
            self._told[frame.match] = left_s
