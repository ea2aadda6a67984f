"""A server inside this process: for hosting, for a game with the computer, and to play records again.

The only file of the client that knows the server. The computer's player is a client like any other: it
has a session of its own, sees what its seat may see, and thinks in a thread.
"""

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from client.connection import Target
from client.failure import CouldNot, Misused
from client.nearest import did_you_mean
from client.news import MatchNews, News, OfferMade, PositionShown, SessionOver
from client.record import BadRecord, Record
from client.session import Dial, Heard, Session
from client.state import MatchState
from protocol.frame import CallOff, Join, Play, Rematch
from protocol.games import Event, View, parse_move
from protocol.limit import DEFAULT_PORT
from server import bots, command, config, shell
from server.games import GAMES
from server.games.chance import Drawn, Recorded
from server.games.rules import AnyGame, Illegal
from server.journal import IN_MEMORY, CannotOpen
from server.tls import CannotSecure

COMPUTER_NAME = "Computer"


@dataclass(frozen=True, slots=True)
class Listening:
    """How a server inside this process is to listen."""

    bind: str | None = None
    port: int | None = None
    """None for the usual port, or any other when that is taken."""
    db: str | None = None
    """The journal's file; None to keep nothing."""
    tls: bool | None = None

    @property
    def keeps(self) -> bool:
        """Whether there will be something to go back to."""
        return self.db is not None and self.db != IN_MEMORY


@dataclass(frozen=True, slots=True)
class Hosted:
    """A server that runs inside this process."""

    addresses: tuple[str, ...]
    port: int
    fingerprint: str | None
    own: Target
    """How this process's own clients reach it."""


def serve(arguments: Sequence[str]) -> int:
    """Run the dedicated server; return the exit code."""
    return command.main(arguments)


@contextlib.asynccontextmanager
async def hosted(listening: Listening) -> AsyncIterator[Hosted]:
    """Run a server for as long as the block lasts; raise `CouldNot` when it cannot start."""
    server = await _start(listening)
    try:
        door = server.local_port or server.port
        yield Hosted(
            addresses=tuple(server.addresses),
            port=server.port,
            fingerprint=server.fingerprint,
            own=Target("127.0.0.1", door, is_plain=True),
        )
    finally:
        await server.stop()


async def _start(listening: Listening) -> shell.Server:
    port = DEFAULT_PORT if listening.port is None else listening.port
    settings = config.Config(
        bind=listening.bind, port=port, db=listening.db or IN_MEMORY, tls=listening.tls, local_door=True
    )
    try:
        try:
            return await shell.start(settings)
        except OSError:
            if listening.port is not None:
                raise
            # Another match is hosted here already; nobody insisted on the usual port.
            return await shell.start(replace(settings, port=0))
    except (CannotOpen, CannotSecure, config.BadConfig) as problem:
        raise CouldNot(str(problem)) from problem
    except OSError as problem:
        where = f"port {port}" + (f" of {listening.bind}" if listening.bind else "")
        raise CouldNot(f"Cannot listen on {where}: {problem.strerror or problem}.") from problem


def agreed_options(game: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Complete a game's options; raise `Misused`, with the nearest name, for one that does not exist."""
    rules = GAMES[game]
    try:
        return rules.agree(chosen)
    except Illegal as no:
        unknown = next((name for name in chosen if name not in rules.options), None)
        meant = did_you_mean(unknown, rules.options) if unknown else ""
        raise Misused(f"{no}{meant}") from no


async def play_as_computer(
    hosted: Hosted, code: str, level: str, dial: Dial, pause: Callable[[], Awaitable[None]]
) -> None:
    """Join a match as the computer and play it, and its rematches, to the end."""
    inbox: asyncio.Queue[Heard] = asyncio.Queue()
    async with Session(hosted.own, COMPUTER_NAME, inbox.put_nowait, dial) as session:
        session.send(Join, match=code)
        while not isinstance((heard := await inbox.get()).news, SessionOver):
            if isinstance(heard.news, MatchNews) and (match := heard.state.matches.get(heard.news.match)):
                await _react(session, match, heard.news, level, pause)


async def _react(
    session: Session, match: MatchState, item: News, level: str, pause: Callable[[], Awaitable[None]]
) -> None:
    if isinstance(item, OfferMade) and item.seat != match.seat:
        session.send(CallOff if item.offer == "calloff" else Rematch, match=match.code)
    elif isinstance(item, PositionShown) and match.legal and match.view is not None:
        await pause()
        chance = Drawn(secrets.randbelow)
        move = await asyncio.to_thread(bots.choose, match.view, match.legal, _level(level), chance)
        session.send(Play, match=match.code, turn=match.turn, move=dict(move.__dict__))


def _level(name: str) -> bots.Level:
    return next(level for level in bots.LEVELS if level == name)


@dataclass(frozen=True, slots=True)
class Step:
    """A position of a record: the move that led to it, what it brought about, and what all could see."""

    seat: int
    move: dict[str, int | str] | None
    """None for the position at the beginning."""
    events: tuple[Event, ...]
    view: View


def replayed(record: Record) -> list[Step]:
    """Play a record again by the rules; raise `BadRecord` when they do not allow it."""
    rules = GAMES.get(record.header.game)
    if rules is None:
        raise BadRecord(f"The record is of a game that is not known here: {record.header.game!r}.")
    try:
        return list(_steps(rules, record))
    except (Illegal, ValueError) as problem:
        raise BadRecord(f"The record does not follow the rules: {problem}") from problem


def _steps(rules: AnyGame, record: Record) -> list[Step]:
    state, events = rules.setup(rules.agree(record.header.options), Recorded(record.header.chance))
    steps = [_step(rules, state, events, 0, None)]
    for turned in record.moves:
        move = parse_move(rules.id, turned.move)
        if move is None:
            raise ValueError(f"move {len(steps)} is no move of this game.")
        chance = Recorded(turned.chance)
        state, events = rules.apply(state, turned.seat, move, chance)
        steps.append(_step(rules, state, events, turned.seat, turned.move))
    return steps


def _step(rules: AnyGame, state: object, events: Sequence[object], seat: int, move: object) -> Step:
    return Step(seat=seat, move=move, events=tuple(events), view=rules.view(state, None))  # type: ignore[arg-type]
