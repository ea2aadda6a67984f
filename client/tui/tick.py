"""Boxes and dots to tick, drawn so that every terminal shows them and no colour is needed to read them."""

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

    def on_focus(self) -> None:
        """Begin at what is chosen."""
        self._selected = self.pressed_index

    def action_next_button(self) -> None:
        """Choose the next one."""
        super().action_next_button()
        self.action_toggle_button()

    def action_previous_button(self) -> None:
        """Choose the one before."""
        super().action_previous_button()
        self.action_toggle_button()
