"""The reducer: what a client knows after each frame, and what it has to tell."""

from dataclasses import replace

import pytest

from client.core import news
from client.core.state import ClientState, open_matches, reduced
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import (
    Chatted,
    Closed,
    Exported,
    Left,
    Listed,
    Noticed,
    Offered,
    OpenMatch,
    Ponged,
    Refused,
    ServerFrame,
    Sighted,
    Told,
    Turned,
    Watched,
)
from tests.client.frames import CODE, OTHER_CODE, claimed, ended, seated, shown, waiting, welcome

HOSTILE = "\x1b[2Jevil‮\x07"
HARMLESS = "�[2Jevil��"


def after(*frames: ServerFrame, state: ClientState | None = None) -> tuple[ClientState, list[news.News]]:
    """Reduce frames one after the other; return the state and the news of the last."""
    now, told = state or ClientState(), list[news.News]()
    for frame in frames:
        now, told = reduced(now, frame)
    return now, told


def test_a_welcome_brings_a_name_and_the_way_back() -> None:
    state, told = after(welcome(token="secret", name="Ann"))
    assert (state.name, state.token) == ("Ann", "secret")
    assert told == [news.Welcomed(is_back=False, matches=())]


def test_who_has_a_token_is_back() -> None:
    _, told = after(welcome(matches=(CODE,)), state=ClientState(token="old"))
    assert told == [news.Welcomed(is_back=True, matches=(CODE,))]


def test_a_match_that_is_gone_after_coming_back_is_left() -> None:
    state, told = after(welcome(), seated(re=1), welcome())
    assert state.matches == {}
    assert told[1:] == [news.MatchLeft(CODE, is_ours=False)]


def test_who_is_shown_first_stays_first_in_a_rematch_whoever_looks() -> None:
    for seat, first, then in ((1, 1, 2), (2, 2, 1), (0, 1, 2)):
        again = seated(match=OTHER_CODE, previous=CODE, seat=3 - seat if seat else 0)
        state, _ = after(seated(seat=seat, re=1), again, seated(match=OTHER_CODE, seat=again.seat))
        assert [state.matches[code].left for code in (CODE, OTHER_CODE)] == [first, then]


def test_creating_opens_a_match_and_joining_begins_it() -> None:
    state, told = after(waiting(re=1))
    assert told == [news.MatchOpened(CODE)]
    _, told = after(seated(), state=state)
    assert told == [news.MatchBegan(CODE)]


def test_an_answered_join_begins_a_match() -> None:
    assert after(seated(re=4))[1] == [news.MatchBegan(CODE)]


def test_a_rematch_begins_unasked() -> None:
    _, told = after(seated(re=1), seated(match=OTHER_CODE, previous=CODE))
    assert told == [news.MatchBegan(OTHER_CODE)]


def test_a_seat_nobody_asked_for_is_one_from_before() -> None:
    assert after(seated())[1] == [news.MatchResumed(CODE)]


def test_a_spectator_comes_to_a_match_that_is_under_way() -> None:
    assert after(seated(re=1, seat=0))[1] == [news.MatchResumed(CODE)]


def test_a_position_brings_its_events_first() -> None:
    state, told = after(seated(re=1), shown((4,), re=9))
    assert told == [news.EventsHappened(CODE, (claimed(1, 4),)), news.PositionShown(CODE, request=9)]
    assert state.matches[CODE].turn == 1
    assert state.matches[CODE].legal == ()
    assert state.matches[CODE].seen == 1
    assert state.seen() == {CODE: 1}


def test_events_that_were_told_before_are_not_told_again() -> None:
    before, _ = after(seated(re=1), shown((4,)), seated())
    told = Told(match=CODE, first_event=0, events=(claimed(1, 4), claimed(2, 7)))
    state, heard = after(told, state=before)
    assert heard == [news.EventsHappened(CODE, (claimed(2, 7),))]
    again, heard = after(told, state=state)
    assert heard == []
    assert again == state


def test_coming_back_keeps_what_was_seen() -> None:
    state, _ = after(seated(re=1), shown((4,)), seated())
    assert state.matches[CODE].seen == 1
    assert state.matches[CODE].view is not None


def test_an_end_is_told_once() -> None:
    state, told = after(seated(re=1), shown((4,)), ended())
    outcome = Outcome(winner=1, reason="resigned")
    assert told == [news.MatchEnded(CODE, outcome)]
    assert state.matches[CODE].outcome == outcome
    assert state.matches[CODE].score == (1, 0)
    assert after(ended(), state=state)[1] == []


def test_an_end_takes_offers_and_moves_away() -> None:
    offered = Offered(re=None, match=CODE, offer="calloff", seat=2, standing=True)
    state, _ = after(seated(re=1), shown(), offered, ended())
    assert state.matches[CODE].offers == frozenset()
    assert state.matches[CODE].legal == ()


def test_presence_is_told_when_it_changes() -> None:
    gone = Sighted(match=CODE, seat=2, present=False, claim_in_s=60)
    back = Sighted(match=CODE, seat=2, present=True, claim_in_s=None)
    state, told = after(seated(re=1), gone)
    assert told == [news.PlayerLost(CODE, 2, 60, was_there=True)]
    assert state.matches[CODE].present == (True, False)
    state, told = after(back, state=state)
    assert told == [news.PlayerBack(CODE, 2)]
    assert after(back, state=state)[1] == []


