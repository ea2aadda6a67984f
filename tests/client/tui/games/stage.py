"""A stage for one board: a bare application with the players' colours, and a game by the real rules.

The position plays moves; the stage shows the board what one seat may see of them and keeps what it chose.
"""

import random
from collections.abc import Iterable
from typing import Any

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.theme import Theme

from client.core.games.renderer import Move
from client.core.people import People
from client.tui.board import Board
from client.tui.canvas import Drawing, Spot
from client.tui.games import BOARDS
from client.tui.scene import Scene
from protocol.choice import Choice
from protocol.model import Owner, Seat
from server.games.chance import Drawn
from tests.server.games.position import Position

NAMES = ("Ann", "Bob")
PEOPLE = People(NAMES)
THEMES = {
    True: Theme(
        name="stage-dark", primary="#4aa3ff", dark=True, variables={"p1": "#5aaeff", "p2": "#ff9d42"}
    ),
    False: Theme(
        name="stage-light", primary="#0b62b8", dark=False, variables={"p1": "#0b5cad", "p2": "#a84a00"}
    ),
}


def position_of(game: str, *moves: str, seed: int = 1, **options: str) -> Position:
    """Play moves of a new game, each written as it would be said: "1 attack planet=7 ship=7"."""
    position = Position(game, Drawn(random.Random(seed).randrange), **options)
    for move in moves:
        seat, kind, *fields = move.split()
        numbers = {name: int(number) for name, number in (field.split("=") for field in fields)}
        position.play(1 if seat == "1" else 2, kind, **numbers)
    return position


def random_positions(game: str, count: int, seed: int = 1, **options: str) -> Iterable[Position]:
    """Go through the positions of games played at random, ends included, until there were enough."""
    luck = random.Random(seed)
    while count > 0:
        position = position_of(game, seed=luck.randrange(1000), **options)
        while count > 0:
            yield position
            count -= 1
            if position.outcome is not None:
                break
            seat = luck.choice(sorted(position.to_act))
            position.play(seat, **luck.choice(position.legal(seat)))


def legal_of(position: Position, seat: Owner) -> tuple[Choice, ...]:
    """List what a seat may do; nothing for a spectator."""
    return position.game.legal_moves(position.state, seat) if seat else ()


def scene_of(position: Position, seat: Owner = 1, **changed: Any) -> Scene:
    """Set the scene that a seat would see."""
    fields = {
        "view": position.view(seat or None),
        "legal": legal_of(position, seat),
        "seat": seat,
        "people": PEOPLE,
    }
    return Scene(**{**fields, **changed})


def inks_of(drawing: Drawing, text: str) -> set[str]:
    """Collect the inks of all runs that hold a text."""
    return {ink for line in drawing.lines for run, ink in line if text in run}


def shows(drawing: Drawing, text: str) -> bool:
    """Tell whether a text stands somewhere in a drawing."""
    return any(text in line for line in drawing.texts())


class Stage(App[None]):
    """The application around one board."""

    has_animations = False
    confirms_picks = True

    def __init__(
        self, position: Position, seat: Owner = 1, *, is_dark: bool = True, is_ascii: bool = False
    ) -> None:
        super().__init__()
        self.position, self.seat, self.is_ascii = position, seat, is_ascii
        self.chosen: list[Move] = []
        self.hints: list[str] = []
        self.board: Board = BOARDS[position.game.id](id="board")
        self._is_dark = is_dark

    def compose(self) -> ComposeResult:
        yield self.board

    def on_mount(self) -> None:
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = THEMES[self._is_dark].name
        self.board.focus()
        self.show()

    def show(self, position: Position | None = None, seat: Owner | None = None) -> None:
        """Show the board a position as a seat sees it."""
        self.position = position or self.position
        self.seat = self.seat if seat is None else seat
        view = self.position.view(self.seat or None)
        self.board.show(view, legal_of(self.position, self.seat), self.seat, PEOPLE)

    def play(self, seat: Seat, kind: str, **fields: int) -> None:
        """Make a move, and let the board see it."""
        self.board.told(self.position.play(seat, kind, **fields))
        self.show()

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self.chosen.append(message.move)

    def on_board_hint_changed(self, message: Board.HintChanged) -> None:
        self.hints.append(message.hint)

    def texts(self) -> str:
        """Read the board as it is drawn now."""
        drawing = self.board.drawn()
        assert drawing is not None
        return "\n".join(drawing.texts())

    def place_of(self, spot: Spot) -> tuple[int, int]:
        """Say where a spot is drawn."""
        drawing = self.board.drawn()
        assert drawing is not None
        region = drawing.spots[spot]
        return region.x + region.width // 2, region.y + region.height // 2

    async def click(self, pilot: Pilot[None], *spots: Spot) -> None:
        """Click on spots of the board, one after the other."""
        for spot in spots:
            await pilot.click("#board", offset=self.place_of(spot))

    async def strike(self, *keys: str) -> None:
        """Do what keys are bound to, without the pauses of a pilot between them."""
        for key in keys:
            active = self.screen.active_bindings[key]
            await self.run_action(active.binding.action, active.node)

    def path_to(self, spot: Spot) -> list[str]:
        """List the arrows that lead the cursor to a spot, and the key that chooses it."""
        rows = self.board.stops(self.board.scene)
        places = {each: (x, y) for y, row in enumerate(rows) for x, each in enumerate(row)}
        cursor = self.board.scene.cursor
        assert cursor is not None
        across, down = (to - at for at, to in zip(places[cursor], places[spot], strict=True))
        arrows = ["right" if across > 0 else "left"] * abs(across) + ["down" if down > 0 else "up"] * abs(
            down
        )
        return [*arrows, "enter"]
