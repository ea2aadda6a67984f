"""Made-up bytes and made-up values: each is a frame, or it is a `BadFrame`; nothing else ever comes of it."""

import contextlib

import msgpack
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.codec import BadFrame, Splitter, decode_client, decode_server
from tests.protocol.strategy import CLIENT_FRAMES, SERVER_FRAMES

FIRST, LATER = 10, 20
MATCH = "7K3M9QXZ"
PING = {"id": 1, "type": "ping"}
PLAY = {"id": 1, "type": "play", "match": MATCH, "turn": 0, "move": {"kind": "heal"}}
HELLO = {"type": "hello", "version": 1, "name": "Bob", "seen": {MATCH: 3}}

KEYS = st.sampled_from(
    [
        "id",
        "type",
        "match",
        "turn",
        "move",
        "kind",
        "version",
        "name",
        "seen",
        "options",
        "re",
        "view",
        "events",
    ]
) | st.text(max_size=4)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats()
    | st.sampled_from(["hello", "play", "create", "shown", "told", MATCH, "galaxy", "grid.won", "attack"])
    | st.text(max_size=8)
    | st.binary(max_size=4)
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=12,
)

modestly = settings(max_examples=200, deadline=None, derandomize=True)


def decoded(body):
    """Decode a body in both directions; hand back the frames that it made."""
    made = []
    for decode, kinds in ((decode_client, CLIENT_FRAMES), (decode_server, SERVER_FRAMES)):
        with contextlib.suppress(BadFrame):
            frame = decode(body)
            assert type(frame) in kinds
            made.append(frame)
    return made


@given(st.binary(max_size=80))
@modestly
def test_any_bytes(body):
    decoded(body)


@given(st.dictionaries(KEYS, TREES, max_size=8))
@modestly
def test_any_map(raw):
    decoded(msgpack.packb(raw))


@pytest.mark.parametrize("raw", [PING, PLAY, HELLO], ids=["ping", "play", "hello"])
@given(data=st.data())
@modestly
def test_a_frame_with_one_value_exchanged(raw, data):
    decoded(msgpack.packb(raw | {data.draw(st.sampled_from(list(raw))): data.draw(TREES)}))


@pytest.mark.parametrize("raw", [PING, PLAY, HELLO], ids=["ping", "play", "hello"])
@given(data=st.data())
@modestly
def test_a_frame_with_some_bytes_exchanged(raw, data):
    body = bytearray(msgpack.packb(raw))
    for _ in range(data.draw(st.integers(1, 3))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    decoded(bytes(body))


@given(st.lists(st.binary(max_size=40), max_size=8))
@modestly
def test_any_stream_is_cut_into_bodies_within_the_limits(chunks):
    splitter = Splitter(LATER, FIRST)
    bodies = []
    with contextlib.suppress(BadFrame):
        for chunk in chunks:
            bodies += splitter.feed(chunk)
    assert all(len(body) <= LATER for body in bodies)
    assert all(len(body) <= FIRST for body in bodies[:1])
    assert (
        b"".join(len(body).to_bytes(4, "big") + body for body in bodies)
        == b"".join(chunks)[: sum(4 + len(body) for body in bodies)]
    )
