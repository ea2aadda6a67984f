"""Whatever bytes arrive, the worst that happens is one `BadFrame`, and it costs little."""

import tracemalloc

import msgpack
import pytest

from protocol.client_frame import Chat, Play
from protocol.codec import BadFrame, Splitter, decode_client, decode_server
from protocol.limit import (
    ARRAY_LEN,
    DEPTH,
    HEADER_LEN,
    MAP_LEN,
    PROTOCOL_VERSION,
    STR_LEN,
    Limits,
)
from protocol.refusal import CloseCode

MATCH = "7K3M9QXZ"
PING = {"id": 1, "type": "ping"}
PLAY = {"id": 1, "type": "play", "match": MATCH, "turn": 0, "move": {"kind": "heal"}}
NIL, TRUE = b"\xc0", b"\xc3"


def bad(body, decode=decode_client):
    """Decode what must not be a frame, and hand back the complaint."""
    with pytest.raises(BadFrame) as caught:
        decode(body)
    problem = caught.value
    assert problem.text.endswith(".")
    assert problem.text.isprintable()
    assert len(problem.text.encode()) <= STR_LEN
    return problem


def ping_with(packed):
    """Pack a Ping with one more field, whose value is already packed."""
    return b"\x83\xa2id\x01\xa4type\xa4ping\xa4more" + packed


def nested(depth):
    """Nest so many lists into one another."""
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


PERVERSE = {
    "nothing": b"",
    "nil": NIL,
    "a number": b"\x01",
    "a text": b"\xa4ping",
    "a list": b"\x90",
    "an empty map": b"\x80",
    "a byte that means nothing": b"\xc1",
    "a map without its end": b"\x82\xa2id\x01",
    "two values": b"\x80\x80",
    "the same key twice": b"\x83\xa2id\x01\xa2id\x02\xa4type\xa4ping",
    "the same key and value twice": b"\x83\xa2id\x01\xa4type\xa4ping\xa4type\xa4ping",
    "the same key twice, deeper": b"\x83\xa2id\x01\xa4type\xa4ping\xa1x\x82\xa1a\x01\xa1a\x01",
    "a key of bytes": b"\x82\xc4\x02id\x01\xa4type\xa4ping",
    "an empty key of bytes": ping_with(NIL).replace(b"\xa4more", b"\xc4\x00"),
    "a key that is a number": b"\x83\x01\x01\xa2id\x01\xa4type\xa4ping",
    "a key that is nil": b"\x83\xc0\x01\xa2id\x01\xa4type\xa4ping",
    "a key that is true": b"\x83\xc3\x01\xa2id\x01\xa4type\xa4ping",
    "a key that is a list": b"\x83\x90\x01\xa2id\x01\xa4type\xa4ping",
    "an extension": ping_with(b"\xd4\x05\x00"),
    "an empty extension": ping_with(b"\xc7\x00\x05"),
    "a timestamp": ping_with(b"\xd6\xff\x00\x00\x00\x00"),
    "a long timestamp": ping_with(b"\xc7\x0c\xff" + bytes(12)),
    "an empty timestamp": ping_with(b"\xc7\x00\xff"),
    "bytes": ping_with(b"\xc4\x01a"),
    "no bytes": ping_with(b"\xc4\x00"),
    "invalid UTF-8": ping_with(b"\xa1\xff"),
    "an overlong NUL": ping_with(b"\xa2\xc0\x80"),
    "half of a surrogate pair": ping_with(b"\xa3\xed\xa0\x80"),
    "a key of invalid UTF-8": b"\x83\xa2id\x01\xa4type\xa4ping\xa1\xff\x01",
    "an unknown field": ping_with(NIL),
}


@pytest.mark.parametrize("body", PERVERSE.values(), ids=PERVERSE)
def test_bytes_that_are_no_frame_are_called_so(body):
    for decode in (decode_client, decode_server):
        assert bad(body, decode).code == CloseCode.BAD_FRAME


@pytest.mark.parametrize(
    "number",
    [
        True,
        False,
        None,
        0,
        -1,
        1.0,
        float("nan"),
        float("inf"),
        "1",
        2**31,
        2**63,
        2**64 - 1,
        -(2**63),
        [1],
        {},
    ],
    ids=str,
)
def test_only_a_whole_number_in_its_range_is_an_id(number):
    bad(msgpack.packb({"id": number, "type": "ping"}))


