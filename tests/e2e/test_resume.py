"""A connection that is cut after any frame costs nothing: the match ends as if nobody had noticed.

Each match of a sweep is the same, played by the same decisions, except that one seat loses its connection
right after its first frame, or its second, and so on to the last, be it sent or received.
"""

import asyncio
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from protocol.choice import spelled_out
from protocol.games import parse_move
from protocol.model import SEATS, Seat
from server.games import GAMES
from server.games.chance import Recorded
from tests.e2e.client import Lost, Player, Sight
from tests.e2e.ledger import Account, account, opened
from tests.e2e.process import ROOMY, ServerProcess, serving
from tests.e2e.script import steady

AT_ONCE = 16


class Clumsy(Player):
    """A player who loses the connection once, right after a certain frame."""

    def __init__(self, server: ServerProcess, name: str, cut_after: int) -> None:
        super().__init__(server, name)
        self.cut_after = cut_after

    def passed(self) -> None:
        super().passed()
        if self.frames == self.cut_after:
            self.cut()
            raise Lost

    @property
    def was_cut(self) -> bool:
        return 0 < self.cut_after <= self.frames


async def played(server: ServerProcess, game: str, cut: tuple[int, int], **terms: Any) -> "Run":
    """Play a match in which each seat is cut after its n-th frame, 0 for never."""
    first, second = Clumsy(server, "Ann", cut[0]), Clumsy(server, "Bob", cut[1])
    await first.come_back()
    await second.come_back()
    code = await first.create(game, first="creator", **terms)
    await second.join(code)
    sights = await asyncio.gather(first.play_out(code, steady), second.play_out(code, steady))
    for player in (first, second):
        player.cut()
    return Run(code, (first, second), sights)


class Run:
    """One match that was played."""

    def __init__(self, code: str, players: tuple[Clumsy, Clumsy], sights: tuple[Sight, Sight]) -> None:
        self.code = code
        self.players = players
        self.sights = sights


async def swept(server: ServerProcess, game: str, frames: tuple[int, int], **terms: Any) -> list[Run]:
    """Play one match for each frame of each seat, a few at a time."""
    cuts = [(n, 0) for n in range(1, frames[0] + 1)] + [(0, n) for n in range(1, frames[1] + 1)]
    room = asyncio.Semaphore(AT_ONCE)

    async def one(cut: tuple[int, int]) -> Run:
        async with room:
            return await played(server, game, cut, **terms)

    return await asyncio.gather(*(one(cut) for cut in cuts))


def verified(db: Path, runs: list[Run]) -> list[Account]:
    """Hold what the players saw against the journal, and hand the journal's accounts back."""
    accounts = []
    with opened(db) as journal:
        for run in runs:
            told = account(journal, run.code)
            for sight in run.sights:
                told.agrees_with(sight)
            ids = [(move["seat"], move["id"]) for move in told.moves]
            assert len(set(ids)) == len(ids)
            accounts.append(told)
    return accounts


@pytest.mark.parametrize(
    ("game", "options", "tls"),
    [
        ("galaxy", {}, "--no-tls"),
        ("conquer", {}, "--no-tls"),
        ("conquer", {}, "--tls"),
        ("grid", {}, "--no-tls"),
        ("digit", {"draw": "choose"}, "--no-tls"),
        ("duel", {}, "--no-tls"),
    ],
)
async def test_a_cut_after_any_frame_changes_nothing(
    tmp_path: Path, game: str, options: dict[str, str], tls: str
) -> None:
    async with serving(tmp_path, *ROOMY, tls) as server:
        calm = await played(server, game, (0, 0), options=options)
        frames = (calm.players[0].frames, calm.players[1].frames)
        runs = await swept(server, game, frames, options=options)
        assert await server.stop() == 0
    assert all(any(player.was_cut for player in run.players) for run in runs)
    # Who is cut between hello and welcome has no token yet and is somebody new; all others are known again.
    assert [sum(player.resumed for player in run.players) for run in runs].count(1) == len(runs) - 2
    (undisturbed,) = verified(server.db, [calm])
    for disturbed in verified(server.db, runs):
        assert disturbed.match.state == undisturbed.match.state
        assert disturbed.match.turn == undisturbed.match.turn
        assert disturbed.match.outcome == undisturbed.match.outcome
        assert _by_seat(disturbed) == _by_seat(undisturbed)


def _by_seat(told: Account) -> list[list[dict[str, Any]]]:
    """List each seat's moves; two sealed picks may come in either order."""
    return [[move["move"] for move in told.moves if move["seat"] == seat] for seat in SEATS]


async def test_a_cut_after_any_frame_changes_nothing_under_the_luck_of_the_draw(tmp_path: Path) -> None:
    """Digit Conquest draws anew in each match, so each is compared with its own luck played in peace."""
    async with serving(tmp_path, *ROOMY) as server:
        runs = await swept(server, "digit", (40, 40))
        assert await server.stop() == 0
    # Only a match that luck made shorter can be over before the cut.
    assert sum(any(player.was_cut for player in run.players) for run in runs) > len(runs) // 2
    for told in verified(server.db, runs):
        state, moves = undisturbed_digit(told)
        assert told.match.state == state
        assert [(move["seat"], move["move"]) for move in told.moves] == moves


def undisturbed_digit(told: Account) -> tuple[object, list[tuple[Seat, dict[str, Any]]]]:
    """Play the match's own luck again, without a server, by the decisions that the players make."""
    game = GAMES["digit"]
    begun = next(entry.body for entry in told.entries if entry.kind == "begun")
    luck = Recorded(chain(begun["chance"], *(move["chance"] for move in told.moves)))
    state, _ = game.setup(told.match.terms.options, luck)
    moves: list[tuple[Seat, dict[str, Any]]] = []
    while game.outcome(state) is None:
        (seat,) = game.to_act(state)
        raw = next(spelled_out(game.legal_moves(state, seat)))
        move = parse_move("digit", raw)
        state, _ = game.apply(state, seat, move, luck)
        moves.append((seat, raw))
    return state, moves
