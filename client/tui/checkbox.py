"""Boxes to tick, drawn so that every terminal shows them and no colour is needed to read them."""

from textual.content import Content
from textual.widgets import Checkbox


class Tick(Checkbox):
    """A box to tick."""

    @property
    def _button(self) -> Content:
        return Content("[X]" if self.value else "[ ]")
