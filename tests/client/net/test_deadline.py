"""What time alone brings about: a win to be claimed, and little time left for a move of ours."""

import pytest

from client.core import news
from protocol.server_frame import Left, ServerFrame, Sighted
from tests.client.frames import CODE, ended, seated, shown, welcome
from tests.client.scripted import Line, settle


@pytest.fixture
def line() -> Line:
    return Line()


GONE = Sighted(match=CODE, seat=2, present=False, claim_in_s=60)
BACK = Sighted(match=CODE, seat=2, present=True, claim_in_s=None)


async def test_it_is_told_once_when_the_win_can_be_claimed(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(dead_s=600), seated(), shown(), GONE)
        await line.time.let_pass(59)
        assert line.heard(news.ClaimDue) == []
        await line.time.let_pass(1)
        assert line.heard(news.ClaimDue) == [news.ClaimDue(CODE)]
        await line.time.let_pass(300)
        assert len(line.heard(news.ClaimDue)) == 1


@pytest.mark.parametrize(
    "meanwhile",
    [
        (BACK,),
        (BACK, GONE.model_copy(update={"claim_in_s": 90})),
        (ended(),),
        (Left(re=None, match=CODE),),
        (seated(seat=0), GONE),
        (seated(), GONE.model_copy(update={"claim_in_s": 0})),
    ],
)
async def test_what_cannot_be_claimed_is_not_told(line: Line, meanwhile: tuple[ServerFrame, ...]) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(dead_s=600), seated(), shown(), GONE)
        await line.time.let_pass(30)
        await line.wire.say(*meanwhile)
        await line.time.let_pass(59)
        assert line.heard(news.ClaimDue) == []


async def test_after_a_lost_connection_the_time_to_a_claim_is_the_servers_anew(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(dead_s=600), seated(), shown(), GONE)
        await line.wire.cut()
        await line.time.let_pass(70)
        await line.wire.say(
            welcome("second", matches=(CODE,), dead_s=600), seated(present=(True, False)), GONE
        )
        await line.time.let_pass(59)
        assert line.heard(news.ClaimDue) == []
        await line.time.let_pass(1)
        assert line.heard(news.ClaimDue) == [news.ClaimDue(CODE)]


async def test_it_is_told_twice_that_the_time_for_our_move_gets_short(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome(dead_s=600), seated(clock_s=60), shown(left_ms=60_000))
        await line.time.let_pass(29)
        assert line.heard(news.TimeShort) == []
        await line.time.let_pass(40)
        assert line.heard(news.TimeShort) == [news.TimeShort(CODE, 30.0), news.TimeShort(CODE, 10.0)]
        assert session.left_s(CODE) == 0.0


async def test_the_time_for_a_move_of_the_opponents_is_not_told(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(dead_s=600), seated(clock_s=60), shown((4,), left_ms=60_000))
        await line.time.let_pass(60)
        assert line.heard(news.TimeShort) == []
