"""Players are remembered while there is room, and forgotten only when they are away and play nothing."""

import pytest

from protocol.client_frame import Leave, Resign
from protocol.limit import Limits
from tests.server.core.test_presence import closed_with
from tests.server.driver import Hall, kinds


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "full")])
def test_limit_sessions(count, code):
    hall = Hall(Limits(sessions=3))
    people = [hall.person(f"Guest {number}") for number in range(count)]
    assert closed_with(people[-1]) == code


def test_limit_sessions_is_no_way_to_keep_everybody_out():
    hall = Hall(Limits(sessions=5))
    anna, bert, code = hall.pair("duel")
    for number in range(20):
        hall.person(f"Visitor {number}").drop()
    assert closed_with(hall.person("Friend")) is None
    assert len(hall.world.sessions) == 5
    anna.drop()
    bert.drop()
    for number in range(20):
        hall.person(f"Visitor {number}").drop()
    for person in (anna, bert):
        assert kinds(person.come_back())[0] == "welcome", "who has a seat is not forgotten"
    assert hall.match(code).is_running()


def test_limit_sessions_is_kept_by_forgetting_first_who_never_played():
    hall = Hall(Limits(sessions=3))
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    anna.ask(Leave, match=code)
    bert.ask(Leave, match=code)
    anna.drop()
    visitor = hall.person("Visitor")
    visitor.drop()
    hall.person("Friend")
    assert kinds(anna.come_back()) == ["welcome"]
    assert closed_with(anna) is None
    anna.drop()
    hall.person("Another")
    assert kinds(anna.come_back()) == ["closed"], "now there was nobody else"


def test_limit_sessions_is_kept_by_forgetting_first_those_of_whoever_has_left_most():
    hall = Hall(Limits(sessions=6))
    friend = hall.person("Friend", "198.51.100.1")
    friend.drop()
    for number in range(20):
        hall.person(f"Mallory {number}", "203.0.113.1").drop()
    assert kinds(friend.come_back()) == ["welcome"]


@pytest.mark.parametrize(("seconds", "is_known"), [(99, True), (100, False), (101, False)])
def test_limit_session_idle_s(seconds, is_known):
    hall = Hall(Limits(session_idle_s=100))
    person = hall.person("Anna")
    code = person.create("duel")
    person.ask(Leave, match=code)
    person.drop()
    hall.wait(seconds)
    assert (len(hall.world.sessions) == 1) == is_known
    assert any(fact.key.startswith("session:") for fact in hall.disk.facts()) == is_known
    assert kinds(person.come_back()) == (["welcome"] if is_known else ["closed"])


def test_limit_session_idle_s_is_not_for_players_with_a_match():
    hall = Hall(Limits(session_idle_s=100))
    anna = hall.person("Anna")
    anna.create("duel")
    anna.drop()
    hall.wait(200)
    assert len(hall.world.sessions) == 1
