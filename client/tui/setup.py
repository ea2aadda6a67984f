"""The page on which a match is set up, against the computer or for a friend.

It begins with what is wanted already, or with what was chosen the last time, and completes it. The board in
the middle is a picture of the game; nothing can be played on it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from client.core.catalogue import LEVELS, TITLES
from client.core.people import People
from client.flow.wanted import Host, HostAt, PlayHere, PlayTwo, Terms
from client.local.option import options_of
from client.local.rulebook import summary
from client.local.sample import sample
from client.tui.board import Board
from client.tui.games import BOARDS
from client.tui.page import Page
from client.tui.segments import LABEL, Segments
from protocol.field import First
from protocol.process.usage import Misused

NO_YES = {"": "no", "yes": "yes"}
FLAGS = {"private": "Private", "hints": "Hints", "watchable": "Spectators"}
OPPONENTS: dict[type, str] = {PlayHere: "The computer", PlayTwo: "The other player"}
REMEMBERED = ("game", "bot")
"""What is chosen for the next time, too, where nothing else is wanted."""


class SetupPage(Page):
    """Choose a game and how to play it."""

    CSS_PATH = "setup.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,f5", "begin", "Begin", key_display="Enter", priority=True),
        Binding("down,tab", "app.focus_next", "Next", key_display="Up/Down", priority=True),
        Binding("up,shift+tab", "app.focus_previous", show=False, priority=True),
        Binding("escape", "back", "Back", key_display="Esc"),
    ]

    def __init__(self, wanted: PlayHere | PlayTwo | Host | HostAt) -> None:
        super().__init__()
        self._wanted = wanted
        self.is_ready = False
        """Whether all questions are there; nothing begins before."""

    def parts(self) -> Iterable[Widget]:
        """Put the picture over the questions."""
        game = self._wanted.game or str(self._remembered("game", next(iter(TITLES))))
        # The short names: five long ones do not fit into a line.
        games = {name: name.capitalize() for name in TITLES}
        self.GAME = game
        yield Vertical(
            Static(id="summary", markup=False),
            Vertical(id="picture"),
            Segments("Game", games, game, id="game"),
            *self._questions(),
            Vertical(id="options"),
            id="setup",
        )

    def _questions(self) -> Iterable[Widget]:
        terms = self._wanted.terms
        if isinstance(self._wanted, PlayHere):
            levels = {level: level.capitalize() for level in LEVELS}
            yield Segments("Level", levels, self._remembered("bot", self._wanted.bot), id="bot")
        other = OPPONENTS.get(type(self._wanted), "Your friend")
        first = {"toss": "A coin decides", "creator": "You", "guest": other}
        yield Segments("Who begins", first, terms.first, id="first")
        if isinstance(self._wanted, Host | HostAt):
            for flag, question in FLAGS.items():
                yield Segments(question, NO_YES, "yes" if getattr(terms, flag) else "", id=flag)
        given = str(terms.clock_s or "")
        clock = Input(given, id="clock", type="integer", placeholder="no limit", compact=True)
        yield Horizontal(Static(f"{'Seconds a move':<{LABEL}} ", markup=False), clock, id="time")

    async def on_mount(self) -> None:
        """Begin with the game where that is open, else with how to play it."""
        await self._show_game()
        self.query(Segments)[1 if self._wanted.game else 0].focus()
        self.is_ready = True

    @on(Segments.Changed, "#game")
    async def _chosen_game(self) -> None:
        await self._show_game()

    @on(Segments.Changed)
    def _changed(self, event: Segments.Changed) -> None:
        if event.segments.parent is not None and event.segments.parent.id == "options":
            self._show_picture()

    async def _show_game(self) -> None:
        """Show a game's picture, and ask what can be agreed about it and about no other."""
        game = self.GAME = self._value("game")
        self.query_one("#summary", Static).update(f"{TITLES[game]}: {summary(game)}")
        questions, picture = self.query_one("#options", Vertical), self.query_one("#picture", Vertical)
        await questions.remove_children()
        for name, option in options_of(game).items():
            values = {value: value.capitalize() for value in option.allowed}
            usual = self._wanted.terms.options.get(name, option.default)
            await questions.mount(Segments(name.capitalize(), values, usual, id=f"option-{name}"))
        await picture.remove_children()
        board = BOARDS[game]()
        board.can_focus, board.disabled = False, True
        await picture.mount(board)
        self._show_picture()

    def _show_picture(self) -> None:
        names = self.conquest.player, OPPONENTS.get(type(self._wanted), "Your friend")
        for board in self.query(Board):
            board.show(sample(self._value("game"), self._options()), (), 0, People(names))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Begin with nothing that was not seen."""
        return self.is_ready if action == "begin" else True

    def action_begin(self) -> None:
        """Begin with what is chosen."""
        try:
            wanted = self.chosen()
        except Misused as problem:
            self.conquest.complain(problem)
            return
        if isinstance(wanted, PlayHere):
            for key in REMEMBERED:
                self.conquest.store.keep_setting(f"last-{key}", getattr(wanted, key))
        self.conquest.begin(wanted)

    def chosen(self) -> PlayHere | PlayTwo | Host | HostAt:
        """Complete what is wanted by what is chosen; raise `Misused`."""
        game, terms = self._value("game"), self._terms()
        if isinstance(self._wanted, PlayHere):
            return replace(self._wanted, game=game, terms=terms, bot=self._value("bot"))
        return replace(self._wanted, game=game, terms=terms)

    def _terms(self) -> Terms:
        clock = self.query_one("#clock", Input).value.strip()
        first: First = self._value("first")  # type: ignore[assignment]
        flags = {flag: bool(self._value(flag)) for flag in FLAGS if self.query(f"#{flag}")}
        clock_s = _whole(clock) if clock else None
        return replace(self._wanted.terms, options=self._options(), first=first, clock_s=clock_s, **flags)

    def _options(self) -> Mapping[str, str]:
        asked = self.query("#options Segments").results(Segments)
        return {(one.id or "").removeprefix("option-"): one.value for one in asked}

    def _value(self, id: str) -> str:
        return self.query_one(f"#{id}", Segments).value

    def _remembered(self, key: str, usual: str) -> str:
        kept = self.conquest.store.setting(f"last-{key}") if isinstance(self._wanted, PlayHere) else None
        return kept if isinstance(kept, str) and kept in (*TITLES, *LEVELS) else usual


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError as no:
        raise Misused(f"The clock takes a whole number of seconds, not {text!r}.") from no
