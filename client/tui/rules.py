"""The rules of each game, to be read at any time."""

import re
from collections.abc import Iterable
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from client.core.catalogue import TITLES
from client.local.rulebook import rules_text
from client.tui.page import Page

RULING = re.compile(r" \([A-Z][0-9]\)")
"""The number of a ruling, which says nothing to somebody who plays."""


class Name(Static):
    """The name of a game; a click on it opens its rules."""

    def __init__(self, number: int, title: str) -> None:
        super().__init__(title, markup=False)
        self._number = number

    async def on_click(self) -> None:
        """Open the rules."""
        await self.run_action(f"screen.open({self._number})")


class RulesPage(Page):
    """The games' names in a row, and the rules of the one that is open."""

    CSS_PATH = "rules.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "turn(1)", "Next game", key_display="Left/Right"),
        Binding("left", "turn(-1)", show=False),
        Binding("down", "scroll(1)", "Scroll", key_display="Up/Down"),
        Binding("up", "scroll(-1)", show=False),
        Binding("pagedown,space", "scroll_page(1)", show=False),
        Binding("pageup", "scroll_page(-1)", show=False),
        *(Binding(str(n), f"open({n})", show=False) for n in range(1, len(TITLES) + 1)),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, game: str | None) -> None:
        super().__init__()
        self._open = list(TITLES).index(game) if game else 0

    def parts(self) -> Iterable[Widget]:
        """Put the text below the names."""
        yield Horizontal(*(Name(number, title) for number, title in enumerate(TITLES.values(), start=1)))
        yield VerticalScroll(Static(id="rules", markup=False), id="text", can_focus=False)

    def on_mount(self) -> None:
        """Open the book at the right page."""
        self.action_turn(0)

    def action_turn(self, step: int) -> None:
        """Open the rules of the next game."""
        self._open = (self._open + step) % len(TITLES)
        for at, name in enumerate(self.query(Name)):
            name.set_class(at == self._open, "-open")
        # The book may be taken away, with the match, before it is open.
        for rules in self.query("#rules").results(Static):
            rules.update(_set_in_type(rules_text(list(TITLES)[self._open])))
        for text in self.query("#text").results(VerticalScroll):
            text.scroll_home(animate=False)

    def action_open(self, number: int) -> None:
        """Open the rules of a game by its number."""
        self.action_turn(number - 1 - self._open)

    def action_scroll(self, lines: int) -> None:
        """Scroll by some lines."""
        self.query_one("#text", VerticalScroll).scroll_relative(y=lines, animate=False)

    def action_scroll_page(self, direction: int) -> None:
        """Turn a page."""
        self.action_scroll(direction * max(1, self.query_one("#text").size.height - 2))

    def action_leave(self) -> None:
        """Close the book."""
        self.action_back()


def _set_in_type(text: str) -> Content:
    """Let the headings stand out, and break lines anew: the window has a width of its own.

    A heading is the first line, and each line after an empty one. Another line that ends in the middle of a
    sentence was broken only because it was full.
    """
    lines: list[Content] = []
    is_whole = is_after_gap = True
    for line in RULING.sub("", text).splitlines():
        if is_after_gap:
            lines.append(Content.styled(line, "bold $primary"))
        elif is_whole:
            lines.append(Content(line))
        else:
            lines[-1] += f" {line}"
        is_whole = is_after_gap or not line or line.endswith((".", ")", ":"))
        is_after_gap = not line
    return Content("\n").join(lines)
