"""The page on which a match is set up, against the computer or for a friend.

It begins with what is wanted already, and completes it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static

from client.core.catalogue import GAME_QUESTION, LEVEL_QUESTION, LEVELS, TITLES
from client.flow.wanted import Host, HostAt, PlayHere, PlayTwo, Terms
from client.local.rulebook import summary
from client.tui.checkbox import Dial, Radio, Tick
from client.tui.choices import Choices
from client.tui.page import Page
from protocol.field import First
from protocol.process.usage import Misused

FLAGS = {
    "private": "Private: joined by link or code only",
    "hints": "Hints: both players may ask for one",
    "watchable": "Spectators: others may watch",
}


class SetupPage(Page):
    """Choose a game and how to play it."""

    CSS_PATH = "setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", "Options", key_display="Tab"),
        Binding("f5", "begin", "Begin", key_display="F5"),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, wanted: PlayHere | PlayTwo | Host | HostAt) -> None:
        super().__init__()
        self._wanted = wanted

    def parts(self) -> Iterable[Widget]:
        """Put the games on the left, and how to play on the right."""
        games = Choices(list(TITLES.items()), id="games")
        games.border_title = GAME_QUESTION
        terms = self._wanted.terms
        first = {"toss": "A coin", "creator": "You", "guest": "Your friend"}
        clock = Input(str(terms.clock_s or ""), id="clock", type="integer", placeholder="no limit")
        clock.border_title = "Seconds for each move"
        usual: list[Widget] = [clock, Vertical(id="options")]
        if isinstance(self._wanted, PlayHere):
            first["guest"] = "The computer"
            levels = {level: level.capitalize() for level in LEVELS}
            usual.insert(0, _radio("bot", LEVEL_QUESTION, levels, self._wanted.bot))
        elif isinstance(self._wanted, PlayTwo):
            first["guest"] = "The other player"
        else:
            usual += [Tick(text, getattr(terms, flag), id=flag, compact=True) for flag, text in FLAGS.items()]
        fields = [_radio("first", "Who begins?", first, terms.first), *usual]
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
        from client.local.option import options_of

        game = self.GAME = event.option_id or ""
        self.query_one("#summary", Static).update(summary(game))
        questions = self.query_one("#options", Vertical)
        await questions.remove_children()
        for name, option in options_of(game).items():
            values = {value: value.capitalize() for value in option.allowed}
            about = Static(option.about, classes="muted", markup=False)
            usual = self._wanted.terms.options.get(name, option.default)
            await questions.mount(_radio(f"option-{name}", name.capitalize(), values, usual), about)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_begin()

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.action_begin()

    def action_begin(self) -> None:
        """Begin with what is chosen."""
        try:
            wanted = self.chosen()
        except Misused as problem:
            self.conquest.complain(problem)
        else:
            self.conquest.begin(wanted)

    def chosen(self) -> PlayHere | PlayTwo | Host | HostAt:
        """Complete what is wanted by what is chosen; raise `Misused`."""
        game, terms = self.GAME or "", self._terms()
        if isinstance(self._wanted, PlayHere):
            return replace(self._wanted, game=game, terms=terms, bot=_chosen(self.query_one("#bot", Dial)))
        return replace(self._wanted, game=game, terms=terms)

    def _terms(self) -> Terms:
        clock = self.query_one("#clock", Input).value.strip()
        options = {
            (radio.id or "").removeprefix("option-"): _chosen(radio)
            for radio in self.query("#options Dial").results(Dial)
        }
        first: First = _chosen(self.query_one("#first", Dial))  # type: ignore[assignment]
        return replace(
            self._wanted.terms,
            options=options,
            first=first,
            clock_s=_whole(clock) if clock else None,
            **{tick.id or "": tick.value for tick in self.query("#fields > Tick").results(Tick)},
        )


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError as no:
        raise Misused(f"The clock takes a whole number of seconds, not {text!r}.") from no


def _radio(id: str, title: str, choices: Mapping[str, str], usual: str) -> Dial:
    buttons = (Radio(Content(text), value=key == usual, name=key) for key, text in choices.items())
    radio = Dial(*buttons, id=id, compact=True)
    radio.border_title = title
    return radio


def _chosen(radio: Dial) -> str:
    pressed = radio.pressed_button
    return (pressed.name if pressed is not None else None) or ""
