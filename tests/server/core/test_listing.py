"""The list of matches is true whenever somebody asks, and is made once however many ask."""

from unittest.mock import patch

from protocol.client_frame import Join, Leave, List, Resign
from protocol.limit import Limits
from server.core import listing
from tests.server.driver import Hall


def listed(person, **fields):
    (frame,) = person.ask(List, **fields)
    return frame


def codes(person, **fields):
    return [match.match for match in listed(person, **fields).matches]


def test_whatever_comes_and_goes_is_seen_by_whoever_asks_next():
    hall = Hall()
    anna, bert, carl = (hall.person(name) for name in ("Anna", "Bert", "Carl"))
    assert codes(carl) == codes(carl, live=True) == []
    code = anna.create("duel")
    assert codes(carl) == [code]
    anna.drop()
    assert codes(carl) == []
    anna.come_back()
    assert codes(carl) == [code]
    bert.ask(Join, match=code)
    assert (codes(carl), codes(carl, live=True)) == ([], [code])
    anna.drop(), bert.drop()
    assert codes(carl, live=True) == []
    anna.come_back()
    assert codes(carl, live=True) == [code]
    anna.ask(Resign, match=code)
    assert codes(carl, live=True) == []
    code = anna.create("duel")
    assert codes(carl) == [code]
    anna.ask(Leave, match=code)
    assert codes(carl) == []


def test_a_list_is_made_once_for_all_who_ask_and_answers_each():
    hall = Hall(Limits(frames_burst=100))
    hall.person("Anna").create("duel")
    people = [hall.person(f"Guest {number}") for number in range(20)]
    with patch.object(listing, "_packed", wraps=listing._packed) as packed:
        answers = [listed(person) for person in people for _ in range(5)]
    assert packed.call_count == 1
    assert [answer.re for answer in answers] == [1, 2, 3, 4, 5] * 20


def test_ages_and_moves_are_a_second_old_at_most():
    hall = Hall()
    carl = hall.person("Carl")
    anna = hall.person("Anna")
    anna.create("duel")
    assert listed(carl).matches[0].age_s == 0
    hall.wait(1)
    assert listed(carl).matches[0].age_s == 1


def test_one_address_does_not_fill_the_page_when_others_wait_too():
    hall = Hall(Limits(matches_per_address=100, matches_per_player=100))
    early = [hall.person(f"Host {n}", f"198.51.100.{n}").create("duel") for n in range(5)]
    mallory = hall.person("Mallory", "203.0.113.1")
    for _ in range(50):
        mallory.create("duel")
    other = hall.person("Mallet", "203.0.113.2")
    for _ in range(30):
        other.create("duel")
    found = listed(mallory)
    assert (len(found.matches), found.total) == (64, 85)
    assert [match.match for match in found.matches][-5:] == early[::-1]
