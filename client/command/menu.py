"""From what was asked on the command line, or chosen in the menu, to a match."""

import time
from argparse import Namespace
from collections.abc import Sequence

from client.command import back, host, join
from client.command.host import Display, Wish
from client.command.person import Person
from client.command.play import practise
from client.command.player import player_name
from client.core.catalogue import CHOICES, GAME_QUESTION, LEVEL_QUESTION, LEVELS, TITLES
from client.core.failure import CouldNot
from client.line.play import seat_at
from client.line.terminal import InputEnded, Terminal
from client.local.embedded import Listening
from client.net.store import Store
from protocol.limit import DEFAULT_PORT
from protocol.link import BadLink, parse_address
from protocol.process.home import home
from protocol.process.usage import Misused


async def follow(terminal: Terminal, given: Namespace) -> None:
    """Do what the command line asks; without a command, show the menu."""
    store = Store(home(), terminal.say)
    name = await player_name(terminal, store, given.name, is_needed=not _is_going_back(store, given))
    person = Person(terminal, store, name, seat_at(terminal, getattr(given, "hide_picks", False)))
    if given.command is None:
        await _menu(person, terminal, given.ascii)
    else:
        await carry_out(person, given, terminal)


def _is_going_back(store: Store, given: Namespace) -> bool:
    """Tell whether a command leads to a seat that one has already, under a name that one has there."""
    if given.command == "join" and given.where:
        return join.own_seat(store, join.parse_place(given.where, given.code)) is not None
    return getattr(given, "resume", None) is not None


async def carry_out(person: Person, given: Namespace, terminal: Terminal | None = None) -> None:
    """Bring a person to the match that a command asks for, and stay with it.

    What the command leaves open is asked at the terminal, if there is one.
    """
    match given.command:
        case "play":
            is_hasty = given.no_delay or not person.face.is_terminal
            listening = listening_of(given, usual_bind="127.0.0.1", usual_port=0)
            await practise(person, wish_of(given, given.game), given.bot, listening, is_hasty)
        case "host":
            await _host(person, given, terminal)
        case "join":
            await _join(person, given, terminal)
        case "watch":
            await join.watch(person, join.parse_place(given.where, given.code))


async def _host(person: Person, given: Namespace, terminal: Terminal | None) -> None:
    display = Display(_public(given.public), given.qr, given.ascii)
    if given.resume is not None:
        await back.resume(person, given.resume, display)
        return
    left = person.store.way_back(time.time()) if given.game is None else None
    game = given.game or (await _choose_game(terminal, back.offer(left)) if terminal else "")
    if not game and left is not None:
        await back.go_back(person, left, display)
    elif given.at is not None:
        target = join.parse_place(given.at).target
        await host.host_elsewhere(person, wish_of(given, game), target, display)
    else:
        await host.host(person, wish_of(given, game), listening_of(given), display)


async def _join(person: Person, given: Namespace, terminal: Terminal | None) -> None:
    if given.resume is not None:
        await back.resume(person, given.resume, Display(is_ascii=given.ascii))
        return
    place = join.parse_place(given.where, given.code) if given.where else None
    if terminal is not None:
        await join.choose_and_join(person, terminal, place)
    elif place is not None:
        await join.join(person, place)


def wish_of(given: Namespace, game: str) -> Wish:
    """Read what kind of match a command asks for; raise `Misused`."""
    if given.clock is not None and not 5 <= given.clock <= 24 * 3600:
        raise Misused("--clock must be from 5 to 86400 seconds.")
    return Wish(game, dict(given.option), given.first, given.private, given.clock, given.hints)


def listening_of(given: Namespace, usual_bind: str | None = None, usual_port: int | None = None) -> Listening:
    """Read how a command wants its server to listen; raise `Misused`."""
    port = usual_port if given.port is None else given.port
    if port is not None and not 0 <= port <= 65535:
        raise Misused("--port must be from 0 to 65535.")
    return Listening(given.bind or usual_bind, port, given.db, False if given.no_tls else None)


def _public(text: str | None) -> tuple[str, int] | None:
    if text is None:
        return None
    try:
        address, port = parse_address(text)
    except BadLink as no:
        raise Misused(str(no)) from no
    # Without a port in it, the link names the port that the server listens on.
    return address, 0 if port == DEFAULT_PORT and not text.endswith(f":{DEFAULT_PORT}") else port


async def _menu(person: Person, terminal: Terminal, is_ascii: bool) -> None:
    terminal.say(f"Welcome to Conquest, {person.name}.")
    while True:
        left = person.store.way_back(time.time())
        try:
            number = await _choose(terminal, "What would you like to do?", CHOICES, back.offer(left))
        except InputEnded:
            return
        if number == len(CHOICES):
            return
        try:
            if number == 0 and left is not None:
                await back.go_back(person, left, Display(is_ascii=is_ascii))
            else:
                await _enter(person, terminal, number, is_ascii)
        except (CouldNot, Misused) as problem:
            terminal.say(str(problem))


async def _enter(person: Person, terminal: Terminal, number: int, is_ascii: bool) -> None:
    match number:
        case 1:
            game = await _choose_game(terminal)
            level = LEVELS[await _choose(terminal, LEVEL_QUESTION, LEVELS) - 1]
            listening = Listening("127.0.0.1", 0)
            await practise(
                person, Wish(game, {}, hints=True), level, listening, is_hasty=not terminal.is_terminal
            )
        case 2:
            game = await _choose_game(terminal)
            await host.host(person, Wish(game, {}), Listening(), Display(is_ascii=is_ascii))
        case 3:
            await join.choose_and_join(person, terminal, None)
        case 4:
            answer = await terminal.ask("The link of the match, or an address and a code: ")
            await join.watch(person, join.parse_words(answer))
        case 5:
            from client.local.rulebook import rules_text

            terminal.say(*rules_text(await _choose_game(terminal)).splitlines())


async def _choose_game(terminal: Terminal, zeroth: str | None = None) -> str:
    """Ask which game; the answer is empty for what stands before all games."""
    number = await _choose(terminal, GAME_QUESTION, list(TITLES.values()), zeroth, list(TITLES))
    return ("", *TITLES)[number]


async def _choose(
    terminal: Terminal,
    question: str,
    choices: Sequence[str],
    zeroth: str | None = None,
    names: Sequence[str] = (),
) -> int:
    terminal.say("", question)
    return await terminal.choose(choices, zeroth, names)
