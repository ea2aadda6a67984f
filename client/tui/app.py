"""The full-screen application: which page is shown, what the player has chosen, and what is said in passing.

Everything that is not needed for the first page is imported later.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import WorkerFailed

from client.core.catalogue import GO_BACK
from client.core.failure import CouldNot
from client.flow.name import GUEST, OTHER_NAME_QUESTION
from client.net.store import Store
from client.net.visit import visiting
from client.tui import call
from client.tui.errand import Errand
from client.tui.page import Page
from client.tui.plain import HARMLESS, PLAIN
from client.tui.preference import kept_preferences
from client.tui.start import StartPage
from client.tui.theme import DARK, LIGHT, THEMES
from protocol.process.supervision import in_thread
from protocol.process.usage import Misused
from protocol.text import defused

if TYPE_CHECKING:
    from client.core.record import Record
    from client.core.state import MatchState
    from client.flow.person import Person
    from client.flow.wanted import PlayTwo, Wanted
    from client.tui.play import ScreenPlayer

QUIT_QUESTION = "Leave Conquest?"
SAID_MOST = 100
"""How many lines are kept for a page that repeats what was said."""


class ConquestApp(App[None]):
    """Conquest in full screen."""

    TITLE = "Conquest"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "rules", "Rules", key_display="F1", priority=True),
        Binding("ctrl+q,ctrl+c", "leave", "Leave", key_display="^Q", priority=True),
    ]

    def __init__(
        self,
        wanted: "Wanted | None",
        store: Store,
        player: str,
        is_new: bool = False,
        is_ascii: bool = False,
    ) -> None:
        super().__init__()
        self.player = player
        self.visit = visiting()
        """Who comes here by ssh, if somebody does."""
        self.store = store
        store.complain = self.tell
        self.preferences = kept_preferences(store)
        self.failure: CouldNot | Misused | None = None
        """Why the command that the program was started with could not be carried out."""
        self.farewell = ""
        """What to say when the screen is gone."""
        self.said: deque[str] = deque(maxlen=SAID_MOST)
        """What was said last since the errand began."""
        self.is_direct = wanted is not None
        """Whether the program was started for one thing, and ends with it."""
        self.shows_qr = False
        """Whether the link is to be shown as a QR code at once."""
        self._wanted = wanted
        self._is_new = is_new
        self._is_ascii = is_ascii
        self.errand = Errand(self)
        self.playing: ScreenPlayer | None = None
        """The player, while there is a seat to play or watch from."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self._apply_settings()

    @property
    def is_ascii(self) -> bool:
        """Whether only plain ASCII characters may be drawn."""
        return self._is_ascii or self.preferences.ascii

    @property
    def has_animations(self) -> bool:
        """Whether boards may move by themselves."""
        return self.preferences.animations and self.animation_level != "none"

    @property
    def confirms_picks(self) -> bool:
        """Whether a secret number that was chosen is to be confirmed."""
        return self.preferences.confirm

    @property
    def match(self) -> "MatchState | None":
        """The match that is played or watched."""
        return self.playing.seat.match if self.playing is not None else None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Let nothing through that could steer a terminal, and only ASCII to one that knows nothing else."""
        return [*super().get_line_filters(), HARMLESS, *([PLAIN] if self.is_ascii else ())]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Define the players' colours for every theme."""
        return DARK.variables

    def on_mount(self) -> None:
        """Go where the command line says."""
        if self._wanted is None:
            self.call_after_refresh(self._after_first_paint)
            return
        from client.tui.route import may_be_left

        self.begin(self._wanted)
        if may_be_left(self._wanted):
            self._offer_way_back()

    def get_default_screen(self) -> Screen[Any]:
        """Begin with the menu, or with nothing where the command line says what to do."""
        return Screen(id="_default") if self.is_direct else StartPage()

    def _after_first_paint(self) -> None:
        self.run_worker(in_thread(_import_the_rest, "importing"))
        if self._is_new:
            from client.tui.dialog import AskName

            self.push_screen(AskName(self.player), self._named)

    def _named(self, name: str | None) -> None:
        self.rename(name or self.player)
        for page in self.screen_stack:
            if isinstance(page, StartPage):
                page.greet()

    def enter(self, choice: str) -> None:
        """Go where the menu says."""
        if choice == "quit":
            self.ask_to_quit()
        elif choice == "rules":
            self.action_rules()
        else:
            from client.tui.route import page_of

            self.push_screen(page_of(choice, self.visit))

    def begin(self, wanted: "Wanted") -> None:
        """Begin with what is wanted, or with the page that asks what is open in it."""
        from client.flow.visit import locked
        from client.flow.wanted import PlayTwo
        from client.tui.route import page_asking, shows_qr

        try:
            wanted = locked(self.visit, self.store, wanted) if self.visit else wanted
        except Misused as problem:
            self.complain(problem)
            return
        if page := page_asking(wanted):
            self.push_screen(page)
        elif isinstance(wanted, PlayTwo) and not wanted.other:
            self._ask_other(wanted)
        elif not self.errand.is_under_way:
            self.said.clear()
            self.farewell = ""
            self.shows_qr = shows_qr(wanted)
            self.clear_notifications()
            self.run_worker(self.errand.carry_out(wanted))

    def _ask_other(self, wanted: "PlayTwo") -> None:
        from client.tui.dialog import AskName

        def named(name: str | None) -> None:
            self.begin(replace(wanted, other=name or GUEST))

        self.push_screen(AskName(GUEST, f"{OTHER_NAME_QUESTION}:", "Enter begins."), named)

    def show_again(self, record: "Record", is_review: bool) -> None:
        """Open the page on which a finished match is looked at again."""
        from client.core.record import BadRecord
        from client.tui.replay import ReplayPage

        try:
            self.push_screen(ReplayPage(record, is_review))
        except BadRecord as no:
            self.complain(CouldNot(f"This match cannot be shown. {no}"))

    def action_rules(self) -> None:
        """Open the rules at the game that is played, or at the first one; close them if they are open."""
        from client.tui.rules import RulesPage

        games = [page.GAME for page in self.screen_stack if isinstance(page, Page) and page.GAME]
        if isinstance(self.screen, RulesPage):
            self.screen.action_back()
        else:
            self.push_screen(RulesPage(games[-1] if games else None))

    def go_back(self) -> None:
        """Leave a page that is not the first one."""
        if self.is_direct and len(self.screen_stack) == 2:
            self.exit()
        else:
            self.pop_screen()

    def action_press(self, key: str) -> None:
        """Take a letter for the arrow that it stands for."""
        self.simulate_key(key)

    async def action_leave(self) -> None:
        """Leave what is on top, in the way that it knows."""
        if hasattr(self.screen, "action_leave"):
            await self.screen.run_action("leave")
        else:
            await self.screen.run_action("dismiss")

    def ask_to_quit(self) -> None:
        """Ask, once, and end the program."""
        self.confirm(QUIT_QUESTION, self.exit)

    def confirm(self, question: str, confirmed: Callable[[], None]) -> None:
        """Do something after a yes."""
        from client.tui.dialog import Confirm

        def answered(is_yes: bool | None) -> None:
            if is_yes:
                confirmed()

        if not isinstance(self.screen, Confirm):
            self.push_screen(Confirm(question), answered)

    def tell(self, text: str) -> None:
        """Say something in passing."""
        self.notify(text, markup=False)

    def say(self, *said: str) -> None:
        """Show lines on the page that has a place for them."""
        lines = [defused(line) for line in said if line]
        self.said += lines
        for page in reversed(self.screen_stack):
            if isinstance(page, Page) and page.can_say():
                page.say(lines)
                return

    def entitle(self, title: str) -> None:
        """Give the terminal a title, if it takes one."""
        if call.has_title(os.environ):
            self._write(call.titled(title))

    def call(self, text: str) -> None:
        """Call the player, by the bell and, where the terminal does not have the focus, on the desktop."""
        if self.preferences.call:
            self.bell()
            self._write("" if self.app_focus else call.notification(text, os.environ))

    def _write(self, escapes: str) -> None:
        if self._driver is not None and escapes:
            self._driver.write(escapes)

    def rename(self, name: str) -> None:
        """Play under another name from now on."""
        self.player = name
        self.store.keep_name(name)

    def choose_setting(self, key: str, value: bool) -> None:
        """Take over what the player has chosen, for now and for later."""
        self.preferences = replace(self.preferences, **{key: value})
        self.store.keep_setting(key, value)
        self._apply_settings()

    def person(self) -> "Person":
        """Return the player, as those know them who bring people to matches."""
        from client.flow.person import Person
        from client.tui.play import FullScreen

        face = FullScreen(self)
        return Person(face, self.store, self.player, face.take_seat)

    def dismissed(self) -> None:
        """End because the system wants it, politely and without asking."""
        if self.playing is None:
            self.exit()
        else:
            self.is_direct = True
            self.playing.leave_unasked()

    def _offer_way_back(self) -> None:
        from client.flow.wanted import GoBack

        if left := self.store.way_back(time.time()):
            self.confirm(f"{GO_BACK}?", partial(self.begin, GoBack(left[1].match)))

    async def errand_over(self, problem: CouldNot | Misused | None) -> None:
        """Go on when an errand is over: end with it, or come back from it."""
        if self.is_direct:
            self.failure = problem
            self.exit()
            return
        await self.errand.take_pages_away()
        if problem is not None:
            self.complain(problem)
        elif self.farewell:
            self.tell(self.farewell)

    async def on_unmount(self) -> None:
        """Leave nothing behind."""
        await self.errand.stop()

    def _handle_exception(self, error: Exception) -> None:
        """End by a fault of ours; what started the screen tells of it, without a trace on the terminal."""
        super()._handle_exception(error)
        self._exit_renderables.clear()

    @property
    def fault(self) -> BaseException | None:
        """What has ended the screen and was not foreseen."""
        return self._exception.error if isinstance(self._exception, WorkerFailed) else self._exception

    def complain(self, problem: CouldNot | Misused) -> None:
        """Say what could not be done."""
        from client.tui.dialog import Sentence

        self.push_screen(Sentence(str(problem)))

    def _apply_settings(self) -> None:
        self.theme = THEMES["light" if self.preferences.light else "dark"].name
        if self.is_running:
            # What is drawn already was drawn with the characters of before.
            for page in self.screen_stack:
                for widget in page.walk_children():
                    widget.refresh(layout=True)


def _import_the_rest() -> None:
    """Spare the player the wait when a match begins."""
    import client.flow.play
    import client.tui.play
    import client.tui.route  # noqa: F401
