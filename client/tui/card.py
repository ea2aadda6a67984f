"""A player at the table: mark, name, whether it is their turn, their clock and their connection."""

import time

from textual.content import Content
from textual.widgets import Static

from client.core.games.wording import player
from client.core.state import MatchState
from client.tui.theme import mark
from protocol.model import Seat

STEP_S = 0.5


class Card(Static):
    """One player."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(id=f"card{seat}", classes=f"card p{seat}", markup=False)
        self._seat: Seat = seat
        self._match: MatchState | None = None
        self._shown_at = 0.0

    def on_mount(self) -> None:
        """Keep the clock going."""
        self.set_interval(STEP_S, self._draw)

    def show(self, match: MatchState, is_position: bool) -> None:
        """Show the player as they are now; a new position sets the clock anew."""
        if is_position or self._match is None:
            self._shown_at = time.monotonic()
        self._match = match
        self._draw()

    def _draw(self) -> None:
        match = self._match
        if match is None:
            return
        is_ascii = bool(getattr(self.app, "is_ascii", False))
        to_act = _is_to_act(match, self._seat)
        self.set_class(to_act, "-turn")
        arrow = (">" if is_ascii else "►") if to_act else " "
        you = " (you)" if match.seat == self._seat else ""
        passed_s = time.monotonic() - self._shown_at
        name = f"{arrow} {mark(self._seat, is_ascii)} {match.name(self._seat)}{you}"
        drawn = Content.assemble(
            (name, f"bold $p{self._seat}"),
            (f"\n    {', '.join(state_words(match, self._seat, passed_s))}", "$text-muted"),
        )
        # The clock ticks more often than it changes; a terminal far away is spared the rest.
        if drawn != self.content:
            self.update(drawn)


def state_words(match: MatchState, seat: Seat, passed_s: float) -> list[str]:
    """Say in a few words how a player is doing."""
    words = [player(seat)]
    if match.outcome is not None:
        if match.outcome.winner == seat:
            words.append("has won")
    elif _is_to_act(match, seat):
        is_timed = match.left_ms is not None
        words.append(f"{clock_text((match.left_ms or 0) / 1000 - passed_s)} left" if is_timed else "to move")
    if not match.present[seat - 1]:
        words.append("offline")
    return words


def clock_text(seconds: float) -> str:
    """Write what is left on a clock.

    >>> clock_text(65.2), clock_text(-1), clock_text(3600)
    ('1:05', '0:00', '60:00')
    """
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02}"


def _is_to_act(match: MatchState, seat: Seat) -> bool:
    return match.outcome is None and match.view is not None and seat in match.view.to_act
