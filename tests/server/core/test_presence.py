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
    for person in people:
        person.hello()
    assert [closed_with(person) for person in people] == [None] * (count - 1) + [code]


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "full")])
def test_limit_connections_per_address(count, code):
    hall = Hall(Limits(connections_per_address=3))
    people = [hall.person(f"Guest {number}", "192.0.2.1") for number in range(count - 1)]
    last = hall.stranger("Last", "192.0.2.1")
    last.hello()
    assert closed_with(last) == code
    assert all(closed_with(person) is None for person in people)
    assert hall.person("Neighbour", "192.0.2.2")


def test_limit_connections_per_address_takes_an_ipv6_household_for_one():
    hall = Hall(Limits(connections_per_address=2))
    inside = [hall.person("Guest", f"2001:db8:0:{number}::1") for number in range(2)]
    last = hall.stranger("Guest", "2001:db8:0:2::1")
    last.hello()
    assert [closed_with(person) for person in (*inside, last)] == [None, None, "full"]
    assert hall.person("Neighbour", "2001:db8:0:100::1")


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "full")])
def test_limit_connections_unwelcomed(count, code):
    hall = Hall(Limits(connections_unwelcomed=3))
    for number in range(5):
        hall.person(f"Welcome {number}")
    people = [hall.stranger(f"Guest {number}", f"192.0.2.{number}") for number in range(count)]
    assert closed_with(people[-1]) == code
    assert all(closed_with(person) is None for person in people[:-1])


def test_of_those_who_say_nothing_the_largest_neighbours_oldest_gives_way():
    hall = Hall(Limits(connections_unwelcomed=4))
    other = hall.stranger("Other", "192.0.2.2")
    eve = [hall.stranger("Eve", "192.0.2.9") for _ in range(3)]
    anna = hall.stranger("Anna", "192.0.2.1")
    assert [closed_with(each) for each in (other, anna, *eve)] == [None, None, "full", None, None]
    anna.hello()
    assert anna.last(Welcome)


def test_of_those_who_say_nothing_ones_own_oldest_gives_way_at_the_limit_of_an_address():
    hall = Hall(Limits(connections_per_address=3))
    people = [hall.stranger("Eve", "192.0.2.9") for _ in range(4)]
    assert [closed_with(each) for each in people] == ["full", None, None, None]


@pytest.mark.parametrize(("seconds", "codes"), [(0.9, [None, "full"]), (1, ["full", None])])
def test_where_each_has_one_who_has_said_nothing_for_a_second_gives_way(seconds, codes):
    hall = Hall(Limits(connections_unwelcomed=3))
    people = [hall.stranger("Eve", f"192.0.2.{number}") for number in range(3)]
    hall.now += seconds
    last = hall.stranger("Anna", "192.0.2.9")
    assert [closed_with(people[0]), closed_with(last)] == codes
    assert [closed_with(each) for each in people[1:]] == [None, None]


def neighbours(hall):
    """Seat two people of one address at a match."""
    anna, bert = hall.person("Anna"), hall.person("Bert")
    hall.begin(anna, bert, "duel")
    return anna, bert


def test_on_a_full_server_who_plays_nothing_gives_way_to_who_has_less():
    hall = Hall(Limits(connections=5))
    anna, bert = neighbours(hall)
    idle = hall.person("Carl")
    hall.person("Dora", "192.0.2.2"), hall.person("Emil", "192.0.2.3")
    newcomer = hall.stranger("Finn", "192.0.2.4")
    newcomer.hello()
    assert [closed_with(each) for each in (anna, bert, idle, newcomer)] == [None, None, "full", None]


def test_on_a_full_server_even_who_plays_gives_way_to_who_has_less_and_keeps_the_seat():
    hall = Hall(Limits(connections=3))
    anna, bert = neighbours(hall)
    hall.person("Carl", "192.0.2.2")
    newcomer = hall.stranger("Dora", "192.0.2.3")
    newcomer.hello()
    assert [closed_with(each) for each in (anna, bert, newcomer)] == ["full", None, None]
    newcomer.drop()
    assert only(Seated, anna.come_back()).seat == 1


@pytest.mark.parametrize("limits", [Limits(connections=3), Limits(connections_per_address=3)])
def test_who_has_a_seat_comes_back_though_a_neighbour_has_taken_the_last_place(limits):
    hall = Hall(limits)
    anna, bert = neighbours(hall)
    anna.drop()
    idle = [hall.person(name) for name in ("Carl", "Dora")]
    assert only(Seated, anna.come_back()).seat == 1
    assert [closed_with(each) for each in (bert, *idle)] == [None, "full", None]


def test_who_has_a_seat_comes_back_beyond_what_one_address_may_have():
    hall = Hall(Limits(connections_per_address=2))
    anna, _ = neighbours(hall)
    anna.drop()
    carl, emil = hall.person("Carl"), hall.stranger("Emil", "192.0.2.1")
    carl.create("duel")
    emil.hello()
    assert closed_with(emil) == "full"
    assert only(Seated, anna.come_back()).seat == 1
    assert closed_with(carl) is None


def test_who_connects_again_takes_the_place_that_was_theirs():
    hall = Hall(Limits(connections=2))
    anna, bert = neighbours(hall)
    assert only(Seated, anna.come_back()).seat == 1
    assert closed_with(bert) is None


@pytest.mark.parametrize(("count", "code"), [(2, None), (3, None), (4, "full")])
def test_limit_connections_by_relay(count, code):
    hall = Hall(Limits(connections_by_relay=3))
    people = [hall.person(f"Guest {number}", f"relay:{number}") for number in range(count - 1)]
    people.append(hall.stranger("Last", "relay:last"))
    people[-1].hello()
    assert closed_with(people[-1]) == code
    assert all(closed_with(person) is None for person in people[:-1])
    assert closed_with(hall.stranger("Neighbour")) is None


@pytest.mark.parametrize(("count", "code"), [(1, None), (2, None), (3, "full")])
def test_limit_connections_by_relay_leaves_others_half_the_room_before_the_hello(count, code):
    hall = Hall(Limits(connections_unwelcomed=4))
    people = [hall.stranger(f"Guest {number}", f"relay:{number}") for number in range(count)]
    assert closed_with(people[-1]) == code
    assert closed_with(hall.stranger("Neighbour")) is None


def test_limit_connections_per_address_tells_a_relays_guests_apart_by_what_it_says():
    hall = Hall(Limits(connections_per_address=2))
    flood = [hall.stranger("Eve", "relay:eve") for _ in range(3)]
    assert [closed_with(one) for one in flood] == ["full", None, None]
    friend = hall.stranger("Friend", "relay:friend")
    assert [closed_with(one) for one in (*flood[1:], friend)] == [None, None, None]


def test_limit_connections_is_free_again_when_one_ends():
    hall = Hall(Limits(connections=1))
    hall.person("One").drop()
    assert hall.person("Two")


def test_every_close_code_of_the_kernel_is_a_sentence_for_people():
    hall = Hall(Limits(connections=1))
    hall.person("One")
    two = hall.stranger("Two")
    two.hello()
    assert two.inbox[-1].code == CloseCode.FULL
    assert two.inbox[-1].text.endswith(".")
