"""A session across lost connections: the way back, what is asked again, and when to stop trying."""

from pathlib import Path

import pytest

from client.core import news
from client.net.connection import Distrusted, Foreign, Unreachable
from client.net.store import Store
from protocol.client_frame import Chat, Create, Export, Hello, Join, Leave, Ping, Play, Watch
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Ponged, Refused
from tests.client.frames import CODE, seated, shown, welcome
from tests.client.scripted import Line, settle

FINAL = sorted(
    {
        CloseCode.BAD_FRAME,
        CloseCode.BAD_VERSION,
        CloseCode.DEPARTED,
        CloseCode.HELLO_EXPECTED,
        CloseCode.NOT_OURS,
        CloseCode.REPLACED,
        CloseCode.TOO_BIG,
    }
)
PASSING = sorted(set(CloseCode) - set(FINAL) - {CloseCode.BAD_TOKEN})
MOVE: dict[str, int | str] = {"kind": "claim", "territory": 4}


@pytest.fixture
def line() -> Line:
    return Line()


async def test_hello_comes_first_and_nothing_before_the_welcome(line: Line) -> None:
    async with line.session() as session:
        session.send(Join, match=CODE)
        await settle()
        assert [type(frame) for frame in line.wire.sent] == [Hello]
        await line.wire.say(welcome())
        assert [type(frame) for frame in line.wire.sent] == [Hello, Join]


async def test_a_first_connection_that_fails_is_not_tried_again(line: Line) -> None:
    line.problems = [Unreachable("Nothing answers.")]
    async with line.session():
        await settle()
    assert line.news == [news.SessionOver("Nothing answers.")]


@pytest.mark.parametrize("problem", [Distrusted("STOP"), Foreign("not ours")])
async def test_a_wrong_server_is_never_tried_again(line: Line, problem: Exception) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome())
        line.problems = [problem]
        await line.wire.cut()
        await line.time.let_pass(60)
    assert line.news[-1] == news.SessionOver(str(problem))
    assert line.problems == []


@pytest.mark.parametrize("code", FINAL)
async def test_a_final_close_ends_the_session(line: Line, code: CloseCode) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(), Closed(code=code, text="Update your client."))
        await line.time.let_pass(600)
    assert line.news[-1] == news.SessionOver("Update your client.", code)
    assert len(line.wires) == 1


@pytest.mark.parametrize("code", PASSING)
async def test_a_passing_close_is_a_lost_connection(line: Line, code: CloseCode) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(), Closed(code=code, text="Later."))
        await line.time.let_pass(5)
    assert isinstance(line.news[-1], news.ConnectionLost)
    assert len(line.wires) == 2


async def test_why_the_server_ended_the_connection_is_told_until_it_is_back(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome())
        line.problems = [Unreachable("no")]
        await line.wire.say(Closed(code=CloseCode.HOST_LEFT, text="Later."))
        await line.time.let_pass(3)
        assert line.heard(news.ConnectionLost) == [
            news.ConnectionLost(1.0, 0.0, CloseCode.HOST_LEFT),
            news.ConnectionLost(2.0, 1.0, CloseCode.HOST_LEFT),
        ]
        await line.wire.say(welcome())
        await line.wire.cut()
        assert line.heard(news.ConnectionLost)[-1] == news.ConnectionLost(1.0, 0.0)


@pytest.mark.parametrize("code", [CloseCode.HOST_LEFT, CloseCode.STOPPING, CloseCode.FAULT])
async def test_a_server_that_keeps_nothing_is_not_tried_again(
    line: Line, tmp_path: Path, code: CloseCode
) -> None:
    store = Store(tmp_path)
    async with line.session(file=store.new_session_file()) as session:
        await settle()
        join = session.send(Join, match=CODE)
        await line.wire.say(welcome(), seated(re=join), Closed(code=code, text="Gone.", kept=False))
        await line.time.let_pass(600)
    assert len(line.wires) == 1
    assert store.sessions() == []
    over = line.news[-1]
    assert isinstance(over, news.SessionOver)
    assert (
        over.text
        == {
            CloseCode.HOST_LEFT: "The host has left. The match was not kept, so it has ended.",
            CloseCode.STOPPING: "The server has stopped. The match was not kept, so it has ended.",
            CloseCode.FAULT: "Gone.",
        }[code]
    )


async def test_a_refused_name_ends_the_session(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(Refused(re=0, code=RefusalCode.BAD_NAME, text="A name is short."))
    assert line.news == [news.SessionOver("A name is short.", RefusalCode.BAD_NAME)]


async def test_a_server_that_cannot_save_is_tried_again_by_who_has_been_there(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome())
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(Refused(re=0, code=RefusalCode.CANNOT_SAVE, text="Not now."))
        await line.time.let_pass(10)
    assert len(line.wires) == 3


async def test_waits_grow_to_fifteen_seconds_and_start_anew_after_a_success(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome())
        line.problems = [Unreachable("no")] * 6
        await line.wire.cut()
        await line.time.let_pass(60)
        assert [lost.retry_in_s for lost in line.heard(news.ConnectionLost)] == [1, 2, 4, 8, 15, 15, 15]
        assert [lost.waited_s for lost in line.heard(news.ConnectionLost)] == [0, 1, 3, 7, 15, 30, 45]
        await line.wire.say(welcome())
        await line.wire.cut()
        assert line.heard(news.ConnectionLost)[-1] == news.ConnectionLost(1.0, 0.0)


async def test_coming_back_shows_the_newest_token_and_what_was_seen(line: Line) -> None:
    async with line.session() as session:
        await settle()
        join = session.send(Join, match=CODE)
        await line.wire.say(welcome("first"), seated(re=join), shown((4,)))
        await line.wire.cut()
        await line.time.let_pass(1)
        assert line.wire.last(Hello).token == "first"
        assert line.wire.last(Hello).seen == {CODE: 1}
        await line.wire.say(welcome("second", matches=(CODE,)))
        await line.wire.cut()
        await line.time.let_pass(1)
        assert line.wire.last(Hello).token == "second"


@pytest.mark.parametrize("kind", ["play", "create"])
async def test_what_was_not_answered_is_asked_again_with_the_same_id(line: Line, kind: str) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome())
        if kind == "play":
            session.send(Play, match=CODE, turn=0, move=MOVE)
        else:
            session.send(Create, game="conquer")
        await settle()
        asked = line.wire.sent[-1]
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(welcome("second"))
        assert line.wire.sent[-1] == asked


