"""The pages on which a match is set up, against the computer or for a friend.

What is chosen becomes a command line, so that everything is checked, and complained about, in one place.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static

from client.core.catalogue import GAME_QUESTION, LEVEL_QUESTION, LEVELS, TITLES
from client.local.rulebook import summary
from client.tui.checkbox import Dial, Radio, Tick
from client.tui.choices import Choices
from client.tui.page import Page

FLAGS = {
    "private": "Private: joined by link or code only",
    "hints": "Hints: both players may ask for one",
}


class SetupPage(Page):
    """Choose a game and how to play it."""

    CSS_PATH = "setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Options", key_display="Tab"),
        Binding("f5", "begin", "Begin", key_display="F5"),
        Binding("escape", "back", "Back", key_display="Esc"),
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
        games.border_title = GAME_QUESTION
        first = {"toss": "A coin", "creator": "You", "guest": "Your friend"}
        clock = Input(id="clock", type="integer", placeholder="no limit")
        clock.border_title = "Seconds for each move"
        usual: list[Widget] = [clock, Vertical(id="options")]
        if self.is_practice:
            first["guest"] = "The computer"
            levels = {level: level.capitalize() for level in LEVELS}
            usual.insert(0, _radio("bot", LEVEL_QUESTION, levels, "normal"))
        else:
            usual += [Tick(text, id=flag, compact=True) for flag, text in FLAGS.items()]
        fields = [_radio("first", "Who begins?", first, "toss"), *usual]
        yield Horizontal(
            Vertical(games, Static(id="summary", markup=False), id="left"),
            VerticalScroll(*fields, Button("Begin", id="begin"), id="fields", can_focus=False),
            id="setup",
        )

    def on_mount(self) -> None:
        """Begin with the game."""
        games = self.query_one(Choices)
        games.highlighted = 0
        games.focus()

    @on(OptionList.OptionHighlighted)
    async def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Ask what can be agreed about this game, and about no other."""
        from client.local.embedded import options_of

        game = self.GAME = event.option_id or ""
        self.query_one("#summary", Static).update(summary(game))
        questions = self.query_one("#options", Vertical)
        await questions.remove_children()
        for name, option in options_of(game).items():
            values = {value: value.capitalize() for value in option.allowed}
            about = Static(option.about, classes="muted", markup=False)
            await questions.mount(_radio(f"option-{name}", name.capitalize(), values, option.default), about)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_begin()

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.action_begin()

    def action_begin(self) -> None:
        """Begin with what is chosen."""
        self.conquest.command(self.arguments())

    def arguments(self) -> list[str]:
        """Write what is chosen as a command line."""
        words = [self._command, self.GAME or "", "--first", _chosen(self.query_one("#first", Dial))]
        if self.is_practice:
            words += ["--bot", _chosen(self.query_one("#bot", Dial))]
        else:
            words += [f"--{flag}" for flag in FLAGS if self.query_one(f"#{flag}", Tick).value]
        if clock := self.query_one("#clock", Input).value.strip():
            words += ["--clock", clock]
        for radio in self.query("#options Dial").results(Dial):
            words.append(f"--option={(radio.id or '').removeprefix('option-')}={_chosen(radio)}")
        return words


def _radio(id: str, title: str, choices: Mapping[str, str], usual: str) -> Dial:
    buttons = (Radio(Content(text), value=key == usual, name=key) for key, text in choices.items())
    radio = Dial(*buttons, id=id, compact=True)
    radio.border_title = title
    return radio


def _chosen(radio: Dial) -> str:
    pressed = radio.pressed_button
    return (pressed.name if pressed is not None else None) or ""
