"""Pictures of the full-screen client, drawn by the program itself.

`python -m tools.screenshot` draws those of the README into docs/screenshots. With a FOLDER, it draws
every page into that, at 80x24, 120x40 and 200x60, in dark and in light colours, to be looked at.
Matches are played against a real server on loopback. The pictures name only fonts that a machine has, and
fetch nothing.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from textual.pilot import Pilot

from client.core.state import MatchState
from client.net.history import History
from client.net.store import Store
from client.tui.app import ConquestApp
from client.tui.games.pick import Fan, PickDialog
from client.tui.replay import ReplayPage
from client.tui.table import Rows
from client.tui.waiting import WaitingPage
from protocol.client_frame import Chat
from protocol.games import TITLES
from tests.client.tui.application import (
    LARGE,
    SMALL,
    Opponent,
    at_board,
    new_app,
    page,
    result_shown,
    running,
    until,
)
from tests.client.tui.test_replay import random_match

FOLDER = Path("docs/screenshots")
FONTS = "DejaVu Sans Mono, Menlo, Consolas, monospace"
Move = dict[str, int | str]

KEYS: dict[str, Sequence[Sequence[str]]] = {
    "galaxy": ("44", "62", "7"),
    "conquer": ("4", "2"),
    "grid": ("5", "9", "2", ("3", "enter")),
    "digit": ("1", "1", "1"),
    "duel": ("1", "2", "3"),
}
"""What Ann types at each of her turns; the last one may be half a move."""
ANSWERS: dict[str, Sequence[Move]] = {
    "galaxy": ({"kind": "attack", "planet": 5, "ship": 5}, {"kind": "attack", "planet": 7, "ship": 3}),
    "conquer": ({"kind": "claim", "territory": 5}, {"kind": "claim", "territory": 6}),
    "grid": (
        {"kind": "claim", "cell": 1},
        {"kind": "claim", "cell": 2},
        {"kind": "pick", "number": 1},
        {"kind": "claim", "cell": 7},
    ),
    "digit": ({"kind": "add"}, {"kind": "add"}, {"kind": "add"}),
    "duel": ({"kind": "attack"}, {"kind": "heal"}, {"kind": "defend"}),
}
"""What Bob answers, in order."""


class Look(NamedTuple):
    """A size of the window, and its colours."""

    size: tuple[int, int]
    is_light: bool = False

    @property
    def colours(self) -> str:
        return "light" if self.is_light else "dark"


LOOKS = [Look(size, is_light) for size in (SMALL, LARGE, (200, 60)) for is_light in (False, True)]
PAGES = {
    "start": "",
    "setup": "1",
    "setup-for-a-friend": "6",
    "join-nothing": "7",
    "watch-nothing": "8",
    "matches-none": "m",
    "history": "b",
    "replay": ("b", "enter", "right", "right"),
    "rules": "r",
    "settings": "s",
    "keys": ("b", "question_mark"),
    "leaving": ("escape",),
}
"""The pages that keys lead to from the first one."""
OF_README = ("start", "setup", "rules", "settings")


def main(arguments: Sequence[str] = ()) -> int:
    """Draw everything."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["CONQUEST_LAN"] = "127.0.0.1"
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(_draw_every(folder, Path(home)) if arguments else _draw_readme(folder, Path(home)))
    print(f"{len(list(folder.glob('*.svg')))} pictures in {folder}")
    return 0


async def _draw_readme(folder: Path, home: Path) -> None:
    small, large = Look(SMALL), Look(LARGE, is_light=True)
    for name in OF_README:
        await _draw_page(folder / f"{name}.svg", home, small, PAGES[name])
    await _draw_waiting(folder / "waiting.svg", home, small)
    await _draw_join(folder / "join.svg", home, small)
    for game in TITLES:
        for look in (small, large):
            extras = {"pick": folder / "pick.svg", "result": folder / "result.svg"} if look is small else {}
            await _draw_game(folder / f"{game}-{look.colours}.svg", home, game, look, extras)


