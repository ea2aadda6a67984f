"""A real server on loopback, an opponent who plays what a test says, and the application on a pretend screen.

What is unrealistic: everything runs in one process, and the terminal is Textual's headless one.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from client.command import argument
from client.command.read import read
from client.core.news import MatchOpened
from client.core.state import MatchState
from client.net.connection import Target, dial
from client.net.session import Heard, Session
from client.net.store import Store
from client.tui.app import ConquestApp
from client.tui.canvas import Spot
from client.tui.match import MatchPage
from client.tui.result import Result
from client.tui.sketch import Sketch
from protocol.choice import spelled_out
from protocol.client_frame import Create, Join, Play
from server.config import Config
from server.io import shell

SMALL, LARGE = (80, 24), (120, 40)


@contextlib.asynccontextmanager
async def running(**settings: Any) -> AsyncIterator[shell.Server]:
    """Run a server for as long as the block lasts."""
    server = await shell.start(Config(bind="127.0.0.1", port=settings.pop("port", 0), tls=False, **settings))
    try:
        yield server
    finally:
        await server.stop()


class Opponent:
    """The player opposite: makes the moves that its plan chooses, through a session of its own."""

    def __init__(self, server: shell.Server, home: Path, name: str = "Bob") -> None:
        self.plan: Callable[[MatchState], dict[str, Any] | None] = first_legal
        self.news: list[Any] = []
        self._inbox: asyncio.Queue[Heard] = asyncio.Queue()
        target = Target("127.0.0.1", server.port, is_plain=True)
        self.session = Session(target, name, self._inbox.put_nowait, partial(dial, Store(home)))
        self._opened: asyncio.Queue[str] = asyncio.Queue()
        self._answered: tuple[str, int] | None = None

    async def __aenter__(self) -> "Opponent":
        await self.session.__aenter__()
        self._task = asyncio.create_task(self._play())
        return self

    async def __aexit__(self, *raised: Any) -> None:
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
        await self.session.__aexit__(None, None, None)

    async def open(self, game: str, **fields: Any) -> str:
        """Open a match in which the opponent is Player 2; return its code."""
        self.session.send(Create, game=game, **({"first": "guest"} | fields))
        return await asyncio.wait_for(self._opened.get(), 10)

    def join(self, code: str) -> None:
        """Sit down at a match."""
        self.session.send(Join, match=code)

    @property
    def match(self) -> MatchState:
        """The match as the opponent knows it."""
        return list(self.session.state.matches.values())[-1]

    async def _play(self) -> None:
        while True:
            heard = await self._inbox.get()
            self.news.append(heard.news)
            if isinstance(heard.news, MatchOpened):
                self._opened.put_nowait(heard.news.match)
            for match in heard.state.matches.values():
                if match.legal and self._answered != (match.code, match.turn):
                    move = self.plan(match)
                    if move is not None:
                        self._answered = (match.code, match.turn)
                        self.session.send(Play, match=match.code, turn=match.turn, move=move)


@contextlib.asynccontextmanager
async def match_of_others(home: Path, game: str) -> AsyncIterator[tuple[str, str, Opponent, Opponent]]:
    """Seat Eve and Bob at a match, where they do as they are told; name its server and code."""
    async with (
        running() as server,
        Opponent(server, home / "bob") as bob,
        Opponent(server, home / "eve", "Eve") as eve,
    ):
        bob.plan = eve.plan = lambda match: None
        code = await bob.open(game)
        eve.join(code)
        yield f"127.0.0.1:{server.port}", code, eve, bob


def first_legal(match: MatchState) -> dict[str, Any]:
    """Choose the first move there is."""
    return next(iter(spelled_out(match.legal)))


def new_app(home: Path, *words: str, **settings: bool) -> ConquestApp:
    """Start the application with a command line, as Ann, without animations."""
    store = Store(home)
    for key, value in ({"animations": False} | settings).items():
        store.keep_setting(key, value)
    given = argument.parse(words)
    return ConquestApp(read(given), store, "Ann", is_ascii=given.ascii)


async def until(pilot: Pilot[Any], condition: Callable[[], Any]) -> Any:
    """Let the application and its server work until something holds; the test's time limit is the limit."""
    while not (found := condition()):
        await pilot.pause()
        await asyncio.sleep(0.001)
    return found


def page(app: ConquestApp, kind: type[Any]) -> Any:
    """Find a page that is shown, above or below others; None when there is none of that kind."""
    found = [screen for screen in app.screen_stack if isinstance(screen, kind) and screen.is_mounted]
    return found[-1] if found else None


def result_shown(app: ConquestApp) -> Result | None:
    """Find the result of a match that is over, once it is shown."""
    shown = page(app, MatchPage)
    return shown.query_one(Result) if shown is not None and shown.has_class("-over") else None


async def at_board(pilot: Pilot[Any]) -> MatchPage:
    """Wait for the first position of a match."""
    app = pilot.app
    assert isinstance(app, ConquestApp)
    await until(pilot, lambda: (shown := page(app, MatchPage)) and shown.board.hint)
    found: MatchPage = page(app, MatchPage)
    return found


def middle_of(board: Sketch, spot: Spot) -> tuple[int, int]:
    """Say where to click for a spot of a board, or of the cards in a dialog."""
    drawing = board.drawn()
    assert drawing is not None
    region = drawing.spots[spot]
    return region.x + region.width // 2, region.y + region.height // 2


def text_of(app: ConquestApp) -> str:
    """Read the screen as a person would."""
    lines = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in lines)
