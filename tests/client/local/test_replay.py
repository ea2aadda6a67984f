"""Records played again by the rules, and refused where these do not allow it."""

import pytest

from client.core.record import BadRecord, Record
from client.local.replay import replayed
from protocol.outcome import Outcome
from tests.client.core.test_record import HEADER, record

LIE = Outcome(winner=2, reason="three_adjacent")


def test_a_record_is_played_again_by_the_rules() -> None:
    steps = replayed(record(4, 7, 3, 5, 2))
    assert [step.seat for step in steps] == [0, 1, 2, 1, 2, 1]
    assert [step.number for step in steps] == list(range(6))
    assert steps[-1].view.to_act == ()
    assert [event.kind for event in steps[-1].events] == ["conquer.claimed", "conquer.won"]


@pytest.mark.parametrize(
    ("damaged", "sentence"),
    [
        (record(4, 4), "The record does not follow the rules: Territory 4 is claimed already."),
        (record(4, 9), "The record does not follow the rules: move 2 is no move of this game."),
        (
            record(header=HEADER.model_copy(update={"game": "chess"})),
            "The record is of a game that is not known here: 'chess'.",
        ),
        (
            record(header=HEADER.model_copy(update={"options": {"size": "3"}})),
            "The record does not follow the rules: Conquer has no option 'size'",
        ),
        (
            record(header=HEADER.model_copy(update={"game": "digit"})),
            "The record does not follow the rules: recorded chance does not fit",
        ),
        (
            record(4, 7, 3, 5, 2, header=HEADER.model_copy(update={"outcome": LIE})),
            "The record claims an end that its moves do not give.",
        ),
    ],
)
def test_a_record_that_breaks_the_rules_is_a_sentence(damaged: Record, sentence: str) -> None:
    with pytest.raises(BadRecord) as raised:
        replayed(damaged)
    assert str(raised.value).startswith(sentence)
