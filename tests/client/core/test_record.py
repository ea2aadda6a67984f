"""Records of finished matches: written, read again, and refused with a sentence when they are damaged."""

import json

import pytest

from client.core.record import LINES_MAX, BadRecord, Header, Record, dump, is_cut_short, load
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
    lines = to_lines(Transcript("7K3M9QXZ", "conquer", {}, ("Ann", "Bob"), [], HEADER.outcome, moves))
    assert [json.loads(line) for line in lines] == [json.loads(line) for line in dump(record(4)).splitlines()]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "The file is empty."),
        ("hello\n", "The file is not the record of a match; /save writes such files."),
        ("[1]\n", "The file is not the record of a match; /save writes such files."),
        ('{"name": "x"}\n', "The file is not the record of a match; /save writes such files."),
        ('{"conquest": "1"}\n', "The file is not the record of a match; /save writes such files."),
        ('{"conquest": ' + "[" * 100_000, "The file is not the record of a match; /save writes such files."),
        ('{"conquest": 2}\n', "The record is not of version 1, which this client knows."),
        ('{"conquest": 1}\n', "Line 1 of the record is damaged: match: Field required."),
        (dump(record()) + "{\n", "Line 2 of the record is damaged: line: Invalid JSON"),
        (dump(record()) + '{"seat": 3}\n', "Line 2 of the record is damaged: seat: "),
        (dump(record()) + "[" * 100_000, "Line 2 of the record is damaged: line: Invalid JSON"),
        ("x\n" * (LINES_MAX + 1), f"The file has more than {LINES_MAX} lines; no match is that long."),
    ],
)
def test_a_damaged_record_is_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadRecord) as raised:
        load(text)
    assert str(raised.value).startswith(sentence)


def test_a_sentence_about_a_record_is_short_whatever_its_fields_are_called() -> None:
    text = json.dumps({"conquest": 1} | json.loads(dump(record())) | {"x" * 100_000: 1})
    with pytest.raises(BadRecord, match=r"Line 1 of the record is damaged: x+: Extra inputs") as raised:
        load(text)
    assert len(str(raised.value)) < 200


WON = Outcome(winner=1, reason="three_adjacent")


@pytest.mark.parametrize(
    ("claimed", "reached", "is_short"),
    [
        (WON, WON, False),
        (WON, None, True),
        *((Outcome(winner=2, reason=reason), None, False) for reason in ("resigned", "clock", "abandoned")),
        *(
            (Outcome(winner=None, reason=reason), None, False)
            for reason in ("clock", "abandoned", "called_off", "move_cap")
        ),
    ],
)
def test_a_record_ends_as_its_moves_do_or_from_outside_the_game_or_lacks_moves(
    claimed: Outcome, reached: Outcome | None, is_short: bool
) -> None:
    assert is_cut_short(claimed, reached) is is_short


@pytest.mark.parametrize(
    ("claimed", "reached"),
    [
        (Outcome(winner=2, reason="three_adjacent"), WON),
        (Outcome(winner=2, reason="resigned"), WON),
        (Outcome(winner=None, reason="called_off"), WON),
        (Outcome(winner=None, reason="resigned"), None),
        (Outcome(winner=1, reason="called_off"), None),
        (Outcome(winner=1, reason="move_cap"), None),
    ],
)
def test_a_record_cannot_claim_an_end_that_its_moves_do_not_give(
    claimed: Outcome, reached: Outcome | None
) -> None:
    with pytest.raises(BadRecord, match="claims an end that its moves do not give"):
        is_cut_short(claimed, reached)
