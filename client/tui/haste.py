"""What opens by itself takes no key for a moment: whoever presses one then means what was there before."""

from collections.abc import Callable

from textual.widget import Widget

HASTE_S = 0.5
"""How long that is."""


def after_haste(widget: Widget, then: Callable[[], None]) -> None:
    """Do something when a widget that has just opened by itself has been seen."""
    widget.set_timer(HASTE_S, then)
