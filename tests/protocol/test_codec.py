"""Every frame becomes exactly these bytes, and comes back from them however they arrive."""

import sys
import threading
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.choice import Choice
from protocol.client_frame import CallOff, ClientFrame, Create, Hello, Join, List, Ping, Play
from protocol.codec import (
    BadFrame,
    Splitter,
    begin_frame,
    decode_client,
    decode_server,
    encode,
    framed,
    pack_plain,
)
from protocol.games import grid
from protocol.limit import FRAME_TO_CLIENT, HEADER_LEN, PROTOCOL_VERSION, Limits
from protocol.outcome import Outcome
from protocol.refusal import CloseCode
from protocol.server_frame import Closed, Ended, Ponged, Shown, Told
from tests.protocol.strategy import CLIENT_FRAMES, SERVER_FRAMES, frames

MATCH = "7K3M9QXZ"
HIT = {"kind": "duel.attacked", "seat": 1, "met": "none", "damage": 2, "hp": [10, 8]}

# Whole numbers of every width, accents, nil, true and false, empty and nested containers: by hand.
TABLE = [
    (
        Hello(version=1, name="Zoë"),
        b"\0\0\0\x3a\x86\xa4type\xa5hello\xa7version\x01\xaccapabilities\x90\xa4name\xa4Zo\xc3\xab"
        b"\xa5token\xc0\xa4seen\x80",
    ),
    (
        Hello(version=1, name="Bob", token="t" * 43, seen={MATCH: 300}),
        b"\0\0\0\x71\x86\xa4type\xa5hello\xa7version\x01\xaccapabilities\x90\xa4name\xa3Bob"
        b"\xa5token\xd9\x2b" + b"t" * 43 + b"\xa4seen\x81\xa87K3M9QXZ\xcd\x01\x2c",
    ),
    (Ping(id=1), b"\0\0\0\x0f\x82\xa2id\x01\xa4type\xa4ping"),
    (List(id=127), b"\0\0\0\x1c\x84\xa2id\x7f\xa4type\xa4list\xa5match\xc0\xa4live\xc2"),
    (
        Create(id=128, game="grid", options={"size": "4"}, first="guest", private=True, clock_s=60),
        b"\0\0\0\x5c\x89\xa2id\xcc\x80\xa4type\xa6create\xa4game\xa4grid\xa7options\x81\xa4size\xa14"
        b"\xa5first\xa5guest\xa7private\xc3\xa7clock_s\x3c\xa5hints\xc2\xa9watchable\xc3",
    ),
    (Join(id=65536, match=MATCH), b"\0\0\0\x22\x83\xa2id\xce\0\x01\0\0\xa5match\xa87K3M9QXZ\xa4type\xa4join"),
    (
        Play(id=2**31 - 1, match=MATCH, turn=0, move={"kind": "pick", "number": 5}),
        b"\0\0\0\x40\x85\xa2id\xce\x7f\xff\xff\xff\xa5match\xa87K3M9QXZ\xa4type\xa4play\xa4turn\0"
        b"\xa4move\x82\xa4kind\xa4pick\xa6number\x05",
    ),
    (
        CallOff(id=6, match=MATCH, agree=False),
        b"\0\0\0\x28\x84\xa2id\x06\xa5match\xa87K3M9QXZ\xa4type\xa7calloff\xa5agree\xc2",
    ),
    (Ponged(re=1), b"\0\0\0\x11\x82\xa4type\xa6ponged\xa2re\x01"),
    (
        Closed(code=CloseCode.TOO_BIG, text="."),
        b"\0\0\0\x27\x84\xa4type\xa6closed\xa4code\xa7too_big\xa4text\xa1.\xa4kept\xc3",
    ),
    (
        Ended(re=9, match=MATCH, outcome=Outcome(winner=None, reason="called_off"), score=(1, 0)),
        b"\0\0\0\x4b\x85\xa4type\xa5ended\xa2re\x09\xa5match\xa87K3M9QXZ"
        b"\xa7outcome\x82\xa6winner\xc0\xa6reason\xaacalled_off\xa5score\x92\x01\0",
    ),
    (
        Shown(
            re=None,
            match=MATCH,
            turn=1,
            view=grid.View(
                viewer=2,
                to_act=(2,),
                size=2,
                cells=(1, 2, 0, 0),
                hands=(grid.HAND, grid.HAND),
                challenge=grid.Standing(cell=2, challenger=1, picked=(1,)),
                pick=None,
                sudden_death=False,
            ),
            legal=(Choice(kind="pick", values={"number": grid.HAND}),),
            first_event=3,
            events=(grid.Picked(seat=1),),
            left_ms=60000,
        ),
        b"\0\0\x01\x03\x89\xa4type\xa5shown\xa2re\xc0\xa5match\xa87K3M9QXZ\xa4turn\x01"
        b"\xa4view\x89\xa6viewer\x02\xa6to_act\x91\x02\xa4game\xa4grid\xa4size\x02\xa5cells\x94\x01\x02\0\0"
        b"\xa5hands\x92\x95\x01\x02\x03\x04\x05\x95\x01\x02\x03\x04\x05"
        b"\xa9challenge\x83\xa4cell\x02\xaachallenger\x01\xa6picked\x91\x01\xa4pick\xc0\xacsudden_death\xc2"
        b"\xa5legal\x91\x82\xa4kind\xa4pick\xa6values\x81\xa6number\x95\x01\x02\x03\x04\x05"
        b"\xabfirst_event\x03\xa6events\x91\x82\xa4kind\xabgrid.picked\xa4seat\x01\xa7left_ms\xcd\xea\x60",
    ),
]
STREAM = b"".join(data for _, data in TABLE)
BODIES = [data[HEADER_LEN:] for _, data in TABLE]

