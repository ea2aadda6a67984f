"""A question with a few answers in one line, of which one is chosen: by arrows, by digits, or by a click."""

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

LABEL = 14
"""How wide the question is."""


class Segments(Static, can_focus=True):
    """The question and its answers, each with a key of its own that stands for it elsewhere."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "turn(1)", "Change", key_display="Left/Right"),
        Binding("left", "turn(-1)", show=False),
        *(Binding(str(digit), f"pick({digit - 1})", show=False) for digit in range(1, 10)),
    ]

    class Changed(Message):
        """Another answer was chosen."""

        def __init__(self, segments: "Segments") -> None:
            super().__init__()
            self.segments = segments

        @property
        def control(self) -> "Segments":
            return self.segments

    def __init__(self, question: str, answers: Mapping[str, str], value: str, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._question, self._answers = question, dict(answers)
        self.value = value if value in answers else next(iter(answers))

    def on_mount(self) -> None:
        """Show what is chosen."""
        self._draw()

    def watch_has_focus(self, has_focus: bool) -> None:
        """Show where the keys are."""
        super().watch_has_focus(has_focus)
        self._draw()

    def action_turn(self, step: int) -> None:
        """Choose the next answer, or the one before; there is none beyond the ends."""
        keys = list(self._answers)
        self._choose(keys[min(max(keys.index(self.value) + step, 0), len(keys) - 1)])

    def action_pick(self, index: int) -> None:
        """Choose an answer by its place."""
        if index < len(self._answers):
            self._choose(list(self._answers)[index])

    def on_click(self, event: events.Click) -> None:
        """Choose the answer that was clicked on."""
        x = event.x - LABEL
        for key, text in self._answers.items():
            width = len(text) + 2
            if 0 <= x < width:
                self._choose(key)
            x -= width + 1

    def _choose(self, key: str) -> None:
        if key != self.value:
            self.value = key
            self._draw()
            self.post_message(self.Changed(self))

    def _draw(self) -> None:
        chosen = "bold $background on $primary" if self.has_focus else "bold reverse"
        parts: list[tuple[str, str]] = [(f"{self._question:<{LABEL}}", "$primary" if self.has_focus else "")]
        for key, text in self._answers.items():
            shown = f"[{text}]" if key == self.value else f" {text} "
            parts += [(shown, chosen if key == self.value else ""), (" ", "")]
        self.update(Content.assemble(*parts))
