"""The seat: news in, what is to be shown and asked out, without a loop, a socket or a face."""

from typing import Any

import pytest

from client.core import news
from client.core.news import ConnectionLost, RequestLost, SessionOver
from client.core.seat import Arrival, Back, Seat, ServerGone
from protocol.client_frame import Depart, Leave, Play
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Chatted, Left, Refused, Told
from tests.client.core.player import AWAY, BEGINNING, JOINED, LOST, MOVE, WATCHING, Player, exported
from tests.client.frames import CODE, OTHER_CODE, claimed, ended, seated, shown, waiting, welcome

OVER = SessionOver("Somebody else plays here.", CloseCode.REPLACED)


def refused(request: int, code: RefusalCode = RefusalCode.ILLEGAL_MOVE) -> Refused:
    return Refused(re=request, code=code, text="No.")


CHAT = Chatted(re=None, match=CODE, seat=2, text="hi")
MISSED = Told(match=CODE, first_event=0, events=(claimed(1, 4),))
ELSEWHERE = (seated(match=OTHER_CODE), shown((4,), match=OTHER_CODE), Left(re=None, match=OTHER_CODE))
AGAIN = seated(match=OTHER_CODE, previous=CODE, seat=2)


@pytest.mark.parametrize(
    ("before", "told", "expected"),
    [
        ((welcome(),), (waiting(re=JOINED),), [news.MatchOpened]),
        ((welcome(),), (seated(re=JOINED),), [news.MatchBegan]),
        ((welcome(),), (seated(),), [news.MatchResumed]),
        (BEGINNING, (shown((4,)),), [news.EventsHappened, news.PositionShown]),
        (BEGINNING, (CHAT,), [news.ChatArrived]),
        (BEGINNING, (ended(),), [news.MatchEnded]),
        (BEGINNING, (AWAY,), [news.PlayerLost]),
        (BEGINNING, ELSEWHERE, []),
        ((*BEGINNING, ended()), (AGAIN, shown(match=OTHER_CODE)), [news.MatchBegan, news.PositionShown]),
        ((*BEGINNING, ended(), AGAIN), (CHAT,), []),
        (BEGINNING, (refused(9),), [news.Refusal]),
        (BEGINNING, (RequestLost("chat"),), [news.RequestLost]),
        (BEGINNING, (LOST,), [ConnectionLost]),
        ((*BEGINNING, LOST), (welcome(matches=(CODE,)),), [Back]),
        ((), (welcome(),), []),
        ((*BEGINNING, ended()), (LOST,), [ServerGone]),
        ((*BEGINNING, ended()), (OVER,), [ServerGone]),
        ((*BEGINNING, ended(), LOST), (LOST, welcome(matches=(CODE,))), []),
        ((*BEGINNING, ended()), (exported(),), []),
    ],
)
def test_what_is_to_be_shown(before: Any, told: Any, expected: list[type]) -> None:
    player = Player(*before)
    assert [type(one) for one in player.hear(*told)] == expected
    assert not player.seat.is_done


@pytest.mark.parametrize(
    ("before", "told", "failure", "is_forgotten"),
    [
        ((welcome(),), refused(JOINED, RefusalCode.MATCH_FULL), "No.", False),
        ((welcome(),), seated(re=JOINED, game="chess"), "does not know the game 'chess'", False),
        (BEGINNING, OVER, "Somebody else plays here.", False),
        (BEGINNING, Left(re=None, match=CODE), "put this match away", True),
    ],
)
def test_what_leaves_nothing_to_stay_for(before: Any, told: Any, failure: str, is_forgotten: bool) -> None:
    player = Player(*before)
    assert player.hear(told) == []
    assert player.seat.is_done
    assert failure in (player.seat.failure or "")
    assert player.line.is_forgotten == is_forgotten


