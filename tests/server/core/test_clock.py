"""The clock of a move: kept by the server, through stalls and restarts, and never against the rules."""

import pytest

from protocol.client_frame import Claim, Play, Resign
from protocol.outcome import CLOCK
from protocol.refusal import RefusalCode
from protocol.server_frame import Ended, Shown
from server.core.input import Recovered, Stalled
from tests.server.driver import Hall, kinds, only


def test_a3_a_lost_clock_loses_the_match_by_the_tick():
    hall = Hall()
    anna, bert, code = hall.pair("duel", clock_s=30)
    hall.wait(29)
    assert hall.match(code).outcome is None
    hall.wait(1)
    for person in (anna, bert):
        ended = person.last(Ended)
        assert (ended.outcome.winner, ended.outcome.reason, ended.score) == (2, "clock", (0, 1))
        assert person.last(Shown).legal == ()
        assert person.last(Shown).left_ms is None


def test_a3_a_move_that_comes_after_its_time_is_too_late():
    hall = Hall()
    anna, bert, code = hall.pair("duel", clock_s=30)
    hall.now += 30
    frames = anna.play(code, "attack")
    assert kinds(frames) == ["shown", "ended", "refused"]
    assert only(Ended, frames).outcome.winner == 2
    assert frames[-1].code == RefusalCode.MATCH_OVER
    assert hall.match(code).moves == 0
    assert bert.last(Ended).outcome.reason == "clock"


def test_a_move_in_the_last_moment_is_in_time():
    hall = Hall()
    anna, _bert, code = hall.pair("duel", clock_s=30)
    hall.now += 29.999
    assert kinds(anna.play(code, "attack")) == ["shown"]


def test_the_one_who_waits_is_not_told_that_it_was_their_time():
    hall = Hall()
    _anna, bert, code = hall.pair("duel", clock_s=30)
    hall.now += 31
    no = bert.play(code, "attack")[-1]
    assert no.code == RefusalCode.MATCH_OVER
    assert "our time" not in no.text


def test_every_turn_has_the_whole_time():
    hall = Hall()
    anna, bert, code = hall.pair("duel", clock_s=30)
    hall.wait(20)
    assert only(Shown, anna.play(code, "heal")).left_ms == 30_000
    hall.wait(25)
    assert only(Shown, bert.play(code, "heal")).left_ms == 30_000


def test_a_match_without_a_clock_waits_for_ever():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    hall.wait(3000)
    assert hall.match(code).outcome is None
    assert anna.last(Shown).left_ms is None


def standing_challenge(hall):
    """Bring a match to where both owe a pick; both were asked at the same moment."""
    anna, bert, code = hall.pair("grid", clock_s=30)
    anna.play(code, "claim", cell=5)
    bert.play(code, "challenge", cell=5)
    return anna, bert, code


def test_when_both_let_the_time_for_their_picks_run_out_nobody_wins():
    hall = Hall()
    anna, _bert, code = standing_challenge(hall)
    hall.wait(30)
    assert (anna.last(Ended).outcome.winner, anna.last(Ended).outcome.reason) == (None, "clock")
    assert hall.match(code).score == (0, 0)


@pytest.mark.parametrize("picker", [1, 2])
def test_when_one_has_picked_the_other_alone_loses_by_the_clock(picker):
    hall = Hall()
    anna, bert, code = standing_challenge(hall)
    hall.wait(10)
    (anna, bert)[picker - 1].play(code, "pick", number=3)
    assert anna.last(Shown).left_ms == 20_000, "the first pick gives nobody more time"
    hall.wait(20)
    assert anna.last(Ended).outcome.winner == picker


def test_the_clock_of_a_finished_match_stands():
    hall = Hall()
    anna, _bert, code = hall.pair("duel", clock_s=30)
    anna.ask(Resign, match=code)
    hall.wait(60)
    assert hall.match(code).outcome.reason == "resigned"
    assert hall.world.clocked == {}


def left_s(hall, code):
    return hall.match(code).deadline - hall.now


def test_a_restart_counts_only_the_time_for_which_the_server_was_up():
    hall = Hall()
    _anna, _bert, code = hall.pair("duel", clock_s=60)
    hall.wait(20)
    hall.restart(down_s=5000)
    assert 40 <= left_s(hall, code) <= 45


