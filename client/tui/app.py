"""The full-screen application: which page is shown, what the player has chosen, and one errand at a time.

An errand is what a command of the command line does, carried out by the same code as in line mode; only
who takes the seat differs. Everything that is not needed for the first page is imported later.
"""

import asyncio
import signal
import time
from argparse import Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import FrameType
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import WorkerFailed

from client.command import argument
from client.command.player import checked_name, login_name
from client.core.catalogue import GO_BACK
from client.core.failure import CouldNot
from client.local.fault import log_to_file
from client.net.store import Store
from client.tui.page import Page
from client.tui.plain import Plain
from client.tui.start import StartPage
from client.tui.theme import DARK, LIGHT, THEMES
from protocol.process.home import home
from protocol.process.supervision import alongside, in_thread, stop
from protocol.process.usage import Misused
from protocol.text import defused

if TYPE_CHECKING:
    from client.command.person import Person
    from client.core.state import MatchState
    from client.tui.play import ScreenPlayer

QUIT_QUESTION = "Leave Conquest?"


@dataclass(frozen=True, slots=True)
class Settings:
    """What the player has chosen for good."""

    light: bool = False
    animations: bool = True
    ascii: bool = False


class ConquestApp(App[None]):
    """Conquest in full screen."""

    TITLE = "Conquest"
    CSS_PATH = "style.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "rules", "Rules", key_display="F1", priority=True),
        Binding("ctrl+q,ctrl+c", "leave", "Leave", key_display="^Q", priority=True),
    ]

    def __init__(self, given: Namespace, store: Store, player: str, is_new: bool = False) -> None:
        super().__init__()
        self.player = player
        self.store = store
        store.complain = self.tell
        self.settings = _kept_settings(store)
        self.failure: CouldNot | Misused | None = None
        """Why the command that the program was started with could not be carried out."""
        self.farewell = ""
        """What to say when the screen is gone."""
        self.said: list[str] = []
        """What was said since the errand began."""
        self._given = given
        self._is_new = is_new
        self._work: asyncio.Task[object] | None = None
        self._base = 0
        self.playing: ScreenPlayer | None = None
        """The player, while there is a seat to play or watch from."""
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self._apply_settings()

    @property
    def is_ascii(self) -> bool:
        """Whether only plain ASCII characters may be drawn."""
        return bool(self._given.ascii) or self.settings.ascii

    @property
    def has_animations(self) -> bool:
        """Whether boards may move by themselves."""
        return self.settings.animations and self.animation_level != "none"

    @property
    def match(self) -> "MatchState | None":
        """The match that is played or watched."""
        return self.playing.seat.match if self.playing is not None else None

    @property
    def is_direct(self) -> bool:
        """Whether the program was started for one thing, and ends with it."""
        return self._given.command is not None

    @property
    def shows_qr(self) -> bool:
        """Whether the link is to be shown as a QR code at once."""
        return bool(getattr(self._given, "qr", False))

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Let nothing but ASCII through to a terminal that knows nothing else."""
        filters = super().get_line_filters()
        return [*filters, Plain()] if self.is_ascii else filters

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Define the players' colours for every theme."""
        return DARK.variables

    def on_mount(self) -> None:
        """Go where the command line says."""
        if self.is_direct:
            self._route(self._given)
        else:
            self.call_after_refresh(self._after_first_paint)

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
        elif choice == "settings":
            from client.tui.settings import SettingsPage

            self.push_screen(SettingsPage())
        elif choice in ("play", "host"):
            from client.tui.setup import SetupPage

            self.push_screen(SetupPage(choice))
        else:
            from client.tui.join import JoinPage

            self.push_screen(JoinPage(choice))

    def action_rules(self) -> None:
        """Open the rules at the game that is played, or at the first one; close them if they are open."""
        from client.tui.rules import RulesPage

        games = [page.GAME for page in self.screen_stack if isinstance(page, Page) and page.GAME]
        if isinstance(self.screen, RulesPage):
            self.screen.action_back()
        else:
            self.push_screen(RulesPage(games[-1] if games else None))

    def command(self, words: Sequence[str]) -> None:
        """Do what a line of the command line says."""
        try:
            self._route(argument.parse(words))
        except (CouldNot, Misused) as problem:
            self._complain(problem)

    def go_back(self) -> None:
        """Leave a page that is not the first one."""
        if self.is_direct and len(self.screen_stack) == 2:
            self.exit()
        else:
            self.pop_screen()

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

    def rename(self, name: str) -> None:
        """Play under another name from now on."""
        self.player = name
        self.store.keep_name(name)

    def choose_setting(self, key: str, value: bool) -> None:
        """Take over what the player has chosen, for now and for later."""
        self.settings = replace(self.settings, **{key: value})
        self.store.keep_setting(key, value)
        self._apply_settings()

    def person(self) -> "Person":
        """Return the player, as those know them who bring people to matches."""
        from client.command.person import Person
        from client.tui.play import FullScreen

        face = FullScreen(self)
        return Person(face, self.store, self.player, face.take_seat)

    def give_up(self) -> None:
        """Stop an errand that has not come to a match yet."""
        if self._work is not None:
            self._work.cancel()

    def dismissed(self) -> None:
        """End because the system wants it, politely and without asking."""
        if self.playing is None:
            self.exit()
        else:
            self._given.command = self._given.command or "quit"
            self.playing.leave_unasked()

    async def show_page(self, page: Page) -> None:
        """Show the page that the errand has come to, instead of the one before it."""
        await self._unwind()
        await self.push_screen(page)

    def _route(self, given: Namespace) -> None:
        """Begin an errand, after a page of questions where the command leaves something open."""
        if given.command == "host" and not given.game and given.resume is None:
            self.enter("host")
            self._offer_way_back()
        elif given.command == "join" and given.resume is None and not given.where:
            self.enter("join")
            self._offer_way_back()
        elif given.command == "join" and given.resume is None and not given.code:
            self._join(given)
        else:
            self._begin(given)

    def _offer_way_back(self) -> None:
        if left := self.store.way_back(time.time()):
            self.confirm(f"{GO_BACK}?", partial(self.command, ["join", "--resume", left[1].match]))

    def _join(self, given: Namespace) -> None:
        from client.command.join import parse_place
        from client.tui.join import JoinPage

        place = parse_place(given.where)
        if place.code is None:
            self.push_screen(JoinPage("join", place))
        else:
            self._begin(given)

    def _begin(self, given: Namespace) -> None:
        if self._work is None:
            self.said = []
            self.farewell = ""
            self.clear_notifications()
            self.run_worker(self._carry_out(given))

    async def _carry_out(self, given: Namespace) -> None:
        from client.tui.waiting import OnTheWay

        self._base = len(self.screen_stack)
        problem: CouldNot | Misused | None = None
        await self.push_screen(OnTheWay())
        try:
            async with alongside(self._errand(given), "errand") as self._work:
                await asyncio.wait([self._work])
        except (CouldNot, Misused) as no:
            problem = no
        finally:
            self._work = self.playing = None
        await self._come_back(problem)

    async def on_unmount(self) -> None:
        """Leave nothing behind: servers and connections are closed in order before the screen goes."""
        if self._work is not None:
            await stop(self._work)

    def _handle_exception(self, error: Exception) -> None:
        """End by a fault of ours; whoever started the screen tells of it, without a trace on the terminal."""
        super()._handle_exception(error)
        self._exit_renderables.clear()

    @property
    def fault(self) -> BaseException | None:
        """What has ended the screen and was not foreseen."""
        return self._exception.error if isinstance(self._exception, WorkerFailed) else self._exception

    async def _errand(self, given: Namespace) -> None:
        from client.command.menu import carry_out

        await carry_out(self.person(), given)

    async def _come_back(self, problem: CouldNot | Misused | None) -> None:
        if self.is_direct:
            self.failure = problem
            self.exit()
            return
        if problem is None:
            self._base = 1
        await self._unwind()
        if problem is not None:
            self._complain(problem)
        elif self.farewell:
            self.tell(self.farewell)

    def _complain(self, problem: CouldNot | Misused) -> None:
        from client.tui.dialog import Sentence

        self.push_screen(Sentence(str(problem)))

    async def _unwind(self) -> None:
        while len(self.screen_stack) > self._base:
            await self.pop_screen()

    def _apply_settings(self) -> None:
        self.theme = THEMES["light" if self.settings.light else "dark"].name
        if self.is_running:
            # What is drawn already was drawn with the characters of before.
            for page in self.screen_stack:
                for widget in page.walk_children():
                    widget.refresh(layout=True)


def _kept_settings(store: Store) -> Settings:
    return Settings(
        light=store.setting("light") is True,
        animations=store.setting("animations") is not False,
        ascii=store.setting("ascii") is True,
    )


def _import_the_rest() -> None:
    """Spare the player the wait when a match begins."""
    import client.command.menu
    import client.tui.play  # noqa: F401


def run(given: Namespace) -> int:
    """Run in full screen; return the exit code, or raise what could not be done."""
    log_to_file()
    store = Store(home())
    app = ConquestApp(given, store, *_player(store, given.name))
    asyncio.run(_run(app))
    if problem := app.fault or app.failure:
        raise problem
    if app.farewell:
        print(app.farewell)
    return app.return_code or 0


def _player(store: Store, given: str | None) -> tuple[str, bool]:
    """Find out the name to play under, and whether it should be asked for."""
    if given is not None:
        return checked_name(given), False
    known = store.name()
    return known or login_name(), known is None


async def _run(app: ConquestApp) -> None:
    loop = asyncio.get_running_loop()

    def dismissed(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(app.call_later, app.dismissed)

    before = signal.signal(signal.SIGTERM, dismissed)
    try:
        await app.run_async()
    finally:
        signal.signal(signal.SIGTERM, before)
