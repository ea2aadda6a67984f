"""What runs for a visitor who came by ssh: the ordinary client, which knows one server and no other.

It is started by `client.ssh`, with an environment that says who comes (`client.net.visit`), in a folder of
the visitor's own, and first of all takes from itself what it does not need of this machine.
"""

import contextlib
import os
import signal
import sys
import time
from argparse import Namespace
from dataclasses import replace

from client.command.history import look_back
from client.command.main import guarded, is_full_screen
from client.command.player import player_name
from client.command.question import choose, choose_game
from client.core.catalogue import CHOICES
from client.core.failure import CouldNot
from client.flow.back import offer
from client.flow.errand import carry_out
from client.flow.person import Person
from client.flow.visit import locked, server_of
from client.flow.wanted import GoBack, Host, JoinAt, Wanted, WatchAt
from client.line.play import seat_at
from client.line.run import run
from client.line.terminal import InputEnded, Terminal
from client.net.place import parse_words
from client.net.store import Store
from client.net.survey import LIVE, WAITING, survey_server
from client.net.visit import Visit, visiting
from protocol.process.home import home
from protocol.process.usage import Misused

LOOK_BACK, RULES, LEAVE = "Look back on your matches", CHOICES[5], CHOICES[6]
WAYS: tuple[tuple[str, Wanted | None], ...] = (
    (CHOICES[1], Host()),
    (CHOICES[2], JoinAt()),
    (CHOICES[3], WatchAt()),
    (LOOK_BACK, None),
    (RULES, None),
    (LEAVE, None),
)
"""What the menu offers, and what is wanted then."""
BY_CODE = "Another one, by its code"
CODE_QUESTION = "The code of your friend's match: "
ASIDE = ("SIGTSTP", "SIGQUIT", "SIGTTIN", "SIGTTOU")
"""Signals of a shell's job control, which there is not."""


def main() -> int:
    """Run for the visitor whom the environment names; return the exit code."""
    visit = visiting()
    if visit is None:
        raise SystemExit("This runs for visitors by ssh only.")
    take_terminal()
    bound(visit)
    point_here(Store(home()), visit)
    return guarded(lambda: _receive(visit))


def take_terminal() -> None:
    """Make the terminal ours, so that it tells of its size and of Ctrl-C; no signal stops us for good."""
    if os.isatty(0):
        import fcntl
        import termios

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    for name in ASIDE:
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    # The server may have been started by something that ignores these.
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def bound(visit: Visit) -> None:
    """Take from this process what could harm the machine: memory, large files, and the right of way."""
    import resource

    with contextlib.suppress(OSError):
        # A service may be forbidden to change it.
        os.nice(visit.nice)
    for kind, most in (
        (resource.RLIMIT_AS, visit.memory),
        (resource.RLIMIT_FSIZE, visit.file),
        (resource.RLIMIT_CORE, 0),
    ):
        # Some systems do not know every limit, or have a lower one.
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(kind, (most, most))


def point_here(store: Store, visit: Visit) -> None:
    """Let all ways back lead to the port on which the server listens for this visit; their age stays."""
    for file, saved in store.sessions():
        written_at = file.written_at()
        file.save(replace(saved, port=visit.port))
        file.date(written_at)


def _receive(visit: Visit) -> int:
    store = Store(home())
    given = Namespace(name=None if store.name() else visit.name or None, ascii=False, plain=False, tui=False)
    if not is_full_screen(given):
        return run(lambda terminal: _visit(terminal, visit, given))
    run(lambda terminal: _greet(terminal, visit, given))
    from client.tui.run import run as run_in_full_screen

    code = run_in_full_screen(given, JoinAt(code=visit.code) if visit.code else None)
    print(_farewell(visit))
    return code


async def _greet(terminal: Terminal, visit: Visit, given: Namespace) -> None:
    """Tell newcomers how to come back, and ask for their name, before the screen is full."""
    store = Store(home(), terminal.say)
    if visit.word:
        terminal.say(f"You have no key, so this is your way back to your matches: {visit.way_back}")
    if given.name is not None:
        store.keep_name(given.name)
    is_known = store.name() is not None
    given.name = await player_name(terminal, store, given.name)
    if visit.word and is_known and terminal.is_terminal:
        await terminal.ask("Enter goes on: ")


def _farewell(visit: Visit) -> str:
    return f"To come back: {visit.way_back}"


async def _visit(terminal: Terminal, visit: Visit, given: Namespace) -> None:
    await _greet(terminal, visit, given)
    person = Person(terminal, Store(home(), terminal.say), given.name, seat_at(terminal, False))
    if visit.code:
        await _go(person, terminal, visit, JoinAt(code=visit.code))
    else:
        await _show_menu(person, terminal, visit)
    terminal.say(_farewell(visit))


async def _show_menu(person: Person, terminal: Terminal, visit: Visit) -> None:
    terminal.say(f"Welcome to Conquest, {person.name}.")
    ways = [way for way, _ in WAYS]
    while True:
        left = person.store.way_back(time.time())
        try:
            number = await choose(terminal, "What would you like to do?", ways, offer(left))
        except InputEnded:
            return
        way, wanted = WAYS[number - 1] if number else ("", GoBack(left[1].match if left else None))
        if way == LEAVE:
            return
        try:
            await (_enter(terminal, way) if wanted is None else _go(person, terminal, visit, wanted))
        except (CouldNot, Misused) as problem:
            terminal.say(str(problem))


async def _enter(terminal: Terminal, way: str) -> None:
    if way == RULES:
        from client.local.rulebook import rules_text

        terminal.say(*rules_text(await choose_game(terminal)).splitlines())
    else:
        await look_back(terminal, "", "")


async def _go(person: Person, terminal: Terminal, visit: Visit, wanted: Wanted) -> None:
    if isinstance(wanted, Host):
        wanted = replace(wanted, game=await choose_game(terminal))
    elif wanted in (JoinAt(), WatchAt()):
        wanted = await _complete(person, terminal, visit, is_live=isinstance(wanted, WatchAt))
    # An answer may lead elsewhere, too.
    await carry_out(person, locked(visit, person.store, wanted))


async def _complete(person: Person, terminal: Terminal, visit: Visit, is_live: bool) -> JoinAt | WatchAt:
    """Ask which match: one of those that are listed, or one by its code."""
    kind, sought = (WatchAt, LIVE) if is_live else (JoinAt, WAITING)
    there = await survey_server(person.name, person.store, server_of(visit), sought)
    terminal.say(*there.remarks)
    if there.offers:
        number = await terminal.choose([found.line for found in there.offers], BY_CODE)
        if number:
            return kind(there.offers[number - 1].place)
    return kind(*parse_words(await terminal.ask(CODE_QUESTION)))


if __name__ == "__main__":
    sys.exit(main())