@pytest.mark.parametrize(
    "change",
    [
        {"type": "pong"},
        {"type": "shown"},
        {"type": None},
        {"type": 1},
        {"type": ["play"]},
        {"type": {"play": 1}},
        {"match": "7k3m9qxz"},
        {"match": MATCH + "\n"},
        {"match": "7K3M-9QXZ"},
        {"match": "7K3M9QXU"},
        {"match": ""},
        {"turn": None},
        {"turn": True},
        {"turn": 0.0},
        {"turn": -1},
        {"move": None},
        {"move": []},
        {"move": "heal"},
        {"move": {"kind": None}},
        {"move": {"kind": True}},
        {"move": {"kind": 0.5}},
        {"move": {"kind": float("nan")}},
        {"move": {"kind": ["heal"]}},
        {"move": {"kind": "h" * 65}},
        {"move": {"k" * 65: 1}},
        {"move": {str(number): number for number in range(9)}},
        {"seat": 2},
        {"re": 1},
    ],
    ids=str,
)
def test_a_play_with_anything_wrong_about_it_is_no_frame(change):
    assert decode_client(msgpack.packb(PLAY)) == Play(**PLAY)
    assert bad(msgpack.packb(PLAY | change)).code == CloseCode.BAD_FRAME


@pytest.mark.parametrize("missing", PLAY)
def test_a_play_with_anything_missing_is_no_frame(missing):
    bad(msgpack.packb({key: value for key, value in PLAY.items() if key != missing}))


def test_a_move_may_hold_any_whole_number_that_can_travel():
    for number in (-(2**63), 2**64 - 1):
        frame = decode_client(msgpack.packb(PLAY | {"move": {"kind": "attack", "ship": number}}))
        assert frame.move["ship"] == number


def test_a_complaint_does_not_hand_hostile_text_back():
    for hostile in ("\x1b[2J" * 200, "\u202e" * 300, "\U0001f600" * 400, "k" * STR_LEN):
        bad(msgpack.packb(PING | {hostile: 1}))
        bad(msgpack.packb(PING | {"type": hostile}))
        bad(msgpack.packb(PLAY | {"move": {hostile: 1}}))


