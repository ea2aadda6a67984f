"""A seat without a person: it answers what is asked of it once, is polite, and does not wait for ever."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from client.core.failure import CouldNot
from client.core.seat import Arrival
from client.local import autoplay
from client.local.autoplay import Behaviour, play_alone
from client.net.session import Heard
from protocol.choice import Choice
from protocol.client_frame import CallOff, Claim, Join, Leave, Play, Rematch, Resign
from protocol.games import View
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Left, Offered, Refused, Sighted
from tests.client.frames import CODE, OTHER_CODE, ended, seated, shown, welcome
from tests.client.scripted import Line, settle


class First:
    """Claims the lowest territory."""

    made = 0

    def __init__(self, options: object) -> None:
        type(self).made += 1

    def choose(self, view: View, choices: Sequence[Choice]) -> dict[str, int | str]:
        return {"kind": "claim", "territory": choices[0].values["territory"][0]}


class Broken(First):
    def choose(self, view: View, choices: Sequence[Choice]) -> dict[str, int | str]:
        raise CouldNot("mine.py raised KeyError.")


async def no_pause() -> None:
    pass


@pytest.fixture(autouse=True)
def _think_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def at_once(work: Callable[[], Any], name: str) -> Any:
        return work()

    monkeypatch.setattr(autoplay, "in_thread", at_once)
    monkeypatch.setattr(autoplay, "CLAIM_MARGIN_S", 0.0)
    monkeypatch.setattr(autoplay, "RETRY_S", 0.0)


class Seat:
    """An automatic player at work, and the scripted server that it talks to."""

    def __init__(self, kind: type[First], linger_s: float | None) -> None:
        self.line = Line()
        self.inbox: asyncio.Queue[Heard | None] = asyncio.Queue()
        self.behaviour = Behaviour(kind, no_pause, linger_s)

    async def play(self) -> None:
        async with self.line.session(self.inbox.put_nowait) as session:
            arrival = Arrival(session.send(Join, match=CODE))
            await play_alone(session, self.inbox.get, self.behaviour, arrival)

    async def begin(self, *more: Any, **fields: Any) -> None:
        await settle()
        self.line.wire.sent.clear()
        await self.line.wire.say(welcome())
        request = self.line.wire.last(Join).id
        await self.line.wire.say(seated(re=request, **fields), *more)

    def sent(self) -> list[type[object]]:
        return [type(frame) for frame in self.line.wire.sent if not isinstance(frame, Join)]


@contextmanager
def playing(
    kind: type[First] = First, linger_s: float | None = 60.0
) -> Iterator[tuple[Seat, asyncio.Task[None]]]:
    seat = Seat(kind, linger_s)
    task = asyncio.create_task(seat.play())
    try:
        yield seat, task
    finally:
        task.cancel()


async def test_it_answers_each_position_once_even_when_it_is_shown_again() -> None:
    with playing() as (seat, _):
        await seat.begin(shown(), shown())
        assert seat.sent() == [Play]
        assert seat.line.wire.last(Play).move == {"kind": "claim", "territory": 1}
        await seat.line.wire.say(shown((1,), re=seat.line.wire.last(Play).id), shown((1, 4)))
        assert seat.line.wire.last(Play).turn == 2
        assert seat.sent() == [Play, Play]


async def test_a_new_bot_is_made_for_every_match() -> None:
    with playing() as (seat, _):
        First.made = 0
        await seat.begin(shown(), shown((1, 4)), ended())
        await seat.line.wire.say(seated(match=OTHER_CODE, previous=CODE), shown(match=OTHER_CODE))
        assert seat.line.wire.last(Play).match == OTHER_CODE
        assert First.made == 2


@pytest.mark.parametrize(("offer", "kind"), [("calloff", CallOff), ("rematch", Rematch)])
async def test_it_agrees_to_what_the_other_one_offers(offer: str, kind: type[CallOff | Rematch]) -> None:
    with playing() as (seat, _):
        await seat.begin()
        for whose in (1, 2):
            made = {"re": None, "match": CODE, "offer": offer, "seat": whose, "standing": True}
            await seat.line.wire.say(Offered.model_validate(made))
        assert seat.sent() == [kind]


async def test_it_leaves_after_the_match_when_nobody_wants_another() -> None:
    with playing(linger_s=0.0) as (seat, task):
        await seat.begin(ended())
        await task
        assert seat.sent() == [Leave]


async def test_it_leaves_with_its_opponent() -> None:
    with playing() as (seat, task):
        await seat.begin(ended(), Sighted(match=CODE, seat=2, present=False, claim_in_s=None))
        await task
        assert seat.sent() == [Leave]


async def test_the_computer_stays_as_long_as_the_person_does() -> None:
    with playing(linger_s=None) as (seat, task):
        await seat.begin(ended(), Sighted(match=CODE, seat=2, present=False, claim_in_s=None))
        assert not task.done()


async def test_it_claims_the_win_over_somebody_who_stays_away() -> None:
    with playing() as (seat, _):
        await seat.begin(Sighted(match=CODE, seat=2, present=False, claim_in_s=0))
        await settle()
        assert seat.sent() == [Claim]


async def test_somebody_who_comes_back_is_played_with_again() -> None:
    with playing() as (seat, _):
        gone = Sighted(match=CODE, seat=2, present=False, claim_in_s=30)
        await seat.begin(gone, Sighted(match=CODE, seat=2, present=True, claim_in_s=None), shown())
        assert seat.sent() == [Play]


async def test_a_bot_that_fails_resigns_first_and_then_tells_why() -> None:
    with playing(Broken) as (seat, task):
        await seat.begin(shown())
        assert seat.sent() == [Resign]
        await seat.line.wire.say(ended(winner=2))
        with pytest.raises(CouldNot, match=r"^mine\.py raised KeyError\.$"):
            await task


async def test_one_who_has_had_enough_resigns_and_then_leaves() -> None:
    with playing() as (seat, task):
        await seat.begin(shown())
        seat.inbox.put_nowait(None)
        await settle()
        assert seat.sent() == [Play, Resign]
        await seat.line.wire.say(ended(winner=2))
        await task
        assert seat.sent() == [Play, Resign, Leave]


async def test_before_the_match_begins_one_just_leaves() -> None:
    with playing() as (seat, task):
        await seat.begin(begun=False, seat=0)
        seat.inbox.put_nowait(None)
        await task
        assert seat.sent() == [Leave]


async def refusal_of_a_move(seat: Seat, code: RefusalCode) -> None:
    await seat.begin(shown())
    await seat.line.wire.say(Refused(re=seat.line.wire.last(Play).id, code=code, text="No."))
    await settle()


async def test_a_move_that_could_not_be_saved_is_sent_again() -> None:
    with playing() as (seat, _):
        await refusal_of_a_move(seat, RefusalCode.CANNOT_SAVE)
        first, second = (frame for frame in seat.line.wire.sent if isinstance(frame, Play))
        assert first.move == second.move
        assert first.id != second.id


async def test_a_move_that_came_too_late_is_let_go() -> None:
    with playing() as (seat, task):
        await refusal_of_a_move(seat, RefusalCode.STALE_TURN)
        assert seat.sent() == [Play]
        assert not task.done()


@pytest.mark.parametrize("code", [RefusalCode.MATCH_FROZEN, RefusalCode.ILLEGAL_MOVE])
async def test_any_other_refusal_ends_it_with_the_servers_sentence(code: RefusalCode) -> None:
    with playing() as (seat, task):
        await refusal_of_a_move(seat, code)
        with pytest.raises(CouldNot, match=r"^No\.$"):
            await task


async def test_a_match_that_cannot_be_joined_is_a_sentence() -> None:
    with playing() as (seat, task):
        await settle()
        await seat.line.wire.say(welcome())
        refused = Refused(re=seat.line.wire.last(Join).id, code=RefusalCode.MATCH_FULL, text="It is full.")
        await seat.line.wire.say(refused)
        with pytest.raises(CouldNot, match="It is full"):
            await task


async def test_a_game_that_nobody_here_knows_is_a_sentence() -> None:
    with playing() as (seat, task):
        await seat.begin(game="chess")
        with pytest.raises(CouldNot, match="does not know the game 'chess'"):
            await task


@pytest.mark.parametrize("is_over", [True, False])
async def test_the_end_of_the_session_matters_only_while_the_match_runs(is_over: bool) -> None:
    with playing() as (seat, task):
        await seat.begin(*[ended()] * is_over)
        await seat.line.wire.say(Closed(code=CloseCode.REPLACED, text="Somebody else."))
        await asyncio.wait([task])
        assert (task.exception() is None) is is_over


async def test_a_match_that_was_put_away_is_left() -> None:
    with playing() as (seat, task):
        await seat.begin(Left(re=None, match=CODE))
        await task
        assert seat.line.wire.count(Play) == 0
