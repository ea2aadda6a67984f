"""The seat: news in, what is to be shown and asked out, without a loop, a socket or a face."""

from typing import Any

import pytest

from client.core import news, slash
from client.core.news import ConnectionLost, News, RequestLost, SessionOver
from client.core.seat import Arrival, Back, Gone, Seat, ToSave, Unavailable
from client.core.state import ClientState, reduced
from protocol.frame import (
    CallOff,
    Chat,
    Chatted,
    Claim,
    Export,
    Exported,
    Leave,
    Left,
    Offered,
    Play,
    Refused,
    Rematch,
    Request,
    Resign,
    ServerFrame,
    Sighted,
    Told,
    Turned,
)
from protocol.model import Model
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode
from tests.client.frames import CODE, OTHER_CODE, claimed, ended, seated, shown, view, waiting, welcome

JOINED = 1
"""The request that brings us to the match in all of these tests."""
LOST = ConnectionLost(1.0, 0.0)
OVER = SessionOver("Somebody else plays here.", CloseCode.REPLACED)
AWAY = Sighted(match=CODE, seat=2, present=False, claim_in_s=60)
MOVE = {"kind": "claim", "territory": 4}
BEGINNING = (welcome(), seated(re=JOINED), shown())
WATCHING = (welcome(), seated(re=JOINED, seat=0), shown(viewer=0))


AT_ANY_TIME = {"board", "help", "quit", "rules"}


class Line:
    """What would carry requests."""

    def __init__(self) -> None:
        self.is_connected = True
        self.sent: list[tuple[type[Request], dict[str, Any]]] = []
        self.is_forgotten = False

    def send(self, kind: type[Request], **fields: Any) -> int:
        self.sent.append((kind, fields))
        return JOINED + len(self.sent)

    def forget(self) -> None:
        self.is_forgotten = True


class Player:
    """A seat, what it is told, and what it shows and asks."""

    def __init__(self, *told: ServerFrame | News, arrival: Arrival | None = None) -> None:
        self.line = Line()
        self.state = ClientState(name="Ann")
        self.seat = Seat(self.line, arrival or Arrival(JOINED), self.state)
        self.hear(*told)

    def hear(self, *told: Any) -> list[Any]:
        """Let frames, and news that no frame brings, be heard; return what is to be shown."""
        seen: list[Any] = []
        for one in told:
            items: list[News] = [one]
            if isinstance(one, Model):
                self.state, items = reduced(self.state, one)
            for item in items:
                seen += self.seat.hear(item, self.state)
        return seen

    def asked(self) -> list[type[Request]]:
        return [kind for kind, _ in self.line.sent]


def refused(request: int, code: RefusalCode = RefusalCode.ILLEGAL_MOVE) -> Refused:
    return Refused(re=request, code=code, text="No.")


def exported() -> Exported:
    return Exported(
        re=9,
        match=CODE,
        game="conquer",
        options={},
        names=("Ann", "Bob"),
        chance=(),
        outcome=Outcome(winner=1, reason="resigned"),
        first=0,
        moves=(Turned(seat=1, move=MOVE, chance=(), at=1.0),),
        more=False,
    )


OFFER = Offered(re=None, match=CODE, offer="calloff", seat=2, standing=True)
OWN_OFFER = Offered(re=None, match=CODE, offer="calloff", seat=1, standing=True)
REMATCH = Offered(re=None, match=CODE, offer="rematch", seat=2, standing=True)
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
        ((*BEGINNING, ended()), (LOST,), [Gone]),
        ((*BEGINNING, ended()), (OVER,), [Gone]),
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


def test_an_open_match_that_is_only_watched_is_not_kept() -> None:
    player = Player(welcome(), waiting(re=JOINED), arrival=Arrival(JOINED, way_back=""))
    assert player.seat.leave_unasked() == ""
    assert player.asked() == [Leave]


@pytest.mark.parametrize(
    ("told", "commands"),
    [
        ((welcome(), waiting(re=JOINED)), ""),
        (BEGINNING, "calloff chat clock moves resign"),
        ((*BEGINNING, AWAY), "calloff chat claim clock moves resign"),
        ((*BEGINNING, OFFER), "accept calloff chat clock decline moves resign"),
        ((*BEGINNING, OWN_OFFER), "calloff chat clock decline moves resign"),
        ((welcome(), seated(re=JOINED, hints=True), shown()), "calloff chat clock hint moves resign"),
        ((*BEGINNING, ended()), "chat rematch review save"),
        ((*BEGINNING, ended(), REMATCH), "accept chat decline rematch review save"),
        ((*BEGINNING, ended(), LOST), ""),
        (WATCHING, "clock"),
        ((*WATCHING, ended()), "review save"),
    ],
)
def test_which_commands_make_sense(told: Any, commands: str) -> None:
    player = Player(*told)
    found = [name for name in sorted(slash.COMMANDS) if player.seat.makes_sense(name)]
    assert [name for name in found if name not in AT_ANY_TIME] == commands.split()
    assert set(found) >= AT_ANY_TIME


@pytest.mark.parametrize(
    ("told", "name", "text", "expected"),
    [
        ((), "resign", "", (Resign, {})),
        ((), "claim", "", (Claim, {})),
        ((), "rematch", "", (Rematch, {})),
        ((), "chat", " good  luck ", (Chat, {"text": "good luck"})),
        ((), "save", "x.jsonl", (Export, {})),
        ((OFFER,), "accept", "", (CallOff, {"agree": True})),
        ((OFFER,), "decline", "", (CallOff, {"agree": False})),
        ((OWN_OFFER,), "decline", "", (CallOff, {"agree": False})),
        ((ended(), REMATCH), "accept", "", (Rematch, {"agree": True})),
    ],
)
def test_what_a_command_asks_of_the_server(told: Any, name: str, text: str, expected: Any) -> None:
    player = Player(*BEGINNING, *told)
    assert player.seat.ask(name, text) == JOINED + 1
    kind, fields = expected
    assert player.line.sent == [(kind, {"match": CODE, **fields})]


@pytest.mark.parametrize(
    ("told", "name", "text", "said"),
    [
        ((welcome(), waiting(re=JOINED)), "resign", "", "The match has not begun yet."),
        (WATCHING, "resign", "", "You are watching; only the players can do that."),
        (BEGINNING, "accept", "", "There is no offer to answer."),
        ((*BEGINNING, OWN_OFFER), "accept", "", "There is no offer to answer."),
        (BEGINNING, "chat", "\x1b", "A message can hold"),
    ],
)
def test_what_cannot_be_asked_is_a_sentence(told: Any, name: str, text: str, said: str) -> None:
    player = Player(*told)
    with pytest.raises(Unavailable, match=said):
        player.seat.ask(name, text)
    assert player.line.sent == []


def test_nothing_but_a_move_is_asked_without_a_connection() -> None:
    player = Player(*BEGINNING)
    player.line.is_connected = False
    with pytest.raises(Unavailable, match="There is no connection"):
        player.seat.ask("resign")
    assert player.seat.allowed("board").view == view()
    player.seat.play(MOVE)
    assert player.asked() == [Play]


def test_a_record_is_saved_where_it_was_to_be_saved_and_once() -> None:
    player = Player(*BEGINNING, ended())
    player.seat.ask("save", "x.jsonl")
    (saving,) = player.hear(exported())
    assert isinstance(saving, ToSave)
    assert saving.path == "x.jsonl"
    assert player.hear(exported()) == []