every_frame = pytest.mark.parametrize(("frame", "data"), TABLE, ids=[frame.type for frame, _ in TABLE])


def decode(frame, body):
    return decode_client(body) if isinstance(frame, ClientFrame) else decode_server(body)


@every_frame
def test_a_frame_becomes_its_bytes(frame, data):
    assert encode(frame) == data


@every_frame
def test_the_bytes_become_the_frame(frame, data):
    (body,) = Splitter().feed(data)
    assert decode(frame, body) == frame
    assert decode(frame, memoryview(body)) == frame


@every_frame
def test_a_frame_comes_back_from_single_bytes(frame, data):
    splitter = Splitter()
    for at, byte in enumerate(data[:-1]):
        assert splitter.feed(bytes([byte])) == []
        assert splitter.is_amid_frame(), f"byte {at} begins or continues a frame"
    assert splitter.feed(data[-1:]) == [data[HEADER_LEN:]]
    assert not splitter.is_amid_frame()


@every_frame
def test_a_frame_comes_back_from_any_two_pieces(frame, data):
    for cut in range(len(data) + 1):
        splitter = Splitter()
        assert splitter.feed(data[:cut]) + splitter.feed(data[cut:]) == [data[HEADER_LEN:]]


@every_frame
def test_what_follows_a_frame_waits_for_its_own_end(frame, data):
    for cut in range(1, len(data)):
        splitter = Splitter()
        assert splitter.feed(data + data[:cut]) == [data[HEADER_LEN:]]
        assert splitter.is_amid_frame()
        assert splitter.feed(memoryview(data)[cut:]) == [data[HEADER_LEN:]]


@every_frame
def test_one_byte_more_or_less_in_a_body_is_no_frame(frame, data):
    for body in (data[HEADER_LEN:] + b"\0", data[HEADER_LEN:-1], b"\0" + data[HEADER_LEN:]):
        with pytest.raises(BadFrame):
            decode(frame, body)


@every_frame
def test_no_frame_is_taken_for_one_of_the_other_direction(frame, data):
    wrong_way = decode_server if isinstance(frame, ClientFrame) else decode_client
    with pytest.raises(BadFrame) as bad:
        wrong_way(data[HEADER_LEN:])
    assert bad.value.code == CloseCode.BAD_FRAME


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 64, 1000, len(STREAM)])
def test_many_frames_come_back_in_order_from_pieces_of_any_size(size):
    splitter = Splitter()
    assert [b for at in range(0, len(STREAM), size) for b in splitter.feed(STREAM[at : at + size])] == BODIES


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
@settings(max_examples=100, deadline=None, derandomize=True)
def test_many_frames_come_back_in_order_however_they_were_cut(cuts):
    splitter = Splitter()
    places = [0, *sorted(cuts), len(STREAM)]
    assert [body for start, end in pairwise(places) for body in splitter.feed(STREAM[start:end])] == BODIES


