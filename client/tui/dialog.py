"""Small windows over a screen: a question with two answers, a sentence to be read, a list to choose from."""

from collections.abc import Collection, Iterable
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen, ScreenResultType
from textual.widgets import Button, Input, OptionList, Static

from client.flow.name import NAME_QUESTION
from client.tui.choices import Choices
from client.tui.keys import Keys
from client.tui.page import LETTERS
from protocol.text import Unclean, clean_name


class Dialog(ModalScreen[ScreenResultType]):
    """A small window. What closes it twice, such as a key pressed in haste, closes nothing else."""

    BINDINGS: ClassVar[list[BindingType]] = [*LETTERS]

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close the window, and hand a result back."""
        return super().dismiss(result) if self.is_active else AwaitComplete()


class Confirm(Dialog[bool]):
    """Ask for a yes or a no. Enter alone does no harm; asking to quit a second time is a yes."""

    AUTO_FOCUS = "#no"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "answer(True)", "Yes", key_display="Y"),
        Binding("n,escape", "answer(False)", "No", key_display="N"),
        Binding("left,right", "app.focus_next", show=False),
    ]

    def __init__(self, question: str) -> None:
        super().__init__()
        self._question = question

    def compose(self) -> ComposeResult:
        """Put the question over its answers."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False, classes="question")
            with Horizontal(classes="answers"):
                yield Button("Yes", id="yes")
                yield Button("No", id="no")
        yield Keys()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "yes")

    def action_answer(self, is_yes: bool) -> None:
        """Answer by key."""
        self.dismiss(is_yes)

    def action_leave(self) -> None:
        """Take a second wish to leave for a yes."""
        self.dismiss(True)


class Sentence(Dialog[None]):
    """Say something that must be read."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape,space", "dismiss", "Go on", key_display="Enter")
    ]

    def __init__(self, text: str) -> None:
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Show the text."""
        with Vertical(classes="dialog"):
            yield Static(self._text, markup=False, classes="question")
            with Horizontal(classes="answers"):
                yield Button("Go on")
        yield Keys()

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.dismiss()


class Reading(Dialog[None]):
    """Show lines that may be more than fit."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,escape", "dismiss", "Go on", key_display="Enter")]

    def __init__(self, title: str, lines: Iterable[str], at_end: bool = False) -> None:
        super().__init__()
        self._title, self._lines, self._at_end = title, tuple(lines), at_end

    def on_mount(self) -> None:
        """Begin at the newest line, where lines have grown."""
        if self._at_end:
            self.query_one(VerticalScroll).anchor()

    def compose(self) -> ComposeResult:
        """Show the lines."""
        with VerticalScroll(classes="dialog reading") as dialog:
            dialog.border_title = self._title
            yield Static("\n".join(self._lines), markup=False)
        yield Keys()


class PickOne(Dialog[str | None]):
    """Let the player choose one of some named things."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss", "Back", key_display="Esc")]

    def __init__(self, title: str, choices: Iterable[tuple[str, str]], idle: Collection[str] = ()) -> None:
        super().__init__()
        self._title, self._choices, self._idle = title, tuple(choices), idle

    def compose(self) -> ComposeResult:
        """List what there is."""
        with Vertical(classes="dialog") as dialog:
            dialog.border_title = self._title
            yield Choices(self._choices, idle=self._idle)
        yield Keys()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)


class AskName(Dialog[str]):
    """Ask for a name that others see."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "take_usual", "Leave it as it was", key_display="Esc")
    ]

    def __init__(
        self,
        usual: str,
        question: str = f"{NAME_QUESTION}:",
        about: str = "Enter takes it. The settings can change it later.",
    ) -> None:
        super().__init__()
        self._usual, self._question, self._about = usual, question, about

    def compose(self) -> ComposeResult:
        """Show the field."""
        with Vertical(classes="dialog"):
            yield Static(self._question, markup=False, classes="question")
            yield Input(self._usual, max_length=64)
            yield Static(self._about, markup=False, classes="muted")
            yield Static(markup=False, classes="complaint")
        yield Keys()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        try:
            name = clean_name(event.value)
        except Unclean as no:
            self.query_one(".complaint", Static).update(str(no))
            return
        self.dismiss(name)

    def action_take_usual(self) -> None:
        """Keep the name that was proposed."""
        self.dismiss(self._usual)
