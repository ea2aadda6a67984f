"""Saying hello, and coming back: a client that drops at any moment finds exactly its match again."""

import pytest

from protocol.client_frame import CallOff, Create, List, Rematch, Resign, Watch
from protocol.limit import PROTOCOL_VERSION, Limits
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Ended, Offered, Seated, Shown, Sighted, Told, Welcome
from server.core.input import Received
from tests.server.driver import Hall, kinds, only


def test_resume_shows_the_match_the_events_that_were_missed_and_whose_turn_it_is():
    hall = Hall()
    anna, bert, code = hall.pair("conquer")
    bert.drop()
    anna.play(code, "claim", territory=1)
    frames = bert.come_back()
    assert kinds(frames) == ["welcome", "seated", "told", "shown"]
    told, shown = only(Told, frames), only(Shown, frames)
    assert told.first_event == 0
    assert [event.kind for event in told.events] == ["conquer.claimed"]
    assert (shown.turn, shown.view.territories, shown.view.to_act) == (1, (1, 0, 0, 0, 0, 0, 0), (2,))
    assert shown.legal[0].values["territory"] == (2, 3, 4, 5, 6, 7)


def test_resume_tells_only_the_events_after_those_that_were_seen():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    for _ in range(4):
        anna.play(code, "heal")
        bert.play(code, "heal")
    for seen in range(9):
        bert.drop()
        frames = bert.come_back(seen={code: seen})
        told = [frame for frame in frames if isinstance(frame, Told)]
        assert [frame.first_event for frame in told] == ([seen] if seen < 8 else [])
        assert sum(len(frame.events) for frame in told) == 8 - seen
        assert only(Shown, frames).events == ()
        assert only(Shown, frames).first_event == 8


def test_resume_believes_nobody_who_has_seen_more_than_happened():
    hall = Hall()
    _anna, bert, code = hall.pair("duel")
    bert.drop()
    assert kinds(bert.come_back(seen={code: 99, "00000000": 5})) == ["welcome", "seated", "shown"]


def test_resume_tells_a_long_history_in_pieces_without_gaps():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    for _ in range(150):
        anna.play(code, "defend")
        bert.play(code, "defend")
        hall.now += 1
    bert.drop()
    told = [frame for frame in bert.come_back(seen={}) if isinstance(frame, Told)]
    assert [(frame.first_event, len(frame.events)) for frame in told] == [(0, 128), (128, 128), (256, 44)]


def test_resume_shows_standing_offers():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.drop()
    anna.ask(CallOff, match=code)
    frames = bert.come_back()
    assert only(Offered, frames) == Offered(re=None, match=code, offer="calloff", seat=1, standing=True)


def test_resume_shows_what_is_left_on_the_clock():
    hall = Hall()
    _anna, bert, _code = hall.pair("duel", clock_s=60)
    hall.wait(10)
    bert.drop()
    hall.wait(15)
    assert only(Shown, bert.come_back()).left_ms == 35_000


def test_resume_shows_who_is_away_and_when_the_win_may_be_claimed():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.drop()
    hall.wait(10)
    bert.drop()
    frames = bert.come_back()
    assert only(Seated, frames).present == (False, True)
    assert only(Sighted, frames) == Sighted(match=code, seat=1, present=False, claim_in_s=50)


def test_resume_is_seen_by_the_opponent_and_the_spectators():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    carl = hall.person("Carl")
    carl.ask(Watch, match=code)
    anna.news(), carl.news()
    bert.drop()
    gone = Sighted(match=code, seat=2, present=False, claim_in_s=60)
    assert anna.news() == carl.news() == [gone]
    bert.come_back()
    back = Sighted(match=code, seat=2, present=True, claim_in_s=None)
    assert anna.news() == carl.news() == [back]


def test_resume_shows_how_a_match_ended_meanwhile():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    bert.drop()
    anna.ask(Resign, match=code)
    frames = bert.come_back()
    ended = only(Ended, frames)
    assert (ended.outcome.winner, ended.outcome.reason, ended.score) == (2, "resigned", (0, 1))
    assert only(Shown, frames).legal == ()


def test_resume_shows_all_matches_of_a_player_and_those_being_watched():
    hall = Hall()
    anna, bert, first = hall.pair("duel")
    second = hall.begin(bert, anna, "galaxy")
    waiting = anna.create("grid", private=True)
    others = hall.begin(bert, hall.person("Dora"), "digit")
    anna.ask(Watch, match=others)
    anna.drop()
    frames = anna.come_back()
    assert only(Welcome, frames).matches == (first, second, waiting)
    seated = [frame for frame in frames if isinstance(frame, Seated)]
    assert [(frame.match, frame.seat, frame.begun) for frame in seated] == [
        (first, 1, True),
        (second, 2, True),
        (waiting, 0, False),
        (others, 0, True),
    ]


