"""A stage for one board: a bare application with the players' colours, and a table with the real rules.

The table plays moves; the stage shows the board what one seat may see of them and keeps what it chose.
"""

import random
from collections.abc import Iterable
from typing import Any

from textual.app import App, ComposeResult
from textual.theme import Theme

from client.games.renderer import Move
from client.tui.board import Board, Scene
from client.tui.games import BOARDS
from protocol.model import SEATS, Owner, Seat
from server.games.chance import Drawn
from tests.games.table import Table

NAMES = ("Ann", "Bob")
SEATED: tuple[Owner, ...] = (1, 2, 0)
THEMES = {
    is_dark: Theme(
        name="stage-dark" if is_dark else "stage-light",
        primary="#4aa3ff" if is_dark else "#0b62b8",
        dark=is_dark,
        variables={"p1": "#5aaeff", "p2": "#ff9d42"} if is_dark else {"p1": "#0b5cad", "p2": "#a84a00"},
    )
    for is_dark in (True, False)
}


def table_of(game: str, *moves: tuple[Seat, str, dict[str, int]], seed: int = 1, **options: str) -> Table:
    """Play the moves given on a new table."""
    table = Table(game, Drawn(random.Random(seed).randrange), **options)
    for seat, kind, fields in moves:
        table.play(seat, kind, **fields)
    return table


def scene_of(table: Table, seat: Owner = 1, **changed: Any) -> Scene:
    """Set the scene that a seat would see."""
    legal = table.game.legal_moves(table.state, seat) if seat else ()
    fields = {"view": table.view(seat or None), "legal": legal, "seat": seat, "names": NAMES, **changed}
    return Scene(**fields)


def random_tables(game: str, count: int, seed: int = 1, **options: str) -> Iterable[Table]:
    """Stop a table at every position of games played at random, until there are enough of them."""
    luck = random.Random(seed)
    while count > 0:
        table = table_of(game, seed=luck.randrange(1000), **options)
        while count > 0 and table.outcome is None:
            yield table
            count -= 1
            seat = luck.choice(sorted(table.to_act))
            table.play(seat, **luck.choice(table.legal(seat)))


class Stage(App[None]):
    """The application around one board."""

    def __init__(self, table: Table, seat: Owner = 1, *, is_dark: bool = True, is_ascii: bool = False) -> None:
        super().__init__()
        self.table, self.seat, self.is_ascii = table, seat, is_ascii
        self.has_animations = False
        self.chosen: list[Move] = []
        self.hints: list[str] = []
        self.board: Board = BOARDS[table.game.id](id="board")
        self._is_dark = is_dark

    def compose(self) -> ComposeResult:
        yield self.board

    def on_mount(self) -> None:
        for theme in THEMES.values():
            self.register_theme(theme)
        self.theme = THEMES[self._is_dark].name
        self.board.focus()
        self.show()

    def show(self, table: Table | None = None) -> None:
        """Show the board how the table stands now."""
        self.table = table or self.table
        legal = self.table.game.legal_moves(self.table.state, self.seat) if self.seat else ()
        self.board.show(self.table.view(self.seat or None), legal, self.seat, NAMES)

    def play(self, seat: Seat, kind: str, **fields: int) -> None:
        """Make a move at the table, and let the board see it."""
        self.board.told(self.table.play(seat, kind, **fields))
        self.show()

    def on_board_chosen(self, message: Board.Chosen) -> None:
        self.chosen.append(message.move)

    def on_board_hint_changed(self, message: Board.HintChanged) -> None:
        self.hints.append(message.hint)

    def spot_center(self, kind: str, number: int) -> tuple[int, int]:
        """Say where a spot is drawn."""
        drawing = self.board.drawn()
        assert drawing is not None
        region = drawing.spots[kind, number]
        return (region.x + region.width // 2, region.y + region.height // 2)


def opposite(seat: Seat) -> Seat:
    return SEATS[2 - seat]
