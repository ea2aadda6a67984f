"""Hints and reviews: only where they were agreed, from what the asker can see, one at a time."""

import pytest

from protocol.frame import Hint, Hinted, Resign, Review, Reviewed
from protocol.games import TITLES
from protocol.limit import ARRAY_LEN
from protocol.refusal import RefusalCode
from server.core.kernel import Thought
from tests.server.driver import Hall, only


def asked(hall, person, kind, **fields):
    """Ask, let the server think, and return everything that came."""
    person.ask(kind, **fields)
    hall.think()
    return person.news()


@pytest.mark.parametrize("game", TITLES)
def test_a_hint_says_what_to_play_for_the_turn_at_hand(game):
    hall = Hall()
    anna, _, code = hall.pair(game, hints=True)
    hinted = only(Hinted, asked(hall, anna, Hint, match=code))
    assert (hinted.match, hinted.turn) == (code, 0)
    assert hinted.lines
    assert all(line.endswith(".") for line in hinted.lines)


def test_a_hint_must_have_been_agreed():
    hall = Hall()
    anna, _, code = hall.pair("conquer")
    assert anna.refused(Hint, match=code).code == RefusalCode.NO_HINTS
    assert not hall.thinks


def test_who_owes_no_move_gets_no_hint():
    hall = Hall()
    anna, bert, code = hall.pair("grid", hints=True)
    assert bert.refused(Hint, match=code).code == RefusalCode.NOT_YOUR_TURN
    anna.ask(Resign, match=code)
    assert anna.refused(Hint, match=code).code == RefusalCode.MATCH_OVER


def test_a_hint_for_a_secret_pick_does_not_depend_on_the_other_pick():
    told = set()
    for number in range(1, 6):
        hall = Hall()
        anna, bert, code = hall.pair("grid", hints=True)
        anna.play(code, "claim", cell=5)
        bert.play(code, "challenge", cell=5)
        bert.play(code, "pick", number=number)
        anna.news()
        told.add(only(Hinted, asked(hall, anna, Hint, match=code)).lines)
    assert len(told) == 1


def test_one_question_at_a_time():
    hall = Hall()
    anna, _, code = hall.pair("conquer", hints=True)
    anna.ask(Hint, match=code)
    assert anna.refused(Hint, match=code).code == RefusalCode.STILL_THINKING
    hall.think()
    assert only(Hinted, anna.news())
    assert only(Hinted, asked(hall, anna, Hint, match=code))


def test_a_finished_match_is_reviewed_for_its_players():
    hall = Hall()
    anna, _, code = hall.pair("conquer")
    anna.play(code, "claim", territory=1)
    assert anna.refused(Review, match=code).code == RefusalCode.NOT_OVER
    anna.ask(Resign, match=code)
    reviewed = only(Reviewed, asked(hall, anna, Review, match=code))
    assert any("Anna" in line for line in reviewed.lines)
    assert [line.strip()[:2] for line in reviewed.lines[1:3]] == ["1.", "2."]
    plain = only(Reviewed, asked(hall, anna, Review, match=code, ascii=True))
    assert all(line.isascii() for line in plain.lines)


def test_strangers_get_no_review():
    hall = Hall()
    anna, _, code = hall.pair("conquer")
    anna.ask(Resign, match=code)
    eve = hall.person("Eve", "192.0.2.66")
    assert eve.refused(Review, match=code).code == RefusalCode.NO_SUCH_MATCH


def test_what_cannot_be_worked_out_is_refused_and_may_be_asked_again():
    hall = Hall()
    anna, _, code = hall.pair("conquer", hints=True)
    anna.ask(Hint, match=code)
    (think,) = hall.thinks
    hall.thinks.clear()
    hall.step(Thought(think.connection, think.re, None))
    assert anna.news()[0].code == RefusalCode.NO_ADVICE
    assert only(Hinted, asked(hall, anna, Hint, match=code))


def test_an_answer_for_somebody_who_has_gone_is_dropped():
    hall = Hall()
    anna, _, code = hall.pair("conquer", hints=True)
    anna.ask(Hint, match=code)
    anna.drop()
    hall.think()
    assert not hall.faults


def test_of_a_long_match_the_last_moves_are_listed_and_the_rest_is_said_to_be_missing():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    for _ in range(200):
        anna.play(code, "heal")
        bert.play(code, "heal")
        hall.wait(1)
    anna.ask(Resign, match=code)
    anna.news()
    lines = only(Reviewed, asked(hall, anna, Review, match=code)).lines
    assert len(lines) == ARRAY_LEN
    assert "left out" in lines[1]
    missing = int(lines[1].split()[2])
    assert lines[2].strip().startswith(f"{missing + 1}.")
    assert any(line.strip().startswith("401.") for line in lines)
