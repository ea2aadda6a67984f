"""What is on its way to players: held for the disk, written once a loop turn, and never without a limit."""

import pytest

from protocol.client_frame import Chat, Ping, Play
from protocol.codec import encode
from protocol.server_frame import Ponged
from tests.server.io.test_shell import ATTACK, room

__all__ = ["room"]


async def test_nothing_is_written_before_the_disk_has_the_move(room):
    room = room()
    anna, bert, code = await room.pair()
    anna.ask(Play, match=code, **ATTACK)
    await room.turn()
    assert (anna.line.writes, bert.line.writes) == ([], [])
    await room.sync()
    for caller in (anna, bert):
        (shown,) = caller.news()
        assert (shown.type, shown.turn) == ("shown", 1)


async def test_what_comes_after_a_move_waits_for_the_move(room):
    room = room()
    anna, bert, code = await room.pair()
    anna.ask(Play, match=code, **ATTACK)
    anna.ask(Chat, match=code, text="take that")
    await room.turn()
    assert bert.line.writes == []
    await room.sync()
    assert [frame.type for frame in bert.news()] == ["shown", "chatted"]


async def test_a_ticket_that_is_not_the_newest_opens_the_gate_for_its_own_only(room):
    room = room()
    anna, bert, code = await room.pair()
    durable = len(room.disk.appended)
    anna.ask(Play, match=code, **ATTACK)
    await room.turn()
    bert.ask(Play, match=code, turn=1, move={"kind": "heal"})
    await room.turn()
    room.server._durable(durable + 1)
    await room.turn()
    assert [frame.turn for frame in anna.news()] == [1]
    room.server._durable(durable + 2)
    await room.turn()
    assert [frame.turn for frame in anna.news()] == [2]


async def test_a_pong_does_not_wait(room):
    room = room()
    anna, _bert, code = await room.pair()
    anna.ask(Play, match=code, **ATTACK)
    anna.ask(Ping)
    await room.turn()
    assert [frame.type for frame in anna.news()] == ["ponged"]


async def test_each_connection_is_written_to_once_a_loop_turn(room):
    room = room()
    anna, _bert, _code = await room.pair()
    for _ in range(5):
        anna.ask(Ping)
    await room.turn()
    assert len(anna.line.writes) == 1
    assert len(anna.news()) == 5


async def test_nothing_more_is_written_to_who_hung_up_before_the_disk_was_ready(room):
    room = room()
    anna, bert, code = await room.pair()
    anna.ask(Play, match=code, **ATTACK)
    anna.peer.connection_lost(None)
    await room.sync()
    assert anna.line.writes == []
    assert [frame.type for frame in bert.news()] == ["shown", "sighted"]


@pytest.mark.parametrize(("surplus", "ending"), [(-1, None), (0, None), (1, "aborted")])
async def test_limit_outbox(room, surplus, ending):
    pong = len(encode(Ponged(re=1)))
    room = room(frames_burst=100)
    anna, bert, code = await room.pair()
    room.server.outbox.limit = 10 * pong - surplus
    anna.line.is_slow = True
    for _ in range(10):
        anna.send(Ping(id=1))
    await room.turn()
    assert anna.line.ending == ending
    if ending is not None:
        assert anna.line.frames()[-1].code == "slow_reader"
        assert [frame.type for frame in bert.news()] == ["sighted"]
        assert room.server.kernel.world.matches[code].is_running(), "the seat is kept"


@pytest.mark.parametrize(("surplus", "is_dropped"), [(-1, False), (0, False), (1, True)])
async def test_limit_outbox_is_also_for_what_waits_for_the_disk(room, surplus, is_dropped):
    room = room(frames_burst=100, chat_burst=100)
    anna, bert, code = await room.pair()
    anna.ask(Chat, match=code, text="so so")
    await room.turn()
    line = len(b"".join(bert.line.writes))
    room.server.outbox.limit = 5 * line - surplus
    bert.news()
    room.server.outbox.gate.appended(10**6)
    for _ in range(5):
        anna.ask(Chat, match=code, text="so so")
    await room.turn()
    assert (bert.line.ending == "aborted") == is_dropped
