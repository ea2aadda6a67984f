"""The first page: what can be done here. Light, so that it is there at once."""

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Center, Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.core.catalogue import CHOICES, GO_BACK, TITLES
from client.net.visit import whereabouts
from client.tui.letter import Large
from client.tui.page import Page

if TYPE_CHECKING:
    from client.net.store import SavedSession

ALONE, HOST, JOIN, WATCH, TWO, RULES, QUIT = CHOICES
GAMES = {str(number): game for number, game in enumerate(TITLES, start=1)}
WAYS = {
    "6": ("host", HOST),
    "7": ("join", JOIN),
    "8": ("watch", WATCH),
    "9": ("two", TWO),
    "m": ("matches", "Your matches that go on"),
    "b": ("history", "Look back on finished ones"),
    "r": ("rules", RULES),
    "s": ("settings", "Settings"),
    "q": ("quit", QUIT),
}
"""Where the keys of the menu lead, and what is said of it."""
ABOUT = {
    "resume": "",
    "host": "Your machine runs the match; you get a link and a code to pass on.",
    "join": "Matches on this network are listed; a link works from everywhere.",
    "watch": "Matches that go on, here and where you have been; or by a link or a code.",
    "two": "Both of you in front of this screen; secret numbers stay secret.",
    "matches": "Whose turn it is, on every server that you have been to.",
    "history": "Every match that you played or watched: step by step, or reviewed.",
    "rules": "Each game on a page or two. F1 opens them at any time.",
    "settings": "Your name, light or dark colours, animations, plain characters.",
    "quit": "",
}
"""A word on each."""
ON_A_GAME = "Alone, at four levels. Enter twice begins at once."
BY_SSH = {
    **ABOUT,
    "host": "This server runs the match; you get what your friend types.",
    "join": "Matches of this server are listed; a code leads to a private one.",
    "watch": "Matches of this server that go on; or by a code.",
    "matches": "Whose turn it is, on this server.",
}
"""What is different for a visitor, who plays nobody but others."""
ON_A_GAME_BY_SSH = "Against a friend, to whom you pass on the code."


class Menu(OptionList):
    """Some of the choices. The keys in front of them work wherever the cursor is."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "select", "Choose", key_display="Enter")]

    def offer(self, choices: Mapping[str, tuple[str, str]]) -> None:
        """Offer choices; the cursor stays at the one it is on, if that is still there."""
        before = self.highlighted or 0
        # Content, and not text, so that nothing is ever read as markup.
        options = [Option(Content(f"{key.upper()}  {text}"), id=id) for key, (id, text) in choices.items()]
        self.set_options(options)
        self.highlighted = min(before, len(options) - 1)


class StartPage(Page):
    """The games on the left, everything else on the right."""

    ASKS = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", show=False),
        Binding("left,right", "cross", "Other list", key_display="Left/Right", priority=True),
        *(Binding(key, f"enter('{key}')", show=False) for key in ("0", *GAMES, *WAYS)),
    ]

    _left: "SavedSession | None" = None
    """The way back to a match that was left."""

    def parts(self) -> Iterable[Widget]:
        """Show the name of the game over the menu."""
        games, menu = Menu(id="games"), Menu(id="menu")
        games.border_title = HOST if self.conquest.visit else ALONE
        yield Vertical(
            Center(Large("Conquest", id="logo")),
            Center(Static("Five strategy games for two", id="motto", markup=False)),
            Center(Horizontal(games, menu, id="lists")),
            Center(Static(id="about", markup=False)),
            Center(Static(id="greeting", markup=False)),
            id="start",
        )

    def on_mount(self) -> None:
        """Begin with the games."""
        self.query_one("#games", Menu).offer({key: (game, TITLES[game]) for key, game in GAMES.items()})
        self.query_one("#games").focus()

    def on_screen_resume(self) -> None:
        """Greet anew: the name may be another one, and there may be a match to go back to."""
        self.greet()
        way = self.conquest.store.way_back(time.time())
        self._left = way[1] if way else None
        back = {"0": ("resume", GO_BACK)} if self._left else {}
        ways = {key: way for key, way in WAYS.items() if way[0] != "two" or not self.conquest.visit}
        self.query_one("#menu", Menu).offer({**back, **ways})

    def greet(self) -> None:
        """Show under which name one plays."""
        self.query_one("#greeting", Static).update(f"You play as {self.conquest.player}.")

    def action_cross(self) -> None:
        """Go to the other list."""
        games, menu = self.query_one("#games"), self.query_one("#menu")
        (menu if games.has_focus else games).focus()

    def action_enter(self, key: str) -> None:
        """Go where a key leads."""
        choice = GAMES.get(key) or WAYS.get(key, ("resume", ""))[0]
        if choice != "resume" or self._left is not None:
            self._enter(choice)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_list.has_focus:
            self._tell_about(event.option_id or "")

    def on_descendant_focus(self) -> None:
        """Speak of what is marked in the list that has the keys."""
        option = self.focused.highlighted_option if isinstance(self.focused, Menu) else None
        self._tell_about(option.id or "" if option is not None else "")

    def _tell_about(self, choice: str) -> None:
        left, is_visit = self._left, self.conquest.visit is not None
        about = BY_SSH.get(choice, ON_A_GAME_BY_SSH) if is_visit else ABOUT.get(choice, ON_A_GAME)
        if choice == "resume" and left is not None:
            where = whereabouts(self.conquest.visit, left.address)
            about = f"{TITLES.get(left.game, left.game)}, {where}."
        self.query_one("#about", Static).update(about)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self._enter(event.option_id or "quit")

    def _enter(self, choice: str) -> None:
        if choice == "resume" and self._left is not None:
            from client.flow.wanted import GoBack

            self.conquest.begin(GoBack(self._left.match))
        else:
            self.conquest.enter(choice)