def test_a_restart_forgives_a_short_clock_no_more_than_a_second():
    hall = Hall()
    _anna, _bert, code = hall.pair("duel", clock_s=6)
    hall.wait(2)
    hall.now += 0.5
    hall.restart(down_s=1000)
    assert 3.5 <= left_s(hall, code) <= 4.5


def test_every_further_restart_forgives_its_own_pause_too():
    hall = Hall()
    anna, bert, code = hall.pair("duel", clock_s=60)
    for _ in range(4):
        hall.wait(10)
        hall.restart(down_s=1000)
    assert 20 <= left_s(hall, code) <= 40
    for person in (anna, bert):
        person.come_back()
    hall.wait(41)
    assert anna.last(Ended).outcome.reason == "clock"


def test_a_restart_right_after_a_move_gives_the_whole_time():
    hall = Hall()
    anna, _bert, code = hall.pair("duel", clock_s=60)
    hall.wait(20)
    anna.play(code, "heal")
    hall.restart(down_s=1000)
    assert left_s(hall, code) == 60


def test_a_time_when_nothing_could_be_saved_is_not_counted_even_after_a_restart():
    hall = Hall()
    _anna, _bert, code = hall.pair("duel", clock_s=60)
    hall.wait(10)
    hall.step(Stalled())
    hall.wait(500)
    hall.step(Recovered())
    assert left_s(hall, code) == 50
    hall.wait(10)
    hall.restart(down_s=100)
    assert 40 <= left_s(hall, code) <= 45


def test_pauses_are_forgotten_when_no_running_turn_saw_them():
    hall = Hall()
    anna, bert, code = hall.pair("duel", clock_s=3600)
    for _ in range(5):
        hall.wait(10)
        hall.restart(down_s=100)
    for person in (anna, bert):
        person.come_back()
    anna.play(code, "heal")
    hall.wait(10)
    (alive,) = [fact for fact in hall.disk.facts() if fact.key == "alive"]
    assert alive.body["pauses"] == []


def test_the_time_is_written_down_only_while_a_clock_runs():
    hall = Hall()
    anna, _bert, code = hall.pair("duel", clock_s=3600)
    hall.wait(30)
    writes = len(hall.disk.kept)
    anna.ask(Resign, match=code)
    hall.wait(30)
    assert len(hall.disk.kept) == writes + 1, "the end, and nothing else"


def test_a_claim_after_a_restart_waits_for_the_whole_grace_time_and_no_longer():
    hall = Hall()
    anna, _bert, code = hall.pair("duel", clock_s=3600)
    hall.wait(20)
    hall.restart(down_s=1000)
    anna.come_back()
    hall.wait(59)
    assert anna.refused(Claim, match=code).code == RefusalCode.NOT_ABSENT
    hall.wait(1)
    assert only(Ended, anna.ask(Claim, match=code)).outcome.winner == 1


def test_a_stale_move_after_a_lost_clock_is_told_that_the_match_is_over():
    hall = Hall()
    anna, _bert, code = hall.pair("duel", clock_s=30)
    hall.wait(30)
    no = anna.refused(Play, match=code, turn=0, move={"kind": "heal"})
    assert no.code == RefusalCode.MATCH_OVER


def test_a_wall_clock_that_was_set_back_while_the_server_was_down_gives_nobody_more_time():
    hall = Hall()
    anna, _bert, code = hall.pair("duel", clock_s=60)
    hall.wait(20)
    hall.restart(down_s=-3600)
    hall.now = hall.world.now
    anna.come_back()
    assert 40_000 <= anna.last(Shown).left_ms <= 46_000
    hall.wait(46)
    assert hall.match(code).outcome.reason == CLOCK


def test_a_wall_clock_that_was_set_back_while_no_clock_ran_costs_nobody_time_later():
    hall = Hall()
    anna, bert, code = hall.pair("duel", clock_s=60)
    hall.wait(20)
    anna.ask(Resign, match=code)
    hall.restart(down_s=-3600)
    anna.come_back()
    bert.come_back()
    _anna, _bert, code = hall.pair("duel", clock_s=60)
    hall.restart(down_s=10)
    assert left_s(hall, code) == 60
