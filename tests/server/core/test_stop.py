"""The end of a server: everybody is told why it ends and what is kept, and nobody is blamed for it."""

import pytest

from protocol.client_frame import Leave, Resign, Watch
from protocol.refusal import CloseCode
from protocol.server_frame import Closed, Left, Seated, Sighted
from server.core.input import Leaving, Stopping
from tests.server.driver import Hall, kinds, only

REASONS = [CloseCode.STOPPING, CloseCode.HOST_LEFT, CloseCode.FAULT]


def with_a_spectator(hall):
    anna, bert, code = hall.pair("duel")
    carl = hall.person("Carl")
    carl.ask(Watch, match=code)
    people = anna, bert, carl
    for person in people:
        person.news()
    return people, code


@pytest.mark.parametrize("code", REASONS)
@pytest.mark.parametrize("is_kept", [True, False])
def test_everybody_is_told_why_it_ends_and_whether_matches_are_kept_and_nothing_of_the_others(code, is_kept):
    hall = Hall()
    people, _ = with_a_spectator(hall)
    hall.step(Stopping(code, is_kept))
    for person in people:
        (closed,) = person.news()
        assert isinstance(closed, Closed)
        assert (closed.code, closed.kept) == (code, is_kept)
        assert person.connection is None


def test_a_host_who_leaves_has_not_lost_the_connection():
    hall = Hall()
    (anna, bert, carl), _ = with_a_spectator(hall)
    hall.step(Leaving())
    anna.drop()
    assert bert.news() == carl.news() == []
    hall.step(Stopping(CloseCode.HOST_LEFT))
    assert kinds(bert.news()) == kinds(carl.news()) == ["closed"]


def test_a_host_who_leaves_can_still_put_a_finished_match_away():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    bert.news()
    hall.step(Leaving())
    assert only(Left, anna.ask(Leave, match=code)).match == code
    anna.drop()
    assert kinds(bert.news()) == ["sighted"]


def test_who_is_back_first_after_a_stop_sees_that_the_opponent_is_not():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    hall.step(Stopping())
    hall.restart()
    frames = bert.come_back()
    assert only(Seated, frames).present == (False, True)
    assert only(Sighted, frames) == Sighted(match=code, seat=1, present=False, claim_in_s=60)
    bert.news()
    anna.come_back()
    assert bert.news() == [Sighted(match=code, seat=1, present=True, claim_in_s=None)]
