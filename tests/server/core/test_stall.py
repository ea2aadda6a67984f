"""A disk that fails: the players are told, nothing is taken that could not be kept, and no time is lost."""

import pytest

from protocol.client_frame import (
    CallOff,
    Chat,
    Claim,
    Create,
    Depart,
    Export,
    Join,
    Leave,
    List,
    MatchRequest,
    Ping,
    Play,
    Rematch,
    Request,
    Resign,
    Watch,
)
from protocol.limit import Limits
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Ended, Noticed, Shown, Sighted
from server.core.input import Recovered, Stalled
from tests.server.driver import Hall, kinds, only

REQUESTS = [
    (List, {}),
    (Depart, {}),
    (Create, {"game": "duel"}),
    *((kind, {"match": True}) for kind in (Join, Watch, Leave, Resign, CallOff, Rematch, Claim, Export)),
    (Play, {"match": True, "turn": 0, "move": {"kind": "attack"}}),
    (Chat, {"match": True, "text": "hello"}),
]


def stalled(hall):
    """Seat two people, and let the disk fail."""
    anna, bert, code = hall.pair("duel", clock_s=60)
    anna.news(), bert.news()
    hall.step(Stalled())
    return anna, bert, code


def test_everybody_welcome_is_told_at_once_and_again_when_it_is_over():
    hall = Hall()
    stranger = hall.stranger("Nobody")
    anna, bert, _code = stalled(hall)
    for person in (anna, bert):
        (notice,) = person.news()
        assert (notice.type, notice.code) == ("noticed", "cannot_save")
    hall.step(Recovered())
    for person in (anna, bert):
        assert [frame.code for frame in person.news()] == ["saving_again"]
    assert stranger.inbox == []


@pytest.mark.parametrize(("kind", "fields"), REQUESTS, ids=[kind.__name__ for kind, _ in REQUESTS])
def test_every_request_is_refused_and_nothing_changes(kind, fields):
    hall = Hall()
    anna, _bert, code = stalled(hall)
    fields = {**fields, "match": code} if "match" in fields else fields
    no = anna.refused(kind, **fields)
    assert no.code == RefusalCode.CANNOT_SAVE
    assert "cannot save" in no.text


def test_every_request_is_tried():
    made = {kind for kind, _ in REQUESTS}
    assert made == (set(Request.__subclasses__()) | set(MatchRequest.__subclasses__())) - {MatchRequest, Ping}


def test_a_ping_is_answered():
    anna, _bert, _code = stalled(Hall())
    assert kinds(anna.ask(Ping)) == ["ponged"]


@pytest.mark.parametrize("is_back", [False, True], ids=["new", "back"])
def test_a_hello_is_refused_and_can_be_said_again_later(is_back):
    hall = Hall()
    anna, _bert, _code = stalled(hall)
    guest = anna if is_back else hall.stranger("Carl")
    if is_back:
        anna.drop()
        anna.connect()
    before = hall.portrait()
    (no,) = guest.hello(guest.token)
    assert (no.re, no.code) == (0, RefusalCode.CANNOT_SAVE)
    assert hall.portrait() == before
    hall.step(Recovered())
    assert kinds(guest.hello(guest.token))[0] == "welcome"


def test_clocks_stand_still():
    hall = Hall()
    anna, bert, code = stalled(hall)
    hall.wait(1000)
    assert hall.match(code).outcome is None
    hall.step(Recovered())
    hall.wait(59)
    assert hall.match(code).outcome is None
    hall.wait(1)
    assert bert.last(Ended).outcome.winner == 2
    assert anna.last(Shown).left_ms is None


def test_the_wait_for_a_claim_stands_still_too():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.drop()
    hall.wait(50)
    hall.step(Stalled())
    hall.wait(1000)
    hall.step(Recovered())
    assert anna.refused(Claim, match=code).text.endswith("wait 11 s more.")
    hall.wait(10)
    assert only(Ended, anna.ask(Claim, match=code)).outcome.winner == 1


def test_who_goes_away_meanwhile_has_the_whole_grace_time_and_no_more():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    hall.step(Stalled())
    hall.wait(90)
    bert.drop()
    hall.wait(10)
    hall.step(Recovered())
    hall.wait(59)
    anna.refused(Claim, match=code)
    hall.wait(1)
    assert only(Ended, anna.ask(Claim, match=code)).outcome.winner == 1


def test_nothing_is_put_away_or_written_meanwhile():
    hall = Hall(Limits(finished_kept_s=10, open_kept_s=10, session_idle_s=10))
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    anna.create("grid")
    anna.drop(), bert.drop()
    hall.step(Stalled())
    before = hall.portrait()
    hall.wait(100)
    assert hall.portrait() == before


def test_silent_connections_are_still_ended():
    hall = Hall()
    anna, bert, code = stalled(hall)
    bert.is_lively = False
    hall.wait(31)
    assert bert.inbox[-1].code == CloseCode.SILENT
    assert anna.last(Sighted).seat == 2
    assert bert.connection is None
    assert hall.match(code).is_running()


def test_afterwards_the_match_goes_on():
    hall = Hall()
    anna, bert, code = stalled(hall)
    anna.refused(Play, match=code, turn=0, move={"kind": "attack"})
    hall.step(Recovered())
    bert.news()
    assert kinds(anna.play(code, "attack")) == ["shown"]
    assert kinds(bert.news()) == ["shown"]


def test_what_was_taken_before_is_shown_when_it_is_durable_and_not_earlier():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.news()
    hall.is_instant = False
    anna.play(code, "attack")
    hall.step(Stalled())
    assert kinds(bert.news()) == ["noticed"]
    hall.sync()
    assert kinds(bert.news()) == ["shown"]
    hall.step(Recovered())
    assert bert.news() == [Noticed(code="saving_again", text="The server can save again; the match goes on.")]


def test_stalls_are_counted():
    hall = Hall()
    stalled(hall)
    assert hall.world.counts["stalls"] == 1
