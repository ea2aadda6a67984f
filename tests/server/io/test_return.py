"""Coming back with only the token: all matches are there, however many and long; nobody is shut out."""

import pytest_asyncio

from protocol.client_frame import Create, Hello, Join, Play
from protocol.limit import PROTOCOL_VERSION, Limits
from protocol.server_frame import Told
from tests.server.driver import Hall, kinds
from tests.server.io.test_shell import Room, room

__all__ = ["room"]

OUTBOX = 8 * 1024
MATCHES = 4
MOVES = 80


@pytest_asyncio.fixture
async def bounded(room):
    """Give a server with a small outbox, and few other limits."""
    return room(outbox=OUTBOX, frames_burst=10**6)


async def play_much(room: Room):
    """Let two people play long matches; return them, Anna's token and the codes."""
    anna, bert, codes = room.call(), room.call(), []
    anna.hello("Anna")
    bert.hello("Bert")
    await room.turn()
    token = anna.news()[0].token
    for _ in range(MATCHES):
        anna.ask(Create, game="duel", first="creator")
        await room.sync()
        codes.append(anna.news()[-1].match)
        bert.ask(Join, match=codes[-1])
        for turn in range(MOVES):
            mover = (anna, bert)[turn % 2]
            mover.ask(Play, match=codes[-1], turn=turn, move={"kind": "defend"})
            await room.sync()
        anna.news(), bert.news()
    return anna, bert, token, codes


async def test_who_remembers_nothing_of_many_long_matches_is_not_taken_for_a_slow_reader(bounded):
    anna, _, token, codes = await play_much(bounded)
    story = sum(map(len, bounded.server.kernel.world.matches[codes[0]].events))
    assert MATCHES * story > OUTBOX, "all of it would be too much"
    anna.peer.connection_lost(None)
    again = bounded.call()
    again.send(Hello(version=PROTOCOL_VERSION, name="Anna", token=token))
    await bounded.sync()
    assert again.line.ending is None
    frames = again.news()
    assert [frame.match for frame in frames if frame.type == "shown"] == codes
    again.ask(Play, match=codes[0], turn=MOVES, move={"kind": "defend"})
    await bounded.sync()
    assert again.news()[-1].turn == MOVES + 1


def test_of_what_does_not_fit_the_latest_is_told_and_the_newest_match_first():
    hall = Hall(Limits(frames_burst=10**6))
    anna, bert, older = hall.pair("duel")
    newer = hall.begin(anna, bert, "duel")
    for code in (older, newer):
        for _ in range(MOVES // 2):
            anna.play(code, "defend")
            bert.play(code, "defend")
    one = len(hall.match(newer).events[0])
    hall.world.limits = Limits(outbox=2 * one * (MOVES + 3))
    anna.drop()
    told = [frame for frame in anna.come_back(seen={}) if isinstance(frame, Told)]
    assert [(piece.match, piece.first_event, len(piece.events)) for piece in told] == [
        (older, MOVES - 3, 3),
        (newer, 0, MOVES),
    ]
    anna.drop()
    remembered = {older: MOVES - 40, newer: MOVES}
    told = [frame for frame in anna.come_back(seen=remembered) if isinstance(frame, Told)]
    assert [(piece.match, piece.first_event) for piece in told] == [(older, MOVES - 40)]


def test_nothing_is_left_out_of_what_fits():
    hall = Hall()
    anna, _, code = hall.pair("duel")
    anna.play(code, "defend")
    anna.drop()
    assert kinds(anna.come_back(seen={})) == ["welcome", "seated", "told", "shown"]