async def test_what_was_answered_is_not_asked_again(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome())
        played = session.send(Play, match=CODE, turn=0, move=MOVE)
        await line.wire.say(seated(), shown((4,), re=played))
        refused = session.send(Play, match=CODE, turn=0, move=MOVE)
        await line.wire.say(Refused(re=refused, code=RefusalCode.STALE_TURN, text="Too late."))
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(welcome("second", matches=(CODE,)))
        assert line.wire.count(Play) == 0


async def test_records_are_asked_for_one_by_one_and_waited_for_before_one_leaves(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome())
        first, second = session.send(Export, match=CODE), session.send(Export, match=CODE)
        session.send(Leave, match=CODE)
        session.send(Watch, match=CODE)
        assert [type(frame) for frame in line.wire.sent] == [Hello, Export, Watch]
        await line.wire.say(Refused(re=first, code=RefusalCode.NO_SUCH_MATCH, text="No."))
        assert [type(frame) for frame in line.wire.sent[3:]] == [Export]
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(welcome("token-2"))
        assert line.wire.last(Export).id == second
        assert line.wire.count(Leave) == 0
        await line.wire.say(Refused(re=second, code=RefusalCode.NO_SUCH_MATCH, text="No."))
        assert line.wire.count(Leave) == 1


async def test_what_was_asked_while_away_is_asked_on_coming_back(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome())
        await line.wire.cut()
        session.send(Chat, match=CODE, text="hello")
        await line.time.let_pass(1)
        assert line.wire.count(Chat) == 0
        await line.wire.say(welcome("second"))
        assert line.wire.last(Chat).text == "hello"


async def test_nobody_is_heard_twice(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome())
        session.send(Chat, match=CODE, text="hello")
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(welcome("second"))
        assert line.wire.count(Chat) == 0
    assert line.heard(news.RequestLost) == [news.RequestLost("chat")]


async def test_a_join_that_succeeded_unheard_is_not_repeated(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome())
        session.send(Join, match=CODE)
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(welcome("second", matches=(CODE,)), seated())
        assert line.wire.count(Join) == 0


async def test_ids_are_not_those_of_an_earlier_life(line: Line) -> None:
    first, second = line.session(), line.session()
    assert first.send(Join, match=CODE) != second.send(Join, match=CODE)


async def test_the_client_shows_that_it_lives(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(heartbeat_s=7, dead_s=21))
        await line.time.let_pass(10)
        await line.wire.say(Ponged(re=line.wire.last(Ping).id))
        await line.time.let_pass(14)
        assert line.wire.count(Ping) == 3


async def test_a_silent_server_is_a_lost_connection(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome())
        await line.time.let_pass(29)
        assert line.heard(news.ConnectionLost) == []
        await line.time.let_pass(2)
        assert line.wires[0].is_closed
        assert len(line.heard(news.ConnectionLost)) == 1


async def test_a_spectator_of_a_restarted_server_watches_again(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome("old"))
        watch = session.send(Watch, match=CODE)
        await line.wire.say(seated(re=watch, seat=0), shown((4,), viewer=0))
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(Closed(code=CloseCode.BAD_TOKEN, text="Who are you?"))
        await line.time.let_pass(2)
        assert line.wire.last(Hello).token is None
        await line.wire.say(welcome("new"))
        assert line.wire.last(Watch).match == CODE


async def test_a_player_whom_the_server_forgot_is_told_so(line: Line, tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with line.session(file=store.new_session_file()) as session:
        await settle()
        join = session.send(Join, match=CODE)
        await line.wire.say(welcome("old"), seated(re=join), shown())
        await line.wire.cut()
        await line.time.let_pass(1)
        await line.wire.say(Closed(code=CloseCode.BAD_TOKEN, text="Who are you?"))
    over = line.news[-1]
    assert isinstance(over, news.SessionOver)
    assert over.text.startswith("The server does not know you any more")
    assert store.sessions() == []


async def test_what_is_heard_comes_with_what_was_known_then(line: Line) -> None:
    turns: list[int] = []

    def tell(heard: object) -> None:
        state = heard.state  # type: ignore[attr-defined]
        if isinstance(heard.news, news.PositionShown):  # type: ignore[attr-defined]
            turns.append(state.matches[CODE].turn)

    async with line.session(tell):
        await settle()
        await line.wire.say(welcome(), seated(), shown((4,)), shown((4, 7)))
    assert turns == [1, 2]


async def test_leaving_closes_the_connection(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome())
        session.send(Leave, match=CODE)
    assert line.wire.last(Leave).match == CODE
    assert line.wire.is_closed
