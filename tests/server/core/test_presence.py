"""Connections are let in while there is room, and closed with a reason when they are silent or late."""

import pytest

from protocol.client_frame import Depart, Ping, Watch
from protocol.limit import Limits
from protocol.refusal import CloseCode
from protocol.server_frame import Seated, Sighted, Welcome
from tests.server.driver import Hall, only


def closed_with(person):
    """Tell with which code somebody's last connection was ended, None while it stands."""
    return None if person.connection is not None else person.inbox[-1].code


@pytest.mark.parametrize(("seconds", "code"), [(4, None), (5, "hello_late"), (6, "hello_late")])
def test_limit_hello_timeout_s(seconds, code):
    hall = Hall(Limits(hello_timeout_s=5))
    person = hall.stranger("Anna")
    hall.wait(seconds)
    assert closed_with(person) == code


@pytest.mark.parametrize(("seconds", "code"), [(29, None), (30, "silent"), (31, "silent")])
def test_limit_dead_s(seconds, code):
    hall = Hall(Limits(dead_s=30))
    person = hall.person("Anna")
    assert person.last(Welcome).dead_s == 30
    person.is_lively = False
    hall.wait(seconds)
    assert closed_with(person) == code


def test_limit_dead_s_is_counted_from_the_last_frame():
    hall = Hall(Limits(dead_s=30))
    person = hall.person("Anna")
    person.is_lively = False
    hall.wait(29)
    person.ask(Ping)
    hall.wait(29)
    assert closed_with(person) is None


def test_who_departs_is_said_to_have_left_and_keeps_the_seat():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    carl = hall.person("Carl")
    carl.ask(Watch, match=code)
    anna.news(), carl.news()
    bert.ask(Depart)
    assert closed_with(bert) == "departed"
    gone = Sighted(match=code, seat=2, present=False, claim_in_s=60, on_purpose=True)
    assert anna.news() == carl.news() == [gone]
    assert only(Seated, bert.come_back()).seat == 2
    assert anna.news() == [Sighted(match=code, seat=2, present=True, claim_in_s=None)]
    bert.drop()
    assert not only(Sighted, anna.news()).on_purpose


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "full")])
def test_limit_connections(count, code):
    hall = Hall(Limits(connections=3))
    people = [hall.stranger(f"Guest {number}", f"192.0.2.{number}") for number in range(count)]
    assert closed_with(people[-1]) == code
    assert all(closed_with(person) is None for person in people[:-1])


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "full")])
def test_limit_connections_per_address(count, code):
    hall = Hall(Limits(connections_per_address=3))
    people = [hall.stranger(f"Guest {number}", "192.0.2.1") for number in range(count)]
    assert closed_with(people[-1]) == code
    assert closed_with(hall.stranger("Neighbour", "192.0.2.2")) is None


def test_limit_connections_per_address_takes_an_ipv6_household_for_one():
    hall = Hall(Limits(connections_per_address=2))
    inside = [hall.stranger("Guest", f"2001:db8:0:{number}::1") for number in range(3)]
    assert [closed_with(person) for person in inside] == [None, None, "full"]
    assert closed_with(hall.stranger("Neighbour", "2001:db8:0:100::1")) is None


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "full")])
def test_limit_connections_unwelcomed(count, code):
    hall = Hall(Limits(connections_unwelcomed=3))
    for number in range(5):
        hall.person(f"Welcome {number}")
    people = [hall.stranger(f"Guest {number}") for number in range(count)]
    assert closed_with(people[-1]) == code


def test_limit_connections_is_free_again_when_one_ends():
    hall = Hall(Limits(connections=1))
    hall.stranger("One").drop()
    assert closed_with(hall.stranger("Two")) is None


def test_every_close_code_of_the_kernel_is_a_sentence_for_people():
    hall = Hall(Limits(connections=1))
    hall.stranger("One")
    two = hall.stranger("Two")
    assert two.inbox[-1].code == CloseCode.FULL
    assert two.inbox[-1].text.endswith(".")
