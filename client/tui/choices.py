"""A numbered list to choose from."""

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option


class Choices(OptionList):
    """A list to choose from, by arrows and Enter, by number, or by mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Choose", key_display="Enter"),
        *(Binding(str(number), f"choose_number({number})", show=False) for number in range(10)),
    ]

    def __init__(
        self, choices: Sequence[tuple[str, str]] = (), id: str | None = None, idle: Collection[str] = ()
    ) -> None:
        super().__init__(*_options(choices, 1, idle), id=id, markup=False)
        self._first = 1

    def offer(self, choices: Sequence[tuple[str, str]], first: int = 1) -> None:
        """Offer other choices; the cursor stays at the one it is on, if that is still there."""
        before = self.highlighted_option
        self._first = first
        self.set_options(_options(choices, first))
        keys = [key for key, _ in choices]
        if keys:
            self.highlighted = keys.index(before.id) if before and before.id in keys else 0

    def action_choose_number(self, number: int) -> None:
        """Choose by number."""
        index = number - self._first
        if 0 <= index < self.option_count and not self.get_option_at_index(index).disabled:
            self.highlighted = index
            self.action_select()


def _options(choices: Sequence[tuple[str, str]], first: int, idle: Collection[str] = ()) -> list[Option]:
    """Number the choices; those that lead nowhere now keep their number, and cannot be chosen."""
    # Content, and not text, so that nothing is ever read as markup.
    return [
        Option(Content(f"{n}  {text}"), id=key, disabled=key in idle)
        for n, (key, text) in enumerate(choices, start=first)
    ]
