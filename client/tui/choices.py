"""A numbered list to choose from."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option


class Choices(OptionList):
    """A list to choose from, by arrows and Enter, by number, or by mouse."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select", "Choose", key_display="Enter"),
        *(Binding(str(number), f"choose_number({number})", show=False) for number in range(1, 10)),
    ]

    def __init__(self, choices: Sequence[tuple[str, str]], id: str | None = None) -> None:
        # Content, and not text, so that nothing is ever read as markup.
        options = (Option(Content(f"{n}  {text}"), id=key) for n, (key, text) in enumerate(choices, start=1))
        super().__init__(*options, id=id, markup=False)

    def action_choose_number(self, number: int) -> None:
        """Choose by number."""
        if number <= self.option_count:
            self.highlighted = number - 1
            self.action_select()
