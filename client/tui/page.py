"""What all whole screens have in common: a footer with the keys, and a word for too small windows."""

from collections.abc import Coroutine, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import ComposeResult
from textual.binding import ActiveBinding, Binding, BindingType
from textual.css.query import NoMatches
from textual.geometry import Size
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from client.tui.keys import Keys

if TYPE_CHECKING:
    from client.tui.app import ConquestApp

SMALLEST = Size(72, 22)
"""The smallest window in which everything can be read."""
LAST = ("escape", *(f"f{number}" for number in range(1, 10)), "question_mark", "ctrl+q", "ctrl+c")
"""The keys that stand at the end of the footer, in this order."""
LETTERS: list[BindingType] = [
    Binding(letter, f"app.press('{arrow}')", show=False)
    for letter, arrow in {"h": "left", "j": "down", "k": "up", "l": "right"}.items()
]
"""Letters that do what the arrows do, wherever they are not typed into a field."""


class Page(Screen[None]):
    """A whole screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LETTERS,
        Binding("question_mark", "keys", "Keys", key_display="?"),
        Binding("q", "close", show=False),
    ]
    GAME: str | None = None
    """The game whose rules F1 opens; None to choose one."""
    ASKS = False
    """Whether it is asked before this page is left."""
    SMALLEST: ClassVar[Size] = SMALLEST
    """The smallest window in which this page can be used."""

    @property
    def conquest(self) -> "ConquestApp":
        """The application, as what it is."""
        return cast("ConquestApp", self.app)

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The keys that do something now, as the footer lists them: what is special here comes first."""
        found = super().active_bindings
        if not self.ASKS:
            # There is a way back, which is shown; this one is for those who know it.
            found = {key: binding for key, binding in found.items() if not key.startswith("ctrl+")}
        return dict(sorted(found.items(), key=lambda item: LAST.index(item[0]) + 1 if item[0] in LAST else 0))

    def work(self, work: Coroutine[Any, Any, None], *, group: str = "default") -> None:
        """Do something in the background, in place of what that group does; it ends with this page."""
        self.run_worker(self.while_open(work), group=group, exclusive=True)

    async def while_open(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something that may find the parts of this page gone, since it can be closed at any await."""
        try:
            await work
        except NoMatches:
            if self.is_attached and self.is_running:
                raise

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield Static(id="cover", markup=False)
        yield from self.parts()
        yield Keys()

    def parts(self) -> Iterable[Widget]:
        """Make what is special about this screen."""
        raise NotImplementedError

    def can_say(self) -> bool:
        """Tell whether this page has a place for what is said in passing."""
        return False

    def say(self, lines: Iterable[str]) -> None:
        """Show what is said in passing."""

    def on_resize(self, event: events.Resize) -> None:
        """Cover everything while the window is too small for it."""
        was_small = self.has_class("-tiny")
        smallest = self.SMALLEST
        is_small = event.size.width < smallest.width or event.size.height < smallest.height
        self.set_class(is_small, "-tiny")
        if is_small:
            self.query_one("#cover", Static).update(_cover_text(event.size, smallest))
        elif was_small:
            self.call_after_refresh(self.regain_focus)

    def regain_focus(self) -> None:
        """Give the keys back to what was hidden."""
        self.screen.focus_next()

    def action_back(self) -> None:
        """Go back to the page before; a key pressed twice in haste goes no further."""
        if self.is_active:
            self.conquest.go_back()

    def action_close(self) -> None:
        """Leave this page, in the way that it knows."""
        if self.ASKS:
            self.action_leave()
        else:
            self.action_back()

    def action_keys(self) -> None:
        """Show all keys of this page."""
        from client.tui.help import Keys

        self.app.push_screen(Keys(super().active_bindings.values()))

    def action_leave(self) -> None:
        """Ask, once, and leave."""
        self.conquest.ask_to_quit()


def _cover_text(size: Size, smallest: Size) -> str:
    return (
        f"This window is too small: it is {size.width} by {size.height}.\n"
        f"Make it at least {smallest.width} by {smallest.height}.\n"
        "Nothing is lost meanwhile."
    )
