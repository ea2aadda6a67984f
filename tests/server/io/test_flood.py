"""A flood costs who sends it the connection, and everybody else next to no time."""

import pytest

from protocol.client_frame import Hello, Join, Ping, Watch
from protocol.codec import decode_client, encode
from protocol.limit import PROTOCOL_VERSION, Limits
from server.core.input import Stalled
from server.io import shell
from server.io.outbox import NEGLIGIBLE
from tests.server.io.test_return import OUTBOX, bounded, play_much
from tests.server.io.test_shell import room

__all__ = ["bounded", "room"]


async def test_who_asks_for_a_long_story_again_and_again_is_dropped_amid_the_turn(bounded):
    _, bert, _, codes = await play_much(bounded)
    eve = bounded.call()
    eve.hello("Eve")
    await bounded.turn()
    # That she watches is on disk before the flood, which so waits for nothing.
    eve.send(Watch(id=1, match=codes[0]))
    await bounded.sync()
    eve.news()
    eve.send(*[Watch(id=n, match=codes[0]) for n in range(2, 62)])
    assert eve.line.ending == "aborted"
    frames = eve.line.frames()
    assert frames[-1].code == "slow_reader"
    assert sum(len(encode(frame)) for frame in frames) < 2 * OUTBOX
    bert.ask(Join, match=codes[0])
    await bounded.turn()
    assert bert.news()[-1].type == "shown"


@pytest.mark.parametrize("is_saved", [True, False], ids=["at once", "when the disk has answered"])
async def test_nothing_is_read_of_a_flood_behind_the_frame_that_was_too_much(room, monkeypatch, is_saved):
    room = room()
    anna, _, _ = await room.pair()
    read = []
    monkeypatch.setattr(shell, "decode_client", lambda body: read.append(body) or decode_client(body))
    if not is_saved:
        room.server.outbox.gate.appended(10**6)
    flood = encode(Ping(id=1)) * 1000
    anna.send_bytes(flood)
    anna.send_bytes(flood)
    assert Limits().frames_burst - 10 < len(read) <= Limits().frames_burst + 1
    await room.turn()
    assert (anna.line.ending == "closed") == is_saved


async def test_who_comes_and_goes_while_the_disk_is_slow_leaves_little_at_the_gate(bounded):
    _, _, token, _ = await play_much(bounded)
    bounded.server.outbox.gate.appended(10**6)
    gone = set()
    for _ in range(10):
        caller = bounded.call("192.0.2.9")
        caller.send(Hello(version=PROTOCOL_VERSION, name="Anna", token=token))
        await bounded.turn()
        assert caller.peer.held > NEGLIGIBLE
        caller.peer.connection_lost(None)
        gone.add(caller.peer.number)
    waiting = {send[0] for _, sends in bounded.server.outbox.gate._held for send in sends}
    assert waiting, "the other player hears of it in the end"
    assert not waiting & gone


async def test_who_is_told_to_go_while_the_disk_fails_leaves_little_at_the_gate(bounded):
    _, _, token, _ = await play_much(bounded)
    bounded.server.outbox.gate.appended(10**6)
    caller = bounded.call("192.0.2.9")
    caller.send(Hello(version=PROTOCOL_VERSION, name="Anna", token=token))
    await bounded.turn()
    assert caller.peer.held > NEGLIGIBLE
    bounded.server.step(Stalled())
    caller.send_bytes(b"\xff" * 8)
    await bounded.turn()
    assert caller.line.ending == "closed", "but not gone yet"
    waiting = {send[0] for _, sends in bounded.server.outbox.gate._held for send in sends}
    assert caller.peer.number not in waiting