def test_a_text_may_be_so_many_bytes_and_no_more():
    chat = {"id": 1, "type": "chat", "match": MATCH}
    for length in (STR_LEN - 1, STR_LEN):
        assert decode_client(msgpack.packb(chat | {"text": "a" * length})).text == "a" * length
    assert bad(msgpack.packb(chat | {"text": "a" * (STR_LEN + 1)}))
    assert decode_client(msgpack.packb(chat | {"text": "é" * (STR_LEN // 2)})) == Chat(
        id=1, match=MATCH, text="é" * (STR_LEN // 2)
    )
    assert bad(msgpack.packb(chat | {"text": "é" * (STR_LEN // 2) + "a"}))


def told(count):
    event = {"kind": "digit.reshuffled"}
    return {"type": "told", "match": MATCH, "first_event": 0, "events": [event] * count}


def test_a_list_may_have_so_many_items_and_no_more():
    for count in (ARRAY_LEN - 1, ARRAY_LEN):
        assert len(decode_server(msgpack.packb(told(count))).events) == count
    assert "MessagePack within the limits" in bad(msgpack.packb(told(ARRAY_LEN + 1)), decode_server).text


def test_a_map_may_have_so_many_keys_and_no_more():
    for count in (MAP_LEN - 1, MAP_LEN):
        complaint = bad(msgpack.packb({str(key): key for key in range(count)}))
        assert "MessagePack" not in complaint.text
    assert (
        "MessagePack within the limits"
        in bad(msgpack.packb({str(key): key for key in range(MAP_LEN + 1)})).text
    )


def test_a_frame_may_be_nested_so_deep_and_no_deeper():
    for lists in (DEPTH - 2, DEPTH - 1):
        assert "deeper" not in bad(msgpack.packb(PING | {"more": nested(lists)})).text
    for lists in (DEPTH, DEPTH + 1, 500, 1022):
        assert f"nested deeper than {DEPTH}" in bad(msgpack.packb(PING | {"more": nested(lists)})).text
    deep_maps = {"a": {}}
    for _ in range(DEPTH):
        deep_maps = {"a": deep_maps}
    assert f"nested deeper than {DEPTH}" in bad(msgpack.packb(deep_maps)).text


BOMBS = {
    "lists that claim 256 items each": b"\xdc\x01\x00",
    "lists that claim 4 billion items each": b"\xdd\xff\xff\xff\xff",
    "lists that claim 257 items each": b"\xdc\x01\x01",
    "maps that claim 64 keys each": b"\xde\x00\x40\xa1a",
    "maps that claim 4 billion keys each": b"\xdf\xff\xff\xff\xff\xa1a",
    "lists of one list": b"\x91",
    "lists of fifteen": b"\x9f",
    "empty lists": b"\x90",
    "texts that claim 4 billion bytes": b"\xdb\xff\xff\xff\xff",
    "bytes that claim 4 billion bytes": b"\xc6\xff\xff\xff\xff",
    "extensions that claim 4 billion bytes": b"\xc9\xff\xff\xff\xff\x01",
}


@pytest.mark.parametrize("bite", BOMBS.values(), ids=BOMBS)
def test_a_frame_that_claims_more_than_it_holds_costs_little_memory(bite):
    body = (b"\x81\xa1a" + bite * 4096)[: Limits().frame]
    tracemalloc.start()
    try:
        bad(body)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 3 * 1024 * 1024


@pytest.mark.parametrize("version", [0, 2, 7, -1, 2**64 - 1])
def test_another_version_is_told_who_must_update(version):
    who = "your client" if version < PROTOCOL_VERSION else "the server"
    complaint = bad(msgpack.packb({"type": "hello", "version": version, "name": "Bob"}))
    assert complaint.code == CloseCode.BAD_VERSION
    assert complaint.text == (
        f"This server speaks version {PROTOCOL_VERSION} of the Conquest protocol and your client version "
        f"{version}: update {who} to play together."
    )


@pytest.mark.parametrize(
    "rest",
    [{}, {"name": 7}, {"nickname": "Bob", "proof": [1, 2], "keys": {"a": 1}}, {"token": {"new": "kind"}}],
)
def test_a_hello_of_the_future_may_look_different_and_is_still_told(rest):
    complaint = bad(msgpack.packb({"type": "hello", "version": PROTOCOL_VERSION + 1} | rest))
    assert complaint.code == CloseCode.BAD_VERSION
    assert "update the server" in complaint.text


@pytest.mark.parametrize("version", [None, "1", True + 0.5, [1], {}])
def test_a_hello_without_a_version_is_told_to_update(version):
    complaint = bad(msgpack.packb({"type": "hello", "version": version, "name": "Bob"}))
    assert complaint.code == CloseCode.BAD_VERSION
    assert "your client names none: update your client" in complaint.text
    assert bad(msgpack.packb({"type": "hello", "name": "Bob"})).code == CloseCode.BAD_VERSION


@pytest.mark.parametrize("version", [True, 1.0])
def test_what_only_equals_the_version_is_no_version(version):
    assert (
        bad(msgpack.packb({"type": "hello", "version": version, "name": "Bob"})).code == CloseCode.BAD_FRAME
    )


OPENINGS = {
    "a browser": (b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "not a web server"),
    "a form": (b"POST /login HTTP/1.1\r\n", "not a web server"),
    "a proxy": (b"CONNECT example.org:443 HTTP/1.1\r\n", "not a web server"),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "not a web server"),
    "TLS": (bytes.fromhex("160301020001"), "not encrypted; connect without TLS"),
    "TLS of any version": (bytes.fromhex("16030300"), "not encrypted; connect without TLS"),
    "SSH": (b"SSH-2.0-OpenSSH_9.2\r\n", "not its protocol"),
    "a mail server's client": (b"EHLO example.org\r\n", "not its protocol"),
    "Redis": (b"*1\r\n$4\r\nPING\r\n", "not its protocol"),
    "a remote desktop": (bytes.fromhex("0300002c27e00000"), "not its protocol"),
    "noise": (bytes.fromhex("f1e2d3c4b5a69788"), "not its protocol"),
}


@pytest.mark.parametrize(("opening", "sentence"), OPENINGS.values(), ids=OPENINGS)
def test_what_was_never_meant_for_us_is_recognised_by_its_first_bytes(opening, sentence):
    limits = Limits()
    with pytest.raises(BadFrame) as caught:
        Splitter(limits.frame, limits.frame_before_hello).feed(opening)
    assert caught.value.code == CloseCode.NOT_OURS
    assert sentence in caught.value.text
    splitter = Splitter(limits.frame, limits.frame_before_hello)
    for byte in opening[: HEADER_LEN - 1]:
        assert splitter.feed(bytes([byte])) == []
    with pytest.raises(BadFrame, match=sentence):
        splitter.feed(opening[HEADER_LEN - 1 :])


def test_a_web_servers_answer_is_no_frame_for_a_client_either():
    with pytest.raises(BadFrame):
        Splitter().feed(b"HTTP/1.1 400 Bad Request\r\n")
