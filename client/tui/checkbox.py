"""Boxes and dots to tick, drawn so that every terminal shows them and no colour is needed to read them."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Checkbox, RadioButton, RadioSet


class Tick(Checkbox):
    """A box to tick."""

    @property
    def _button(self) -> Content:
        return Content("[X]" if self.value else "[ ]")


class Radio(RadioButton):
    """One of several."""

    @property
    def _button(self) -> Content:
        return Content("(*)" if self.value else "( )")


class Dial(RadioSet):
    """Several of which one is chosen. The arrows begin at that one, and choose as they go."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,down", "turn(1)", show=False),
        Binding("left,up", "turn(-1)", show=False),
    ]

    def on_focus(self) -> None:
        """Begin at what is chosen."""
        self._selected = self.pressed_index

    def action_turn(self, step: int) -> None:
        """Choose the next one, or the one before."""
        if step > 0:
            self.action_next_button()
        else:
            self.action_previous_button()
        self.action_toggle_button()
