"""What the client takes from the server: one that runs inside this process, the rules for records, the bots.

The only file of the client that knows the server. A bot is given what a client was shown and nothing else.
"""

import asyncio
import contextlib
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from client import bots
from client.bots.arena import Maker, Tally, compete
from client.bots.bot import lawful
from client.bots.standing import standing
from client.core.failure import CouldNot
from client.core.nearest import did_you_mean
from client.core.record import BadRecord, Record
from client.local import user_bot
from client.local.listening import Listening
from client.net.connection import Target
from protocol.choice import Choice, Move
from protocol.games import Event, View, parse_move
from protocol.games.view import GameView
from protocol.limit import DEFAULT_PORT, Limits
from protocol.process.supervision import alongside, start
from protocol.process.usage import Misused
from server import command, config
from server.core.rate import Bucket
from server.games import GAMES
from server.games.chance import Drawn, Recorded
from server.games.rules import AnyGame, Illegal, Option
from server.io import shell
from server.io.journal import IN_MEMORY, CannotOpen
from server.io.tls import CannotSecure


@dataclass(frozen=True, slots=True)
class Hosted:
    """A server that runs inside this process."""

    addresses: tuple[str, ...]
    port: int
    fingerprint: str | None
    own: Target
    """How this process's own clients reach it."""
    leave: Callable[[bool], None]
    """To be called when the host leaves, before their own session ends, with whether matches are kept."""


def run_dedicated(arguments: Sequence[str]) -> int:
    """Run the dedicated server; return the exit code."""
    return command.main(arguments)


@contextlib.asynccontextmanager
async def hosted(listening: Listening) -> AsyncIterator[Hosted]:
    """Run a server for as long as the block lasts; raise `CouldNot` when it cannot start."""
    server = await _start(listening)
    try:
        door = server.local_port or server.port
        async with alongside(server.failed(), "supervision"):
            yield Hosted(
                addresses=tuple(server.addresses),
                port=server.port,
                fingerprint=server.fingerprint,
                own=Target("127.0.0.1", door, is_plain=True),
                leave=server.host_leaves,
            )
    finally:
        await _stopped(server)


async def _stopped(server: shell.Server) -> None:
    """Stop a server in order, which takes two seconds at most: no signal may cut the goodbye short."""
    stopping = start(server.stop(), "stopping", server.fail)
    while not stopping.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([stopping])
    await stopping


async def _start(listening: Listening) -> shell.Server:
    port = DEFAULT_PORT if listening.port is None else listening.port
    settings = config.Config(
        bind=listening.bind, port=port, db=listening.db or IN_MEMORY, tls=listening.tls, local_listener=True
    )
    try:
        try:
            return await _secured(settings, listening)
        except OSError:
            if listening.port is not None:
                raise
            # Another match is hosted here already; nobody insisted on the usual port.
            return await _secured(replace(settings, port=0), listening)
    except (CannotOpen, CannotSecure, config.BadConfig) as problem:
        raise CouldNot(str(problem)) from problem
    except OSError as problem:
        where = f"port {port}" + (f" of {listening.bind}" if listening.bind else "")
        raise CouldNot(f"Cannot listen on {where}: {problem.strerror or problem}.") from problem


async def _secured(settings: config.Config, listening: Listening) -> shell.Server:
    try:
        return await shell.start(settings)
    except CannotSecure:
        if listening.keeps:
            raise
        # Nothing is kept, so the certificate need not be kept either.
        with tempfile.TemporaryDirectory() as folder:
            return await shell.start(replace(settings, certificate_folder=Path(folder)))