async def _draw_every(folder: Path, home: Path) -> None:
    history = History(Store(home))
    for game in TITLES:
        history.keep(random_match(game))
    for look in LOOKS:
        suffix = f"-{look.size[0]}x{look.size[1]}-{look.colours}.svg"
        for name, keys in PAGES.items():
            await _draw_page(folder / f"{name}{suffix}", home, look, keys)
        await _draw_review(folder / f"review{suffix}", home, look)
        await _draw_waiting(folder / f"waiting{suffix}", home, look)
        await _draw_join(folder / f"join{suffix}", home, look)
        for game in TITLES:
            extras = {name: folder / f"{name}{suffix}" for name in ("pick", "result")}
            await _draw_game(folder / f"match-{game}{suffix}", home, game, look, extras)


async def _draw_page(path: Path, home: Path, look: Look, keys: Sequence[str]) -> None:
    app = new_app(home, light=look.is_light)
    async with app.run_test(size=look.size) as pilot:
        for key in keys:
            await pilot.press(key)
            await app.workers.wait_for_complete() if key == "b" else await pilot.pause()
        await _save(pilot, app, path)


async def _draw_review(path: Path, home: Path, look: Look) -> None:
    app = new_app(home, light=look.is_light)
    async with app.run_test(size=look.size) as pilot:
        app.show_again(random_match("galaxy"), is_review=True)
        shown = await until(pilot, lambda: page(app, ReplayPage))
        await until(pilot, lambda: not shown.is_working)
        await pilot.press("n", "b")
        await _save(pilot, app, path)


async def _draw_waiting(path: Path, home: Path, look: Look) -> None:
    words = ("host", "galaxy", "--bind", "127.0.0.1", "--port", "0", "--private")
    app = new_app(home, *words, light=look.is_light)
    async with app.run_test(size=look.size) as pilot:
        await until(pilot, lambda: page(app, WaitingPage))
        await _save(pilot, app, path)


async def _draw_join(path: Path, home: Path, look: Look) -> None:
    async with (
        running() as server,
        Opponent(server, home / "bob") as bob,
        Opponent(server, home, "Eve") as eve,
    ):
        await bob.open("duel")
        await eve.open("grid", options={"size": "4"}, clock_s=60)
        app = new_app(home, "join", f"127.0.0.1:{server.port}", light=look.is_light)
        async with app.run_test(size=look.size) as pilot:
            await until(pilot, lambda: len(app.screen.query_one(Rows).options) == 2)
            await _save(pilot, app, path)


async def _draw_game(path: Path, home: Path, game: str, look: Look, extras: Mapping[str, Path]) -> None:
    """Draw a match, and what lies over it: the choice of a secret number, and the result."""
    async with running() as server, Opponent(server, home / "bob") as bob:
        answers = iter(ANSWERS.get(game, ()))
        bob.plan = lambda match: _answer(match, answers)
        code = await bob.open(game)
        app = new_app(home / "ann", "join", f"127.0.0.1:{server.port}", code, light=look.is_light)
        async with app.run_test(size=look.size) as pilot:
            await at_board(pilot)
            bob.session.send(Chat, match=code, text="Good luck!")
            for keys in KEYS.get(game, ()):
                await until(pilot, lambda: _match(app).legal)
                if isinstance(app.screen, PickDialog):
                    await until(pilot, lambda: app.screen.query_one(Fan).is_ready)
                    if "pick" in extras:
                        await _save(pilot, app, extras["pick"])
                await pilot.press(*keys)
                await pilot.pause()
            await until(pilot, lambda: _match(app).legal)
            await _save(pilot, app, path)
            if game == "conquer" and "result" in extras:
                await pilot.press("f2", *"/resign", "enter", "y")
                await until(pilot, lambda: result_shown(app))
                await _save(pilot, app, extras["result"])


def _answer(match: MatchState, answers: Iterator[Move]) -> Move | None:
    return next(answers, None)


def _match(app: ConquestApp) -> Any:
    return app.match


async def _save(pilot: Pilot[Any], app: ConquestApp, path: Path) -> None:
    await pilot.pause()
    await pilot.pause()
    _write(path, app.export_screenshot())


def _write(path: Path, picture: str) -> None:
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.DOTALL)
    for before in ("Fira Code, monospace", "arial"):
        picture = picture.replace(f"font-family: {before}", f"font-family: {FONTS}")
    path.write_text(picture)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