def test_nothing_is_no_frame_and_no_beginning_of_one():
    splitter = Splitter()
    assert splitter.feed(b"") == []
    assert not splitter.is_amid_frame()


def test_an_empty_body_is_handed_over_and_is_no_frame():
    assert Splitter().feed(b"\0\0\0\0") == [b""]
    for decode_any in (decode_client, decode_server):
        with pytest.raises(BadFrame):
            decode_any(b"")


@pytest.mark.parametrize("limit", [1024, 4096, FRAME_TO_CLIENT])
def test_a_body_may_be_as_long_as_its_limit_and_no_longer(limit):
    for length in (limit - 1, limit):
        assert Splitter(limit).feed(length.to_bytes(4, "big") + bytes(length)) == [bytes(length)]
    with pytest.raises(BadFrame) as bad:
        Splitter(limit).feed((limit + 1).to_bytes(4, "big"))
    assert bad.value.code == CloseCode.TOO_BIG
    assert bad.value.text == f"A frame of {limit + 1} bytes is too big; {limit} is the limit."


def test_the_first_frame_has_a_limit_of_its_own():
    limits = Limits()
    longest_first, longest = limits.frame_before_hello, limits.frame
    first = longest_first.to_bytes(4, "big") + bytes(longest_first)
    later = longest.to_bytes(4, "big") + bytes(longest)
    assert [len(b) for b in Splitter(longest, longest_first).feed(first + later)] == [longest_first, longest]
    splitter = Splitter(longest, longest_first)
    with pytest.raises(BadFrame):
        splitter.feed((longest_first + 1).to_bytes(4, "big"))
    splitter = Splitter(longest, longest_first)
    splitter.feed(first)
    with pytest.raises(BadFrame):
        splitter.feed((longest + 1).to_bytes(4, "big"))


def test_a_length_is_judged_before_any_of_the_body_is_there():
    splitter = Splitter(4096)
    assert splitter.feed(b"\x7f\xff\xff") == []
    with pytest.raises(BadFrame):
        splitter.feed(b"\xff")


@given(frames(CLIENT_FRAMES))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_client_frame_comes_back_equal(frame):
    if isinstance(frame, Hello):
        frame = frame.model_copy(update={"version": PROTOCOL_VERSION})
    (body,) = Splitter().feed(encode(frame))
    assert decode_client(body) == frame


@given(frames(SERVER_FRAMES))
@settings(max_examples=300, deadline=None, derandomize=True)
def test_any_server_frame_comes_back_equal(frame):
    (body,) = Splitter().feed(encode(frame))
    assert decode_server(body) == frame


@pytest.mark.parametrize("count", [0, 1, 15, 16, 200])
def test_a_frame_may_be_put_together_of_parts(count):
    wanted = Told.model_validate({"match": MATCH, "first_event": 300, "events": [HIT] * count})
    events = [pack_plain(event.__dict__) for event in wanted.events]
    fields = {"type": "told", "match": MATCH, "first_event": 300}
    (whole,) = Splitter().feed(framed(begin_frame(Told, pack_plain("events"), events, fields)))
    assert decode_server(whole) == wanted
    begun = begin_frame(Told, pack_plain("events"), events, fields | {"first_event": 0}, is_open=True)
    assert decode_server(begun + pack_plain(7)) == wanted.model_copy(update={"first_event": 7})


@pytest.mark.parametrize("stray", [object(), Ping(id=1), {"a": {"b": [Ping(id=1)]}}])
def test_what_is_not_plain_is_in_no_part_of_a_frame(stray):
    with pytest.raises(TypeError):
        pack_plain(stray)
    with pytest.raises(TypeError):
        begin_frame(Told, pack_plain("events"), (), {"match": stray})


@pytest.fixture
def _restless():
    """Let threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_restless")
def test_frames_encoded_in_several_threads_do_not_mix():
    # A packer asks Python for the fields of each part, and there another thread may take over.
    wanted = TABLE[-1][1]
    wrong = []

    def encode_often():
        wrong.extend(data for _ in range(3000) if (data := encode(TABLE[-1][0])) != wanted)

    threads = [threading.Thread(target=encode_often) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
