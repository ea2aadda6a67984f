"""Our own bugs: each freezes the one match in which it showed itself, and tells its players nothing of it."""

from dataclasses import replace

import pytest

from protocol.client_frame import CallOff, Chat, Claim, Join, Leave, List, Play, Resign
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Ended, Seated, Shown, Welcome
from server.games import GAMES
from tests.server.driver import Hall, kinds, only

SECRET = "the innermost of the server"


class Breakable:
    """A game of which the test can break a part while it is being played."""

    def __init__(self, monkeypatch, game):
        self.broken = None
        whole = GAMES[game]
        parts = ("setup", "advance", "view", "to_act")
        wrapped = {name: self._wrapped(name, getattr(whole, name)) for name in parts}
        monkeypatch.setitem(GAMES, game, replace(whole, **wrapped))

    def _wrapped(self, name, part):
        def call(*arguments):
            if self.broken == name:
                raise ZeroDivisionError(SECRET)
            return part(*arguments)

        return call


@pytest.fixture
def duel(monkeypatch):
    return Breakable(monkeypatch, "duel")


def test_a_bug_in_a_move_freezes_the_match_and_only_that(duel):
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    other = hall.begin(anna, bert, "duel")
    kept = len(hall.disk.kept)
    bert.news()
    duel.broken = "advance"
    (no,) = anna.play(code, "attack")
    duel.broken = None
    assert no.code == RefusalCode.MATCH_FROZEN
    assert bert.news() == []
    assert len(hall.disk.kept) == kept
    assert kinds(anna.play(other, "attack")) == ["shown"]


def test_the_trace_goes_to_the_log_and_nothing_of_it_to_the_players(duel):
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    duel.broken = "advance"
    anna.play(code, "attack")
    (trace,) = hall.faults
    assert "ZeroDivisionError" in trace
    for person in (anna, bert):
        assert SECRET.encode() not in person.bytes
        assert b"ZeroDivision" not in person.bytes


@pytest.mark.parametrize("kind", [Play, Resign, CallOff, Chat, Claim, Leave, Join])
def test_nothing_is_done_with_a_frozen_match_any_more(duel, kind):
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    duel.broken = "advance"
    anna.play(code, "attack")
    duel.broken = None
    extra = {Play: {"turn": 0, "move": {"kind": "heal"}}, Chat: {"text": "hm"}}.get(kind, {})
    no = anna.refused(kind, match=code, **extra)
    assert no.code == RefusalCode.MATCH_FROZEN
    assert "fault of the server" in no.text


@pytest.mark.parametrize("part", ["advance", "view"])
def test_a_restart_brings_a_frozen_match_back_as_it_was_before_the_bug(duel, part):
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.play(code, "heal")
    duel.broken = part
    bert.play(code, "attack")
    duel.broken = None
    assert hall.match(code).is_frozen
    hall.restart()
    assert hall.damage == []
    assert (hall.match(code).is_frozen, hall.match(code).moves) == (False, 1)
    bert.come_back()
    assert kinds(bert.play(code, "attack")) == ["shown"]


def test_coming_back_works_with_a_frozen_match_among_others(duel):
    hall = Hall()
    anna, bert, frozen = hall.pair("duel")
    other = hall.begin(anna, bert, "galaxy")
    duel.broken = "advance"
    anna.play(frozen, "attack")
    anna.drop()
    frames = anna.come_back()
    assert only(Welcome, frames).matches == (frozen, other)
    assert [frame.match for frame in frames if isinstance(frame, Seated)] == [frozen, other]
    assert only(Shown, frames).match == other


def test_a_bug_that_shows_itself_on_coming_back_costs_one_attempt(duel):
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    other = hall.begin(anna, bert, "galaxy")
    anna.drop()
    duel.broken = "view"
    (closed,) = anna.come_back()
    assert closed.code == CloseCode.FAULT
    assert hall.match(code).is_frozen
    assert not hall.match(other).is_frozen
    assert only(Shown, anna.come_back()).match == other


def test_a_bug_at_the_start_of_a_match_leaves_it_unlisted(duel):
    hall = Hall()
    anna, bert = hall.person("Anna"), hall.person("Bert")
    code = anna.create("duel")
    duel.broken = "setup"
    (no,) = bert.ask(Join, match=code)
    assert no.code == RefusalCode.MATCH_FROZEN
    (listed,) = bert.ask(List)
    assert (listed.matches, listed.total) == ((), 0)


def test_a_bug_in_one_match_at_the_tick_does_not_take_back_what_happened_to_others(monkeypatch, duel):
    hall = Hall()
    anna, bert, before = hall.pair("galaxy", clock_s=30)
    broken = hall.begin(anna, bert, "duel", clock_s=30)
    after = hall.begin(anna, bert, "conquer", clock_s=30)
    duel.broken = "view"
    hall.wait(30)
    assert len(hall.faults) == 1
    assert hall.match(broken).is_frozen
    ended = {frame.match: frame.outcome.winner for frame in anna.inbox if isinstance(frame, Ended)}
    assert ended == {before: 2, after: 2}
    duel.broken = None
    hall.restart()
    assert hall.damage == []
    for code in (before, after):
        assert hall.match(code).outcome.reason == "clock"
    assert hall.match(broken).is_running()


def test_a_frozen_match_is_never_put_away_so_that_a_restart_can_bring_it_back(duel):
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    duel.broken = "view"
    anna.ask(Resign, match=code)
    duel.broken = None
    anna.drop(), bert.drop()
    hall.now += hall.limits.open_kept_s
    hall.wait(2)
    assert code in hall.world.matches
    hall.restart()
    assert hall.damage == []
    assert hall.match(code).is_running()


def test_faults_are_counted(duel):
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    duel.broken = "advance"
    anna.play(code, "attack")
    assert hall.world.counts["faults"] == 1