def test_resume_shows_a_rematch_that_began_meanwhile():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    anna.ask(Resign, match=code)
    bert.ask(Rematch, match=code)
    bert.drop()
    anna.ask(Rematch, match=code)
    frames = bert.come_back()
    again = [frame for frame in frames if isinstance(frame, Seated)][-1]
    assert (again.previous, again.seat, again.score) == (code, 1, (1, 0))


@pytest.mark.parametrize("is_restarted", [False, True], ids=["dropped", "restarted"])
def test_resume_at_any_moment_gives_the_same_view_as_staying(is_restarted):
    """Both leave and come back after every single frame of a match with sealed picks."""
    hall = Hall(Limits(frames_burst=1000))
    anna, bert, code = hall.pair("grid")
    script = [
        (anna, "claim", {"cell": 5}),
        (bert, "challenge", {"cell": 5}),
        (bert, "pick", {"number": 4}),
        (anna, "pick", {"number": 2}),
        (anna, "challenge", {"cell": 5}),
        (anna, "pick", {"number": 5}),
        (bert, "pick", {"number": 5}),
        (bert, "claim", {"cell": 1}),
    ]
    for person, kind, fields in script:
        person.play(code, kind, **fields)
        live = {each: each.last(Shown) for each in (anna, bert)}
        if is_restarted:
            hall.restart()
        for each in (anna, bert):
            each.drop()
            frames = each.come_back()
            shown = only(Shown, frames)
            assert (shown.view, shown.legal, shown.turn) == (
                live[each].view,
                live[each].legal,
                live[each].turn,
            )
            assert not any(isinstance(frame, Told) for frame in frames), "nothing was missed"


def test_resume_before_the_answer_arrived_finds_the_request_done_once():
    hall = Hall()
    anna = hall.person("Anna")
    request = anna.request(Create, game="duel")
    anna.send(request)
    anna.drop()
    anna.come_back()
    (again,) = anna.send(request)
    assert len(hall.world.matches) == 1
    assert again.re == request.id


def test_hello_is_answered_with_a_name_a_token_and_the_rhythm_of_the_heart():
    anna = Hall().stranger("  Anna   Bell ")
    (welcome,) = anna.hello()
    assert welcome == Welcome(
        version=PROTOCOL_VERSION,
        capabilities=("watch", "export"),
        server="Conquest test",
        name="Anna Bell",
        token=welcome.token,
        heartbeat_s=10,
        dead_s=30,
        matches=(),
    )


@pytest.mark.parametrize(
    "name", ["", "   ", "a" * 17, "征" * 9, "Bob\x1b[2J", "a\u202eb", "x\u0301\u0301\u0301\u0301"]
)
def test_hello_with_an_unfit_name_is_refused_and_may_be_said_again(name):
    hall = Hall()
    person = hall.stranger(name)
    (no,) = person.hello()
    assert (no.re, no.code) == (0, RefusalCode.BAD_NAME)
    assert no.text.startswith("A name ")
    assert len(hall.world.sessions) == 0
    person.name = "Bob"
    assert kinds(person.hello()) == ["welcome"]


def test_hello_must_come_first():
    person = Hall().stranger("Anna")
    (closed,) = person.ask(List)
    assert closed.code == CloseCode.HELLO_EXPECTED
    assert person.connection is None


def test_hello_is_said_once():
    hall = Hall()
    anna = hall.person("Anna")
    before = hall.portrait()
    (no,) = anna.hello()
    assert (no.re, no.code) == (0, RefusalCode.ALREADY_WELCOMED)
    assert hall.portrait() == before


def test_hello_does_not_change_the_name_of_one_who_comes_back():
    hall = Hall()
    anna = hall.person("Anna")
    anna.drop()
    welcome = only(Welcome, anna.come_back(name="Zoe"))
    assert welcome.name == "Anna"


def test_newer_connection_wins_and_the_old_one_is_told_why():
    hall = Hall()
    anna, bert, code = hall.pair("conquer")
    old = anna.connection
    bert.news()
    anna.come_back()
    assert anna.heard[old][-1] == Closed(
        code=CloseCode.REPLACED, text="You connected again from elsewhere; this connection ends."
    )
    assert anna.connection != old
    assert bert.news() == [], "Anna was never away"
    assert kinds(anna.play(code, "claim", territory=4))[0] == "shown"


def test_newer_connection_makes_the_old_one_deaf_and_dumb():
    hall = Hall()
    anna, _bert, code = hall.pair("conquer")
    old = anna.connection
    anna.come_back()
    heard = len(anna.heard[old])
    before = hall.portrait()
    hall.step(Received(old, anna.request(Resign, match=code)))
    hall.hang_up(old)
    assert hall.portrait() == before
    anna.play(code, "claim", territory=4)
    assert len(anna.heard[old]) == heard


def test_two_people_may_have_the_same_name():
    hall = Hall()
    one, other = hall.person("Anna"), hall.person("Anna")
    assert one.token != other.token
    assert len(hall.world.sessions) == 2
