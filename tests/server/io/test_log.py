"""The log: readable by people or by programs, and silent about secrets."""

import io
import json
import logging

import pytest

from protocol.client_frame import Chat, Ping, Resign
from server.io.log import MOST, WITHIN_S, Counting, Human, JsonLines, set_up
from tests.server.driver import Hall


def record(message, *arguments, **facts):
    made = logging.LogRecord("conquest.server", logging.INFO, __file__, 1, message, arguments, None)
    if facts:
        made.facts = facts
    return made


def test_people_get_a_time_an_event_and_its_facts():
    line = Human().format(record("closed", address="192.0.2.1", code="silent"))
    assert line[2:3] == line[5:6] == ":"
    assert line[8:] == " closed address=192.0.2.1 code=silent"
    assert Human().format(record("It is %s.", "late"))[8:] == " It is late."


def test_programs_get_an_object_a_line():
    line = JsonLines().format(record("closed", connection=7, code="silent"))
    found = json.loads(line)
    assert (found["level"], found["event"], found["connection"], found["code"]) == (
        "info",
        "closed",
        7,
        "silent",
    )
    assert found["at"].endswith("+00:00")
    assert "\n" not in JsonLines().format(record("two\nlines"))


def test_the_trace_of_a_bug_is_logged():
    made = record("A fault of ours.")
    try:
        raise ZeroDivisionError("seven by nothing")
    except ZeroDivisionError as problem:
        made.exc_info = (type(problem), problem, problem.__traceback__)
    assert Human().format(made).endswith("ZeroDivisionError: seven by nothing")
    assert json.loads(JsonLines().format(made))["trace"].endswith("ZeroDivisionError: seven by nothing")


@pytest.fixture
def counting():
    made = Counting(io.StringIO())
    made.setFormatter(JsonLines())
    return made


def write(counting, lines, at, message="closed", **facts):
    for number in range(lines):
        made = record(message, **facts, connection=number)
        made.created = at
        counting.handle(made)


def written(counting):
    """Return what was written since the last look, one line after the other."""
    lines = [json.loads(line) for line in counting.stream.getvalue().splitlines()]
    counting.stream.seek(0)
    counting.stream.truncate()
    return [(line["event"], line.get("code"), line.get("more")) for line in lines]


@pytest.mark.parametrize(("lines", "more"), [(MOST - 1, 0), (MOST, 0), (MOST + 1, 1), (5000, 5000 - MOST)])
def test_of_a_kind_only_some_lines_are_written_in_a_minute_and_the_others_counted(counting, lines, more):
    write(counting, lines, 100.0, code="full")
    assert written(counting) == [("closed", "full", None)] * (lines - more)
    counting.finish(100 + WITHIN_S - 0.1)
    assert written(counting) == []
    counting.finish(100 + WITHIN_S)
    assert written(counting) == [("closed", "full", more)] * bool(more)
    counting.finish(100 + 2 * WITHIN_S)
    assert written(counting) == []


def test_a_kind_that_is_often_written_hides_no_other(counting):
    write(counting, 50, 100.0, code="full")
    written(counting)
    write(counting, 1, 100.0, code="silent")
    write(counting, 1, 100.0, message="created")
    assert written(counting) == [("closed", "silent", None), ("created", None, None)]


def test_the_next_minute_begins_with_what_was_counted_in_the_last(counting):
    write(counting, MOST + 3, 100.0, code="full")
    written(counting)
    write(counting, 1, 100 + WITHIN_S, code="full")
    assert written(counting) == [("closed", "full", 3), ("closed", "full", None)]


def test_what_was_counted_is_told_at_the_end(counting):
    write(counting, MOST + 2, 100.0, code="full")
    written(counting)
    counting.close()
    assert written(counting) == [("closed", "full", 2)]


def test_a_trace_is_counted_like_any_other_line(counting):
    write(counting, MOST + 1, 100.0, message="A fault of ours.")
    assert len(written(counting)) == MOST


def test_set_up_twice_logs_once(capsys):
    logger = logging.getLogger("conquest")
    before = logger.handlers[:], logger.level, logger.propagate
    try:
        for is_json in (False, True):
            set_up(is_json)
        logger.info("hello")
    finally:
        logger.handlers[:], logger.level, logger.propagate = before
    assert json.loads(capsys.readouterr().err)["event"] == "hello"


def test_an_evening_leaves_no_secret_in_the_log():
    hall = Hall()
    anna, bert, code = hall.pair("grid")
    tokens = [anna.token, bert.token]
    anna.play(code, "claim", cell=5)
    bert.play(code, "challenge", cell=5)
    bert.play(code, "pick", number=4)
    anna.ask(Chat, match=code, text="xyzzy")
    bert.drop()
    bert.come_back()
    bert.ask(Ping)
    anna.ask(Resign, match=code)
    hall.wait(4000)
    told = repr(hall.log)
    for secret in (*tokens, bert.token, code, "xyzzy", "pick", "Anna", "Bert"):
        assert secret not in told
    assert [event for event, _ in hall.log][:5] == ["welcomed", "welcomed", "created", "begun", "welcomed"]
