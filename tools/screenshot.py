"""Pictures of the full-screen client, drawn by the program itself into docs/screenshots.

`python -m tools.screenshot [FOLDER]` plays a few moves of each game against a real server on loopback and
writes each game at 80x24 in dark and at 120x40 in light colours, every main page, and what lies over them.
The pictures name only fonts that a machine has, and fetch nothing.
"""

import asyncio
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from client.core.state import MatchState
from client.tui.app import ConquestApp
from client.tui.games.pick import Fan, PickDialog
from client.tui.result import Result
from client.tui.table import Rows
from client.tui.waiting import WaitingPage
from protocol.client_frame import Chat
from protocol.games import TITLES
from tests.client.tui.application import LARGE, SMALL, Opponent, at_board, new_app, page, running, until

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


def main(arguments: Sequence[str] = ()) -> int:
    """Draw everything."""
    folder = Path(arguments[0]) if arguments else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(_draw_all(folder))
    print(f"{len(list(folder.glob('*.svg')))} pictures in {folder}")
    return 0


async def _draw_all(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as home:
        os.environ["CONQUEST_LAN"] = "127.0.0.1"
        for name, keys in {"start": "", "setup": "1", "settings": "s", "rules": "r"}.items():
            await _draw_page(folder, Path(home), name, keys)
        await _draw_waiting(folder, Path(home))
        await _draw_join(folder, Path(home))
        for game in TITLES:
            await _draw_game(folder, Path(home), game, SMALL, is_light=False)
            await _draw_game(folder, Path(home), game, LARGE, is_light=True)


async def _draw_page(folder: Path, home: Path, name: str, keys: str) -> None:
    app = new_app(home, light=False)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press(*keys)
        await _save(pilot, app, folder / f"{name}.svg")


async def _draw_waiting(folder: Path, home: Path) -> None:
    words = ("host", "galaxy", "--bind", "127.0.0.1", "--port", "0", "--private")
    app = new_app(home, *words, light=False)
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: page(app, WaitingPage))
        await _save(pilot, app, folder / "waiting.svg")


async def _draw_join(folder: Path, home: Path) -> None:
    async with (
        running() as server,
        Opponent(server, home / "bob") as bob,
        Opponent(server, home, "Eve") as eve,
    ):
        await bob.open("duel")
        await eve.open("grid", options={"size": "4"}, clock_s=60)
        app = new_app(home, "join", f"127.0.0.1:{server.port}", light=False)
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: len(app.screen.query_one(Rows).options) == 2)
            await _save(pilot, app, folder / "join.svg")


async def _draw_game(folder: Path, home: Path, game: str, size: tuple[int, int], is_light: bool) -> None:
    async with running() as server, Opponent(server, home / "bob") as bob:
        answers = iter(ANSWERS.get(game, ()))
        bob.plan = lambda match: _answer(match, answers)
        code = await bob.open(game)
        app = new_app(home / "ann", "join", f"127.0.0.1:{server.port}", code, light=is_light)
        async with app.run_test(size=size) as pilot:
            await at_board(pilot)
            bob.session.send(Chat, match=code, text="Good luck!")
            for keys in KEYS.get(game, ()):
                await until(pilot, lambda: _match(app).legal)
                if isinstance(app.screen, PickDialog):
                    await until(pilot, lambda: app.screen.query_one(Fan).is_ready)
                    if not is_light:
                        await _save(pilot, app, folder / "pick.svg")
                await pilot.press(*keys)
                await pilot.pause()
            await until(pilot, lambda: _match(app).legal)
            await _save(pilot, app, folder / f"{game}-{'light' if is_light else 'dark'}.svg")
            if game == "conquer" and not is_light:
                await pilot.press("f2", *"/resign", "enter", "y")
                await until(pilot, lambda: isinstance(app.screen, Result))
                await _save(pilot, app, folder / "result.svg")


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