@pytest.mark.parametrize(("matches", "is_there"), [((CODE,), True), ((OTHER_CODE,), False)])
def test_a_match_to_go_back_to_may_not_be_there_any_more(matches: tuple[str, ...], is_there: bool) -> None:
    player = Player(welcome(matches=matches), arrival=Arrival(code=CODE))
    assert player.seat.is_done != is_there
    assert player.line.is_forgotten != is_there


@pytest.mark.parametrize(
    ("told", "can_play"),
    [
        ((), True),
        ((CHAT,), True),
        ((shown((4, 7)),), True),
        ((shown((4,)),), False),
        ((ended(),), False),
    ],
)
def test_a_move_can_be_chosen_when_one_of_ours_is_due(told: Any, can_play: bool) -> None:
    player = Player(*BEGINNING)
    player.hear(*told)
    assert player.seat.can_play == can_play


@pytest.mark.parametrize(
    ("told", "is_under_way"),
    [
        ((shown(),), True),
        ((LOST, welcome(matches=(CODE,)), seated(), shown()), True),
        ((refused(9),), True),
        ((shown((4,), re=2),), False),
        ((refused(2),), False),
        ((ended(),), False),
    ],
)
def test_a_move_is_under_way_until_it_is_answered(told: Any, is_under_way: bool) -> None:
    player = Player(*BEGINNING)
    player.seat.play(MOVE)
    player.seat.play(MOVE)
    assert player.line.sent == [(Play, {"match": CODE, "turn": 0, "move": MOVE})]
    player.hear(*told)
    assert player.seat.is_move_under_way == is_under_way
    assert not (is_under_way and player.seat.can_play)


def test_what_was_played_in_a_turn_is_known_even_when_it_was_refused() -> None:
    player = Player(*BEGINNING)
    assert not player.seat.has_played
    player.seat.play(MOVE)
    player.hear(refused(2))
    assert player.seat.has_played
    player.hear(shown((4, 7)))
    assert not player.seat.has_played


def test_events_from_before_we_were_back_are_known_as_such() -> None:
    player = Player(welcome(), seated())
    player.hear(MISSED)
    assert player.seat.is_catching_up
    player.hear(shown((4,)))
    assert not player.seat.is_catching_up


@pytest.mark.parametrize(
    ("told", "left", "for_good", "unasked"),
    [
        ((), (), (), ()),
        ((welcome(), waiting(re=JOINED)), (Leave,), (Leave,), ()),
        (BEGINNING, (), (Leave,), ()),
        (WATCHING, (Leave,), (Leave,), (Leave,)),
        ((*BEGINNING, ended()), (Leave,), (Leave,), (Leave,)),
    ],
    ids=["nothing", "taken back", "kept", "watched", "put away"],
)
def test_what_leaving_does(told: Any, left: Any, for_good: Any, unasked: Any) -> None:
    for way, expected in (
        (Seat.lose_touch, ()),
        (Seat.leave, left),
        (lambda seat: seat.leave(for_good=True), for_good),
        (Seat.leave_unasked, unasked),
    ):
        player = Player(*told)
        said = way(player.seat)
        assert tuple(player.asked()) == expected
        assert player.line.is_forgotten == bool(expected)
        assert bool(said) == (not expected and bool(told))
        assert player.seat.is_done
        assert player.seat.failure is None


@pytest.mark.parametrize(("is_connected", "asked"), [(True, [Depart]), (False, [])])
def test_who_leaves_a_match_that_goes_on_elsewhere_says_goodbye(is_connected: bool, asked: Any) -> None:
    player = Player(*BEGINNING, arrival=Arrival(JOINED, says_goodbye=True))
    player.line.is_connected = is_connected
    assert player.seat.leave() == player.seat.arrival.way_back
    assert player.asked() == asked
    assert not player.line.is_forgotten


def test_an_open_match_that_is_only_watched_is_not_kept() -> None:
    player = Player(welcome(), waiting(re=JOINED), arrival=Arrival(JOINED, way_back=""))
    assert player.seat.leave_unasked() == ""
    assert player.asked() == [Leave]
