"""Line mode: a command is followed, and without one there is the menu."""

import time
from argparse import Namespace

from client.command.player import player_name
from client.command.question import choose, choose_game, complete
from client.command.read import read
from client.core.catalogue import CHOICES, LEVEL_QUESTION, LEVELS
from client.core.failure import CouldNot
from client.flow.back import left_seat, offer, own_seat
from client.flow.errand import carry_out
from client.flow.person import Person
from client.flow.wanted import Display, GoBack, Host, JoinAt, PlayHere, PlayTwo, Wanted, WatchAt
from client.line.play import seat_at
from client.line.terminal import InputEnded, Terminal
from client.net.store import Store, Way
from protocol.process.home import home
from protocol.process.usage import Misused

RULES = 6
"""The number of the rules among the choices."""


async def follow(terminal: Terminal, given: Namespace) -> None:
    """Do what the command line asks; without a command, show the menu."""
    wanted = read(given)
    store = Store(home(), terminal.say)
    name = await player_name(terminal, store, given.name, is_needed=not _is_going_back(store, wanted))
    calls = store.setting("call") is not False
    person = Person(terminal, store, name, seat_at(terminal, getattr(given, "hide_picks", False), calls))
    if wanted is None:
        await _show_menu(person, terminal)
    else:
        await carry_out(person, await complete(person, terminal, wanted))


def _is_going_back(store: Store, wanted: Wanted | None) -> bool:
    """Tell whether a command leads to a seat that one has already, under a name that one has there."""
    if isinstance(wanted, JoinAt) and wanted.place is not None:
        return own_seat(store, wanted.place) is not None
    if isinstance(wanted, JoinAt) and wanted.code is not None:
        return left_seat(store, wanted.code) is not None
    return isinstance(wanted, GoBack)


async def _show_menu(person: Person, terminal: Terminal) -> None:
    terminal.say(f"Welcome to Conquest, {person.name}.")
    while True:
        left = person.store.way_back(time.time())
        try:
            number = await choose(terminal, "What would you like to do?", CHOICES, offer(left))
        except InputEnded:
            return
        if number == len(CHOICES):
            return
        try:
            await _enter(person, terminal, number, left)
        except (CouldNot, Misused) as problem:
            terminal.say(str(problem))


async def _enter(person: Person, terminal: Terminal, number: int, left: Way | None) -> None:
    if number == RULES:
        from client.local.rulebook import rules_text

        terminal.say(*rules_text(await choose_game(terminal)).splitlines())
        return
    wanted = await _chosen(terminal, number, left)
    await carry_out(person, await complete(person, terminal, wanted))


async def _chosen(terminal: Terminal, number: int, left: Way | None) -> Wanted:
    display = Display(is_ascii=terminal.is_ascii)
    match number:
        case 1:
            game = await choose_game(terminal)
            return PlayHere(game, LEVELS[await choose(terminal, LEVEL_QUESTION, LEVELS) - 1])
        case 2:
            return Host(await choose_game(terminal), display=display)
        case 3:
            return JoinAt()
        case 4:
            return WatchAt()
        case 5:
            return PlayTwo(await choose_game(terminal))
        case _:
            return GoBack(left[1].match if left else None, display)
