"""What a relay and its visitors say: one table of lines and bytes, read and written, in any pieces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.relay import (
    FROM_RELAY,
    TO_RELAY,
    BadLine,
    Guest,
    Host,
    Join,
    Lines,
    No,
    Ok,
    Ping,
    Pong,
    Proof,
    Prove,
    Take,
    parse_line,
    to_sign,
    word_code,
    written,
)

KEY = "uU0nuZNNPgilLlLX2n2r-sSE7-N6U4DukIj3rOLvzek"
HOST = Host(KEY, 7717, "[fd00::7]:9000")
TO = {
    f"conquest-relay 1 join {KEY} 7717": Join(KEY, 7717),
    f"conquest-relay 1 host {KEY} 7717 [fd00::7]:9000": HOST,
    f"conquest-relay 1 take {KEY}": Take(KEY),
    "proof MIIB-_ MEUC -": Proof("MIIB-_", "MEUC", "-"),
    "ping": Ping(),
}
FROM = {
    f"prove {KEY} word": Prove(KEY, "word"),
    f"guest {KEY} 0123456789abcdef": Guest(KEY, "0123456789abcdef"),
    "ok": Ok(),
    "no absent": No("absent"),
    "pong": Pong(),
}
TABLES = [
    *((text, line, TO_RELAY) for text, line in TO.items()),
    *((text, line, FROM_RELAY) for text, line in FROM.items()),
]


@pytest.mark.parametrize(("text", "line", "table"), TABLES)
def test_a_line_is_read_as_it_is_written(text, line, table):
    assert parse_line(text.encode(), table) == line
    assert written(line) == f"{text}\n".encode()


def test_the_tables_above_have_every_line():
    assert {type(line) for line in TO.values()} == TO_RELAY.keys()
    assert {type(line) for line in FROM.values()} == FROM_RELAY.keys()


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("", TO_RELAY),
        ("PING", TO_RELAY),
        ("ping ", TO_RELAY),
        ("ping\r", TO_RELAY),
        ("pong", TO_RELAY),
        ("ping", FROM_RELAY),
        (f"conquest-relay 2 join {KEY} 7717", TO_RELAY),
        (f"conquest-relay 1 join {KEY[1:]} 7717", TO_RELAY),
        (f"conquest-relay 1 join {KEY} 0", TO_RELAY),
        (f"conquest-relay 1 join {KEY} 07717", TO_RELAY),
        (f"conquest-relay 1 join {KEY} 7717 7717", TO_RELAY),
        (f"conquest-relay 1 host {KEY} 7717 a b", TO_RELAY),
        (f"prove {KEY} perhaps", FROM_RELAY),
        (f"guest {KEY} {'a' * 44}", FROM_RELAY),
        ("no", FROM_RELAY),
        ("no \u00e4", FROM_RELAY),
    ],
)
def test_what_is_no_line_is_refused(text, table):
    with pytest.raises(BadLine):
        parse_line(text.encode(), table)


@given(cuts=st.lists(st.integers(0, 400)))
@settings(max_examples=200)
def test_lines_come_out_whole_however_they_are_cut(cuts):
    said = b"".join(written(line) for line in TO.values()) + b"conquest-rel"
    lines, heard, at = Lines(), [], 0
    for cut in [*sorted(cuts), len(said)]:
        heard += lines.feed(said[at:cut])
        at = max(at, cut)
    assert [parse_line(line, TO_RELAY) for line in heard] == list(TO.values())
    assert lines.rest == b"conquest-rel"


@pytest.mark.parametrize("pieces", [1, 3, 1000])
@pytest.mark.parametrize(("length", "is_taken"), [(9, True), (10, True), (11, False)])
@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_has_a_greatest_length(pieces, length, is_taken, end):
    lines, said = Lines(most=10), b"x" * length + end
    parts = [said[at : at + pieces] for at in range(0, len(said), pieces)]
    if is_taken:
        assert b"".join(line for part in parts for line in lines.feed(part)) + lines.rest == b"x" * length
    else:
        with pytest.raises(BadLine):
            [lines.feed(part) for part in parts]
        assert lines.rest == b"", "nothing of it is kept"


def test_what_is_signed_differs_by_challenge_host_port_and_relay():
    signed = [
        to_sign(HOST, KEY),
        to_sign(HOST, KEY[::-1]),
        to_sign(Host(KEY[::-1], 7717, HOST.relay), KEY),
        to_sign(Host(KEY, 7718, HOST.relay), KEY),
        to_sign(Host(KEY, 7717, "example.org:9000"), KEY),
    ]
    assert len(set(signed)) == 5
    assert all(text.startswith(b"conquest-relay 1 proof ") for text in signed)


def test_the_word_is_not_said_and_its_code_is_good_for_one_challenge():
    codes = {word_code(word, HOST, key) for word in ("heron", "crane") for key in (KEY, KEY[::-1])}
    assert len(codes) == 4
    assert all(len(code) == 43 for code in codes)