def agreed_options(game: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Complete a game's options; raise `Misused`, with the nearest name, for one that does not exist."""
    rules = GAMES[game]
    try:
        return rules.agree(chosen)
    except Illegal as no:
        unknown = next((name for name in chosen if name not in rules.options), None)
        meant = did_you_mean(unknown, rules.options) if unknown else ""
        raise Misused(f"{no}{meant}") from no


def options_of(game: str) -> Mapping[str, Option]:
    """List what can be agreed before a match of a game."""
    return GAMES[game].options


@dataclass(frozen=True, slots=True)
class Contestant:
    """Who can play without a person: the computer at a level, or a bot of the user's own."""

    name: str
    make: Maker
    """Makes a new bot for a match."""
    file: Path | None = None
    """Where a bot of the user's own comes from."""

    def mind(self, options: Mapping[str, str]) -> "Mind":
        """Make a bot that answers with moves as they travel."""
        return Mind(self, options)


class Mind:
    """A bot in one match; its thinking belongs in a thread. Making and asking it can raise `CouldNot`."""

    def __init__(self, contestant: Contestant, options: Mapping[str, str]) -> None:
        self._name = contestant.name
        with _told_to_the_author():
            self._bot = contestant.make(Drawn(secrets.randbelow), options)

    def choose(self, view: View, choices: Sequence[Choice]) -> dict[str, int | str]:
        """Choose a move from what a client was shown."""
        with _told_to_the_author():
            answer = self._bot.choose(view, choices)
            move = lawful(view, choices, answer)
            if move is None:
                raise CouldNot(user_bot.complaint(self._name, view, choices, answer))
        return dict(move.__dict__)


@contextlib.contextmanager
def _told_to_the_author() -> Iterator[None]:
    try:
        yield
    except (user_bot.BadBot, user_bot.Raised) as problem:
        raise CouldNot(str(problem)) from problem


def contestant(word: str) -> Contestant:
    """Find who is meant by a level's name or a file; raise `Misused`, or `CouldNot` for a bad file."""
    for level in bots.LEVELS:
        if word == level:
            return Contestant(word, partial(bots.Computer, level))
    path = Path(word)
    if not path.exists():
        known = [*bots.LEVELS, *(str(file) for file in path.parent.glob("*.py"))]
        levels = ", ".join(bots.LEVELS)
        raise Misused(
            f"There is no level or file {word!r}.{did_you_mean(word, known)} The levels are {levels}."
        )
    with _told_to_the_author():
        kind = user_bot.load(path)
    return Contestant(path.name, lambda chance, options: user_bot.Own(kind, path.name), path)


@dataclass(slots=True)
class Contest:
    """Two contestants in the arena, and what has come of it so far."""

    game: str
    options: Mapping[str, str]
    sides: tuple[Contestant, Contestant]
    course: list[Tally] = field(default_factory=list)
    """The first one's results after every match."""
    faults: list[str] = field(default_factory=list)
    """Sentences about answers that were not legal: each has lost its match."""

    def run(
        self, matches: int, randbelow: Callable[[int], int], on_match: Callable[[int, int], None]
    ) -> None:
        """Play so many matches, telling how many each side has won; raise `CouldNot` when a bot fails."""

        def count(tally: Tally) -> None:
            self.course.append(tally)
            on_match(tally.won, tally.lost)

        makers = self._watched(self.sides[0]), self._watched(self.sides[1])
        with _told_to_the_author():
            compete(self.game, self.options, makers, matches, randbelow, count)

    def lines(self) -> tuple[str, ...]:
        """Make the table of the matches that were played."""
        return standing((self.sides[0].name, self.sides[1].name), self.course)

    def _watched(self, side: Contestant) -> Maker:
        return lambda chance, options: _Watched(self.faults, side.name, side.make(chance, options))


@dataclass(frozen=True, slots=True)
class _Watched:
    """A bot whose illegal answers are noted."""

    faults: list[str]
    name: str
    bot: bots.Bot

    def choose(self, view: GameView, choices: Sequence[Choice]) -> Move | Mapping[str, object]:
        answer = self.bot.choose(view, choices)
        if lawful(view, choices, answer) is None:
            self.faults.append(user_bot.complaint(self.name, view, choices, answer))
        return answer


def within_limits() -> Callable[[], Awaitable[None]]:
    """Make a pause that is as short as servers allow: who sends too fast is disconnected."""
    limits = Limits()
    bucket = Bucket(limits.frames_per_s * 0.8, limits.frames_burst // 2, time.monotonic())

    async def pause() -> None:
        if not bucket.take(time.monotonic()):
            await asyncio.sleep(2 / limits.frames_per_s)
            bucket.take(time.monotonic())

    return pause


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
