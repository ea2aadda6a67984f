"""The pages on which a match is set up, against the computer or for a friend.

What is chosen becomes a command line, so that everything is checked, and complained about, in one place.
"""

from collections.abc import Iterable
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, RadioSet

from client.catalogue import LEVELS, TITLES
from client.tui.choices import Choices
from client.tui.page import Page
from client.tui.tick import Radio, Tick

FIRST = {"toss": "A coin decides", "creator": "You", "guest": "Not you"}
FLAGS = {"private": "Private: joined by link or code only", "hints": "Both may ask for hints, and know it"}


class SetupPage(Page):
    """Choose a game and how to play it."""

    CSS_PATH = "setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("f5", "begin", "Begin"),
        Binding("tab", "app.focus_next", "Options", key_display="Tab"),
    ]

    def __init__(self, command: str) -> None:
        super().__init__()
        self._command = command

    @property
    def is_practice(self) -> bool:
        """Whether it is against the computer."""
        return self._command == "play"

    def parts(self) -> Iterable[Widget]:
        """Put the games on the left, and how to play on the right."""
        games = Choices(list(TITLES.items()), id="games")
        games.border_title = "Game"
        usual: list[Widget] = [
            _radio("first", "Who begins", FIRST, "toss"),
            _field("Seconds for each move (empty: no clock)", Input(id="clock", type="integer")),
            _field("Options of the game", Input(id="options", placeholder="such as size=4")),
        ]
        if self.is_practice:
            levels = {level: level for level in LEVELS}
            fields = [_radio("bot", "How well the computer plays", levels, "normal"), *usual]
        else:
            fields = [*usual, *(Tick(text, id=flag, compact=True) for flag, text in FLAGS.items())]
        yield Horizontal(
            games,
            VerticalScroll(*fields, Button("Begin (F5)", id="begin", variant="primary"), can_focus=False),
            id="setup",
        )

    def on_mount(self) -> None:
        """Begin with the game."""
        games = self.query_one(Choices)
        games.highlighted = 0
        games.focus()

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self.GAME = event.option_id

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_begin()

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.action_begin()

    def action_back(self) -> None:
        """Go back to the menu."""
        self.conquest.go_back()

    def action_begin(self) -> None:
        """Begin with what is chosen."""
        self.conquest.command(self.arguments())

    def arguments(self) -> list[str]:
        """Write what is chosen as a command line."""
        words = [self._command, self.GAME or "", "--first", _chosen(self, "first")]
        if self.is_practice:
            words += ["--bot", _chosen(self, "bot")]
        else:
            words += [f"--{flag}" for flag in FLAGS if self.query_one(f"#{flag}", Tick).value]
        if clock := self.query_one("#clock", Input).value.strip():
            words += ["--clock", clock]
        for option in self.query_one("#options", Input).value.split():
            words.append(f"--option={option}")
        return words


def _radio(id: str, title: str, choices: dict[str, str], usual: str) -> RadioSet:
    buttons = (Radio(Content(text), value=key == usual, name=key) for key, text in choices.items())
    radio = RadioSet(*buttons, id=id, compact=True)
    radio.border_title = title
    return radio


def _chosen(page: Page, id: str) -> str:
    pressed = page.query_one(f"#{id}", RadioSet).pressed_button
    return (pressed.name if pressed is not None else None) or ""


def _field(title: str, field: Input) -> Input:
    field.border_title = title
    return field
