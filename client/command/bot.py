"""`conquest bot`: a bot takes a person's place at a match over the network, and its author can look on."""

from argparse import Namespace
from dataclasses import replace

from client.command.question import complete
from client.command.read import read
from client.core.news import MatchEnded, MatchNews, MatchOpened, Refusal, SessionOver
from client.core.seat import Arrival, Requests
from client.core.teller import Teller
from client.core.wording import seconds
from client.flow.errand import carry_out
from client.flow.name import bot_name, checked_name
from client.flow.person import Person
from client.line.terminal import Dismissed, Interrupted, Terminal, Typed
from client.local.autoplay import Behaviour, play_alone
from client.local.contestant import Contestant, contestant
from client.local.pause import pause_before_moves
from client.net.session import Heard
from client.net.store import Store
from protocol.process.home import home

LINGER_S = 60.0
"""How long to stay for a rematch after a match."""


async def send_out(terminal: Terminal, given: Namespace) -> None:
    """Let a bot join a match, or open one, and play it and its rematches to the end."""
    bot = contestant(given.bot)
    behaviour = Behaviour(bot.chooser, pause_before_moves(given.no_delay), LINGER_S)

    async def take_seat(session: Requests, arrival: Arrival) -> None:
        await play_alone(session, _Onlooker(terminal, arrival).hear, behaviour, arrival)

    person = Person(terminal, Store(home(), terminal.say), _name(bot, given.name), take_seat, is_bot=True)
    if (wanted := read(given)) is not None:
        await carry_out(person, await complete(person, terminal, wanted))


def _name(bot: Contestant, given: str | None) -> str:
    return bot_name(bot.file) if given is None else checked_name(given)


class _Onlooker:
    """Tells the author what happens, and lets the author end it."""

    def __init__(self, terminal: Terminal, arrival: Arrival) -> None:
        self._terminal = terminal
        self._arrival = arrival
        self._teller = Teller()
        self._has_had_enough = False

    async def hear(self) -> Heard | None:
        """Wait for the next piece of news, and tell it; None when the author has had enough."""
        while True:
            item = await self._terminal.next()
            if isinstance(item, Heard):
                self._tell(item)
                return item
            if isinstance(item, Typed):
                self._terminal.noted(item.text)
            if isinstance(item, Interrupted | Dismissed) or item == Typed("/quit"):
                self._has_had_enough = True
                return None

    def _tell(self, heard: Heard) -> None:
        item = heard.news
        match = heard.state.matches.get(item.match) if isinstance(item, MatchNews) else None
        is_the_end = isinstance(item, SessionOver) or heard.answers == self._arrival.request
        if not (is_the_end and isinstance(item, SessionOver | Refusal)):
            # Its author is a spectator, who is told of both players' moves.
            self._terminal.say(*self._teller.tell(match and replace(match, seat=0), item))
        if isinstance(item, MatchOpened):
            self._terminal.say(*self._arrival.on_open(item.match))
        elif isinstance(item, MatchEnded) and not self._has_had_enough:
            self._terminal.say(f"The bot stays {seconds(LINGER_S)} for a rematch; Ctrl-C ends it now.")
