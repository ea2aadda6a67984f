"""Records of finished matches: written, read again, and refused with a sentence when they are damaged."""

import json

import pytest

from client.core.record import LINES_MAX, BadRecord, Header, Record, dump, load
from protocol.outcome import Outcome
from protocol.server_frame import Turned

HEADER = Header(
    match="7K3M9QXZ",
    game="conquer",
    options={},
    names=("Ann", "Bob"),
    chance=(),
    outcome=Outcome(winner=1, reason="three_adjacent"),
)


def record(*territories: int, header: Header = HEADER) -> Record:
    """A match of Conquer with these claims."""
    return Record(
        header,
        tuple(
            Turned.model_validate(
                {
                    "seat": number % 2 + 1,
                    "move": {"kind": "claim", "territory": territory},
                    "chance": (),
                    "at": 1.5,
                }
            )
            for number, territory in enumerate(territories)
        ),
    )


def test_a_record_survives_being_written() -> None:
    assert load(dump(record(4, 7, 3, 5, 2))) == record(4, 7, 3, 5, 2)


def test_a_record_is_json_lines_as_the_server_writes_them() -> None:
    from server.core.transcript import Transcript, to_lines

    moves = [{"seat": 1, "move": {"kind": "claim", "territory": 4}, "chance": [], "at": 1.5}]
    lines = to_lines(Transcript("7K3M9QXZ", "conquer", {}, (1, 2), ("Ann", "Bob"), [], HEADER.outcome, moves))
    assert [json.loads(line) for line in lines] == [json.loads(line) for line in dump(record(4)).splitlines()]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is empty."),
        ("hello\n", "The file is not the record of a match; /save writes such files."),
        ("[1]\n", "The file is not the record of a match; /save writes such files."),
        ('{"name": "x"}\n', "The file is not the record of a match; /save writes such files."),
        ('{"conquest": 2}\n', "The record is of version 2, and this client knows version 1."),
        ('{"conquest": 1}\n', "Line 1 of the record is damaged: match: Field required."),
        (dump(record()) + "{\n", "Line 2 of the record is damaged: line: Invalid JSON"),
        (dump(record()) + '{"seat": 3}\n', "Line 2 of the record is damaged: seat: "),
        ("x\n" * (LINES_MAX + 1), f"The file has more than {LINES_MAX} lines; no match is that long."),
    ],
)
def test_a_damaged_record_is_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadRecord) as raised:
        load(text)
    assert str(raised.value).startswith(sentence)
