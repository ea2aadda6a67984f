"""What the player can choose once and for all: name, colours, animations, plain characters."""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Checkbox, Input, Static

from client.flow.name import NAME_QUESTION
from client.tui.checkbox import Tick
from client.tui.page import Page
from protocol.text import Unclean, clean_name

TICKS: dict[str, tuple[str, str]] = {
    "light": ("Light colours", "dark ones otherwise"),
    "animations": ("Animations", "short ones, when cards turn and ships arrive"),
    "ascii": ("ASCII only", "for terminals on which lines look broken"),
    "call": ("Call me when it is my turn", "by bell, title and notification"),
    "confirm": ("Confirm secret numbers", "Enter plays what was chosen"),
}


class SettingsPage(Page):
    """A name and some boxes to tick. A tick counts at once, a name when Enter is pressed."""

    CSS_PATH = "setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Next", key_display="Tab"),
        Binding("down", "app.focus_next", show=False),
        Binding("up", "app.focus_previous", show=False),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def parts(self) -> Iterable[Widget]:
        """List the settings."""
        preferences = self.conquest.preferences
        ticks = [
            Tick(Content(f"{title}: {about}"), getattr(preferences, key), id=key)
            for key, (title, about) in TICKS.items()
        ]
        name = Input(self.conquest.player, id="name", max_length=64, select_on_focus=False)
        name.border_title, name.border_subtitle = NAME_QUESTION, "Enter keeps it"
        yield VerticalScroll(
            Static("Settings", classes="heading", markup=False),
            name,
            Static(id="complaint", classes="complaint", markup=False),
            *ticks,
            Static("Enter or Space ticks a box; it counts at once.", classes="muted", markup=False),
            id="settings",
            can_focus=False,
        )

    def on_mount(self) -> None:
        """Begin where a key changes no name."""
        self.query(Tick).first().focus()

    @on(Checkbox.Changed)
    def _ticked(self, event: Checkbox.Changed) -> None:
        if event.checkbox.id is not None:
            self.conquest.choose_setting(event.checkbox.id, event.value)

    @on(Input.Submitted, "#name")
    def _named(self) -> None:
        try:
            self.conquest.rename(clean_name(self.query_one("#name", Input).value))
        except Unclean as no:
            self.query_one("#complaint", Static).update(str(no))
        else:
            self.query_one("#complaint", Static).update("")
            self.focus_next()
