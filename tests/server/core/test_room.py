"""Nobody can take all the room there is: for matches, for rematches, for those that are over."""

from dataclasses import replace

import pytest

from protocol.client_frame import Create, Join, Rematch, Resign
from protocol.limit import Limits
from protocol.refusal import RefusalCode
from protocol.server_frame import Left, Seated
from server.core.kernel import HANDLERS
from tests.server.driver import Hall, only

NARROW = Limits(matches=24, matches_per_address=24, creates_per_address=1000, matches_per_player=4)


def crowd(count):
    """List addresses from which nobody else comes."""
    return [f"203.0.113.{number}" for number in range(count)]


def fill(hall, address, begin=False):
    """Open matches from an address until there is no room for another, one connection at a time."""
    for number in range(1000):
        host = hall.person(f"Mallory {number}", address)
        for _ in range(NARROW.matches_per_player):
            (answer,) = host.ask(Create, game="duel")
            if answer.type == "refused":
                return
            if begin:
                guest = hall.person(f"Mallet {number}", address)
                guest.ask(Join, match=answer.match)
                guest.drop()
        host.drop()


@pytest.mark.parametrize("begin", [False, True], ids=["waiting", "running"])
@pytest.mark.parametrize(("count", "each"), [(1, 24), (3, 24), (20, 1)])
def test_whoever_opens_all_matches_that_are_let_leaves_room_for_others(count, each, begin):
    hall = Hall(replace(NARROW, matches_per_address=each))
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    for address in crowd(count):
        fill(hall, address, begin)
    for again in (False, True):
        if again:
            hall.restart()
            anna.come_back(), bert.come_back()
            code = next(iter(hall.world.sessions.find(anna.token).seated))
            anna.ask(Resign, match=code)
        assert isinstance(hall.person("New", f"198.51.100.{again:d}").ask(Create, game="duel")[0], Seated)
        anna.ask(Rematch, match=code)
        assert only(Seated, bert.ask(Rematch, match=code)).previous == code


def test_whoever_has_opened_most_gives_way_when_there_is_no_room_left():
    hall = Hall(Limits(matches=12, matches_per_address=8, matches_per_player=8))
    first, second = hall.person("First", "203.0.113.1"), hall.person("Second", "203.0.113.2")
    first_codes = [first.create("duel") for _ in range(6)]
    second_codes = [second.create("duel") for _ in range(2)]
    third = [hall.person(f"Guest {n}", f"198.51.100.{n}").create("duel") for n in range(5)]
    assert set(hall.world.matches) == {*first_codes[1:], *second_codes, *third}
    assert first.news() == [Left(re=None, match=first_codes[0])]


def test_those_who_wait_for_a_friend_give_way_to_nobody_who_has_as_many():
    hall = Hall(Limits(matches=4, matches_per_address=4))
    codes = [hall.person(f"Host {n}", f"198.51.100.{n}").create("duel") for n in range(4)]
    late = hall.person("Late", "198.51.100.9")
    assert late.refused(Create, game="duel").code == RefusalCode.TOO_MANY_MATCHES
    assert list(hall.world.matches) == codes


def test_matches_that_one_address_ends_take_no_finished_match_from_others():
    hall = Hall(Limits(matches=6, matches_per_address=4, creates_per_address=1000))
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    for number in range(20):
        one, two = (hall.person(f"{name} {number}", "203.0.113.1") for name in ("One", "Two"))
        one.ask(Resign, match=hall.begin(one, two, "duel"))
        one.drop(), two.drop()
        hall.wait(1)
    assert len(hall.world.budget.finished) == 5
    anna.ask(Rematch, match=code)
    assert only(Seated, bert.ask(Rematch, match=code)).previous == code


def test_nothing_is_worked_out_for_anybody():
    """Hints and reviews are the clients' work: a request is answered from memory, or by a record."""
    assert {kind.model_fields["type"].default for kind in HANDLERS} == {
        *("list", "create", "join", "leave", "watch"),
        *("play", "chat", "resign", "claim", "calloff", "rematch"),
        *("export", "depart"),
    }
