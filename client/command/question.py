"""What a command leaves open, asked line by line: which game, which match, or the match that was left."""

import time
from collections.abc import Sequence
from dataclasses import replace

from client.command.player import other_name
from client.core.catalogue import GAME_QUESTION, TITLES
from client.core.failure import CouldNot
from client.core.wording import FROM_FRIEND
from client.flow.back import offer
from client.flow.person import Person
from client.flow.wanted import GoBack, Host, HostAt, JoinAt, PlayTwo, Wanted, WatchAt
from client.line.terminal import Terminal
from client.net.connection import Target
from client.net.place import Place, parse_words
from client.net.survey import LIVE, LOOKING, NOTHING_LIVE, survey_around, survey_server

WATCH_QUESTION = "The link of a match, or an address and a code: "


async def complete(person: Person, terminal: Terminal, wanted: Wanted) -> Wanted:
    """Ask for whatever is open in what is wanted."""
    if isinstance(wanted, Host | HostAt) and not wanted.game:
        return await _complete_host(person, terminal, wanted)
    if isinstance(wanted, PlayTwo) and not wanted.other:
        return replace(wanted, other=await other_name(terminal))
    if isinstance(wanted, JoinAt) and wanted.code is None:
        return await _complete_join(person, terminal, wanted.place)
    if isinstance(wanted, WatchAt) and wanted.code is None:
        return await _complete_watch(person, terminal, wanted.place)
    return wanted


async def _complete_host(person: Person, terminal: Terminal, wanted: Host | HostAt) -> Wanted:
    left = person.store.way_back(time.time())
    game = await choose_game(terminal, offer(left))
    return replace(wanted, game=game) if game or left is None else GoBack(left[1].match, wanted.display)


async def _complete_join(person: Person, terminal: Terminal, place: Place | None) -> JoinAt | GoBack:
    if place is None:
        wanted = await _choose_nearby(person, terminal)
        if isinstance(wanted, GoBack) or wanted.place is None:
            return wanted
        place = wanted.place
    return JoinAt(place if place.code else await _choose_there(person, terminal, place.target))


async def _complete_watch(person: Person, terminal: Terminal, place: Place | None) -> WatchAt:
    if place is None:
        terminal.say(LOOKING)
        around = await survey_around(person.name, person.store, LIVE)
        if not around.offers:
            terminal.say(NOTHING_LIVE)
            place, code = parse_words(await terminal.ask(WATCH_QUESTION))
            if place is None:
                return WatchAt(code=code)
    if place is not None:
        if place.code:
            return WatchAt(place)
        around = await survey_server(person.name, person.store, place.target, LIVE)
        if not around.offers:
            raise CouldNot(" ".join(around.remarks))
    terminal.say("Matches that can be watched:")
    return WatchAt(around.offers[await terminal.choose([found.line for found in around.offers]) - 1].place)


async def _choose_nearby(person: Person, terminal: Terminal) -> JoinAt | GoBack:
    left = person.store.way_back(time.time())
    terminal.say(LOOKING)
    around = await survey_around(person.name, person.store)
    terminal.say(*around.remarks)
    zeroth = offer(left)
    if around.offers:
        number = await terminal.choose([found.line for found in around.offers], zeroth)
        if number:
            return JoinAt(around.offers[number - 1].place)
    else:
        terminal.say("No open match was found on this network.")
        if zeroth is not None:
            terminal.say(f"0. {zeroth}")
        answer = await terminal.ask(f"{FROM_FRIEND}{'; or 0' if zeroth else ''}: ")
        if zeroth is None or answer != "0":
            return JoinAt(*parse_words(answer))
    return GoBack(left[1].match if left else None)


async def _choose_there(person: Person, terminal: Terminal, target: Target) -> Place:
    there = await survey_server(person.name, person.store, target)
    if not there.offers:
        raise CouldNot(" ".join(there.remarks))
    terminal.say("Matches that wait for an opponent:")
    return there.offers[await terminal.choose([found.line for found in there.offers]) - 1].place


async def choose_game(terminal: Terminal, zeroth: str | None = None) -> str:
    """Ask which game; the answer is empty for what stands before all games."""
    number = await choose(terminal, GAME_QUESTION, list(TITLES.values()), zeroth, list(TITLES))
    return ("", *TITLES)[number]


async def choose(
    terminal: Terminal,
    question: str,
    choices: Sequence[str],
    zeroth: str | None = None,
    names: Sequence[str] = (),
) -> int:
    """Ask a question with numbered answers."""
    terminal.say("", question)
    return await terminal.choose(choices, zeroth, names)
