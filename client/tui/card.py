"""A player beside the board: mark, name, whether it is their turn, their clock and their connection."""

import time

from textual.content import Content
from textual.widgets import Static

from client.core.games.wording import player
from client.core.state import MatchState
from client.tui.theme import TEXTURES
from protocol.model import Seat

STEP_S = 0.5
SHORT, LAST_S = 0.2, 10.0
"""The share of its time, and the seconds, from which on a clock looks different."""


class Card(Static):
    """The player on one side: 1 or 2."""

    def __init__(self, side: Seat) -> None:
        super().__init__(id=f"card{side}", classes=f"card p{side}", markup=False)
        self._side: Seat = side
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
        seat = match.people.sides[self._side - 1]
        is_ascii = bool(getattr(self.app, "is_ascii", False))
        to_act = _is_to_act(match, seat)
        self.set_class(to_act, "-turn")
        arrow = (">" if is_ascii else "►") if to_act else " "
        left_s = time_left(match, seat, time.monotonic() - self._shown_at)
        words = ", ".join(state_words(match, seat, left_s))
        drawn = Content.assemble(
            (f"{arrow} {TEXTURES[self._side]} {match.people.called(seat)}", f"bold $p{self._side}"),
            (" " if self.has_class("-flat") else "\n    ", ""),
            (words, urgency(match.clock_s, left_s) or "$text-muted"),
        )
        # The clock ticks more often than it changes; a terminal far away is spared the rest.
        if drawn != self.content:
            self.update(drawn)


def time_left(match: MatchState, seat: Seat, passed_s: float) -> float | None:
    """Tell how much time a player has left for the move that is due; None where no clock runs."""
    if match.left_ms is None or not _is_to_act(match, seat):
        return None
    return match.left_ms / 1000 - passed_s


def urgency(clock_s: int | None, left_s: float | None) -> str:
    """Say how a clock looks: otherwise in its last fifth, and otherwise again in its last seconds."""
    if clock_s is None or left_s is None:
        return ""
    if left_s <= LAST_S:
        return "bold reverse $error"
    return "bold $warning" if left_s <= clock_s * SHORT else ""


def state_words(match: MatchState, seat: Seat, left_s: float | None) -> list[str]:
    """Say in a few words how a player is doing."""
    words = [player(seat)]
    if match.outcome is not None:
        if match.outcome.winner == seat:
            words.append("has won")
    elif left_s is not None:
        # Not by the colour alone.
        haste = {"bold reverse $error": "!!", "bold $warning": "!"}.get(urgency(match.clock_s, left_s), "")
        words.append(f"{clock_text(left_s)} left{haste}")
    elif _is_to_act(match, seat):
        words.append("to move")
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
