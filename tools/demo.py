"""`make demo`: one match of each game between two computer players, over TCP on loopback, printed as it goes.

The players and the spectator who tells the story are three clients of one server; the server keeps nothing.
"""

import asyncio
import contextlib
import random
import sys
import tempfile
from functools import partial
from pathlib import Path

from client import bots
from client.core.failure import CouldNot
from client.core.news import MatchNews, PositionShown
from client.core.seat import Arrival
from client.core.teller import Teller
from client.local.autoplay import Behaviour, play_alone
from client.local.contestant import Contestant
from client.local.pause import within_limits
from client.net.connection import Target, dial
from client.net.session import Session
from client.net.store import Store
from protocol.client_frame import CallOff, Create, Join, Watch
from protocol.games import TITLES
from server import config
from server.games.chance import Drawn
from server.io import shell

LEVELS = {"Ann": "easy", "Bob": "perfect"}
MOST_MOVES = 400
"""Two careful players could go on for ever; after so many moves they agree to call it off."""


async def play(session, inbox, level, chance, request):
    """Play one player's part, until the match is over."""

    async def hear():
        heard = await inbox.get()
        if isinstance(heard.news, PositionShown) and heard.state.matches[heard.news.match].turn > MOST_MOVES:
            session.send(CallOff, match=heard.news.match)
        return heard

    computer = Contestant(level, lambda ignored, options: bots.Computer(level, chance, options))
    behaviour = Behaviour(computer.chooser, within_limits(), linger_s=0.0)
    await play_alone(session, hear, behaviour, Arrival(request))


async def tell(inbox):
    """Print a match as a spectator sees it, to its end."""
    teller = Teller()
    while True:
        heard = await inbox.get()
        if not isinstance(heard.news, MatchNews):
            continue
        match = heard.state.matches.get(heard.news.match)
        for line in teller.tell(match, heard.news):
            print(line)
        if match is not None and match.outcome is not None:
            return


async def opened(inbox):
    """Wait until a match is open and return its code."""
    while not (matches := (await inbox.get()).state.matches):
        pass
    return next(iter(matches))


async def show(game, target, call, seed):
    """Play one match."""
    inboxes = [asyncio.Queue() for _ in range(3)]
    sessions = [
        Session(target, name, inbox.put_nowait, call)
        for name, inbox in zip((*LEVELS, "Eve"), inboxes, strict=True)
    ]
    luck = random.Random(seed)
    async with sessions[0] as creator, sessions[1] as guest, sessions[2] as spectator:
        created = creator.send(Create, game=game, first="creator", private=True)
        code = await opened(inboxes[0])
        spectator.send(Watch, match=code)
        await opened(inboxes[2])
        joined = guest.send(Join, match=code)
        chances = [Drawn(luck.randrange) for _ in LEVELS]
        seats = zip(sessions, inboxes, LEVELS.values(), chances, (created, joined), strict=False)
        players = [play(*seat) for seat in seats]
        await asyncio.gather(*players, tell(inboxes[2]))


async def main(games, seed):
    server = await shell.start(config.Config(bind="127.0.0.1", port=0))
    with tempfile.TemporaryDirectory() as folder:
        call = partial(dial, Store(Path(folder)))
        try:
            for game in games:
                print(f"==== {TITLES[game]} ====\n")
                await show(game, Target("127.0.0.1", server.port, is_plain=True), call, seed)
                print()
        finally:
            await server.stop()


if __name__ == "__main__":
    unknown = [name for name in sys.argv[1:] if name not in TITLES]
    if unknown:
        sys.exit(f"There is no game {unknown[0]!r}; the games are {', '.join(TITLES)}.")
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        try:
            asyncio.run(main(sys.argv[1:] or list(TITLES), seed=7))
        except CouldNot as problem:
            sys.exit(str(problem))