def test_who_was_gone_before_we_came_has_lost_no_connection_now() -> None:
    gone = Sighted(match=CODE, seat=2, present=False, claim_in_s=60)
    _, told = after(seated(present=(True, False)), gone)
    assert told == [news.PlayerLost(CODE, 2, 60, was_there=False)]


def test_who_says_goodbye_has_lost_no_connection() -> None:
    gone = Sighted(match=CODE, seat=2, present=False, claim_in_s=60, on_purpose=True)
    _, told = after(seated(re=1), gone)
    assert told == [news.PlayerLost(CODE, 2, 60, on_purpose=True)]


def test_offers_stand_until_they_do_not() -> None:
    made = Offered(re=None, match=CODE, offer="rematch", seat=2, standing=True)
    state, told = after(seated(re=1), made)
    assert told == [news.OfferMade(CODE, "rematch", 2)]
    assert state.matches[CODE].offers == {("rematch", 2)}
    state, told = after(made.model_copy(update={"standing": False}), state=state)
    assert told == [news.OfferGone(CODE, "rematch", 2)]
    assert state.matches[CODE].offers == frozenset()


def test_spectators_are_counted() -> None:
    state, told = after(seated(re=1), Watched(match=CODE, count=3))
    assert told == [news.SpectatorsChanged(CODE, 3)]
    assert state.matches[CODE].spectators == 3


@pytest.mark.parametrize(("re", "is_ours"), [(5, True), (None, False)])
def test_who_leaves_knows_the_match_no_more(re: int | None, is_ours: bool) -> None:
    state, told = after(seated(re=1), Left(re=re, match=CODE))
    assert told == [news.MatchLeft(CODE, is_ours)]
    assert state.matches == {}


def test_news_of_an_unknown_match_change_nothing() -> None:
    for frame in (shown((4,)), ended(), Watched(match=CODE, count=1), Left(re=None, match=CODE)):
        assert after(frame) == (ClientState(), [])


def test_a_record_is_told_when_its_last_piece_is_there() -> None:
    first = Exported(
        re=3,
        match=CODE,
        game="conquer",
        options={},
        names=("Ann", "Bob"),
        chance=(),
        outcome=Outcome(winner=1, reason="resigned"),
        first=0,
        moves=(Turned(seat=1, move={"kind": "claim", "territory": 4}, chance=(), at=1.0),),
        more=True,
    )
    last = first.model_copy(
        update={
            "first": 1,
            "more": False,
            "moves": (Turned(seat=2, move={"kind": "claim", "territory": 7}, chance=(), at=2.0),),
        }
    )
    state, told = after(seated(re=1), first)
    assert told == []
    # A record that was asked for again begins anew.
    state, told = after(first.model_copy(update={"re": 4}), state=state)
    state, told = after(last.model_copy(update={"re": 4}), state=state)
    (arrived,) = told
    assert isinstance(arrived, news.RecordArrived)
    assert [turned.seat for turned in arrived.record.moves] == [1, 2]
    assert state.pieces == ()


def test_everything_that_others_wrote_is_defused() -> None:
    before, _ = after(welcome(name=HOSTILE, server=HOSTILE), seated(re=1, names=(HOSTILE, HOSTILE)))
    assert (before.name, before.server) == (HARMLESS, HARMLESS)
    assert before.matches[CODE].names == (HARMLESS, HARMLESS)
    texts: list[tuple[ServerFrame, news.News]] = [
        (
            Chatted(re=None, match=CODE, seat=2, text=HOSTILE),
            news.ChatArrived(CODE, 2, HARMLESS),
        ),
        (
            Refused(re=1, code=RefusalCode.BAD_MOVE, text=HOSTILE),
            news.Refusal(1, RefusalCode.BAD_MOVE, HARMLESS),
        ),
        (Noticed(code="stopping", text=HOSTILE), news.Notice(HARMLESS)),
        (
            Closed(code=CloseCode.FULL, text=HOSTILE),
            news.SessionOver(HARMLESS, CloseCode.FULL),
        ),
    ]
    for frame, expected in texts:
        assert after(frame, state=before)[1] == [expected]


def test_listed_matches_are_defused() -> None:
    match = OpenMatch(
        match=CODE,
        game=HOSTILE,
        options={HOSTILE: HOSTILE},
        creator=HOSTILE,
        first="toss",
        clock_s=None,
        hints=False,
        age_s=0,
    )
    (clean,) = open_matches(Listed(re=1, matches=(match,), total=1))
    assert (clean.creator, clean.game, clean.options) == (HARMLESS, HARMLESS, {HARMLESS: HARMLESS})


def test_a_pong_says_nothing() -> None:
    assert after(Ponged(re=1)) == (ClientState(), [])


def test_at_most_sixteen_matches_go_into_a_hello() -> None:
    state, _ = after(seated(re=1), shown((4,)))
    known = state.matches[CODE]
    many = {f"{number:08d}": replace(known, code=f"{number:08d}") for number in range(20)}
    assert list(replace(state, matches=many).seen()) == list(many)[-16:]
