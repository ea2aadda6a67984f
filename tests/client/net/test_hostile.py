"""A server that says well-formed nonsense: the session ends with a sentence, and nothing grows or spins."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from client.core import news
from client.core.possible import MOST_MATCHES, MOST_PIECES, can_be
from client.core.state import ClientState, reduced
from client.core.wording import move_lines
from client.net import survey
from client.net.history import History
from client.net.inbox import MOST, Inbox
from client.net.keeper import MOST_ASKED, Keeper
from client.net.session import Heard
from client.net.store import Store
from protocol.choice import Choice
from protocol.client_frame import Export, Hello, List, Watch
from protocol.games import duel
from protocol.outcome import Outcome
from protocol.refusal import CloseCode, RefusalCode
from protocol.server_frame import Closed, Exported, Listed, Refused, ServerFrame, Told
from tests.client.frames import CODE, OTHER_CODE, claimed, seated, shown, view, welcome
from tests.client.line.line_mode import exported, line_mode
from tests.client.scripted import TARGET, Line, settle

HEALED = duel.Healed(seat=1, gained=0, hp=(10, 10))
DUEL = duel.View(viewer=1, to_act=(1,), hp=(10, 10), stances=("attacking", "attacking"))


def piece_of(re: int, first: int = 0, **fields: Any) -> Exported:
    """One move of a record, of which there is more."""
    return exported(re).model_copy(update={"first": first, "more": True} | fields)


NONSENSE: dict[str, ServerFrame] = {
    "a view of another game": shown(view=DUEL),
    "an event of another game": shown(events=(HEALED,)),
    "history of another game": Told(match=CODE, first_event=0, events=(HEALED,)),
    "a kind of move that the game has not": shown(legal=(Choice(kind="attack", values={}),)),
    "a move with a field too many": shown(
        legal=(Choice(kind="claim", values={"territory": (1,), "x": (1,)}),)
    ),
    "a move that can be nothing": shown(legal=(Choice(kind="claim", values={"territory": ()}),)),
    "another game in the same match": seated(game="duel"),
}


class Unknown:
    """A memory in which there is no server."""

    def fingerprint(self, host: str, port: int) -> None: ...

    def keep_fingerprint(self, host: str, port: int, fingerprint: str) -> None: ...


@pytest.fixture
def line() -> Line:
    return Line()


@pytest.mark.parametrize("frame", NONSENSE.values(), ids=NONSENSE)
async def test_what_cannot_be_said_in_earnest_ends_the_session(line: Line, frame: ServerFrame) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome(matches=(CODE,)), seated(), shown())
        known = session.state
        await line.wire.say(frame)
        assert session.state is known
    last = line.news[-1]
    assert isinstance(last, news.SessionOver)
    assert last.text == "What answers there says what no Conquest server of this version says."


def test_what_is_said_in_earnest_is_taken_in() -> None:
    state, _ = reduced(ClientState(), seated())
    earnest = (seated(), shown(), shown((4,)), Told(match=CODE, first_event=0, events=(claimed(1, 4),)))
    assert all(can_be(state, frame) for frame in earnest)
    # What concerns a match that was left can still be under way.
    assert can_be(ClientState(), shown(view=DUEL))


@pytest.mark.parametrize(("frames", "is_too_much"), [(MOST_MATCHES, False), (MOST_MATCHES + 1, True)])
def test_a_client_knows_so_many_matches_and_no_more(frames: int, is_too_much: bool) -> None:
    state, is_earnest = ClientState(), True
    for number in range(frames):
        frame = seated(match=f"{number:08}")
        is_earnest = can_be(state, frame)
        state, _ = reduced(state, frame)
    assert is_earnest is not is_too_much


@pytest.mark.parametrize(("pieces", "is_too_much"), [(MOST_PIECES, False), (MOST_PIECES + 1, True)])
def test_a_record_has_so_many_pieces_and_no_more(pieces: int, is_too_much: bool) -> None:
    (state, _), is_earnest = reduced(ClientState(), seated()), True
    for number in range(pieces):
        piece = piece_of(1, first=number)
        is_earnest = can_be(state, piece)
        state, _ = reduced(state, piece)
    assert is_earnest is not is_too_much


@pytest.mark.parametrize("heartbeat_s", [-(2**63), -1, 0])
async def test_no_server_makes_a_client_spin(line: Line, heartbeat_s: int) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(heartbeat_s=heartbeat_s, dead_s=30))
        await line.time.let_pass(30)
        assert min(line.time.slept) >= 1
        assert len(line.wire.sent) < 40


async def test_events_without_number_do_not_keep_a_client_from_coming_back(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome(matches=(CODE,)), seated())
        await line.wire.say(Told(match=CODE, first_event=2**31 - 1, events=(claimed(1, 4),)))
        await line.wire.cut()
        await line.time.let_pass(60)
        assert line.wire.last(Hello).seen == {CODE: 2**31 - 1}


def test_moves_beyond_number_are_not_spelled_out_one_by_one() -> None:
    state, _ = reduced(ClientState(), seated())
    many = Choice(kind="attack", values=dict.fromkeys("abcdefgh", tuple(range(256))))
    match = replace(state.matches[CODE], view=view(), legal=(many,))
    assert len(move_lines(match, str)) == 1


async def test_what_is_asked_about_a_match_that_was_announced_and_never_shown_is_answered() -> None:
    async with line_mode(is_terminal=True) as made:
        await made.hear(welcome(), seated(re=made.request))
        for command in ("/board", "/moves"):
            assert await made.type(command) == "The match has not begun yet.\n"


@pytest.mark.parametrize("piece", [piece_of(1, first=1), piece_of(1, game="duel")])
def test_a_record_begins_at_its_beginning_and_is_of_the_game_that_was_played(piece: Exported) -> None:
    state, _ = reduced(ClientState(), seated())
    assert can_be(state, piece_of(1))
    assert not can_be(state, piece)


def test_the_pieces_of_a_record_follow_each_other() -> None:
    state, _ = reduced(ClientState(), seated())
    state, _ = reduced(state, piece_of(1))
    assert [can_be(state, piece_of(1, first=first)) for first in (0, 1, 2)] == [False, True, False]


UNASKED: dict[str, tuple[ServerFrame, ...]] = {
    "a record": (exported(7),),
    "pieces of records": tuple(piece_of(number) for number in range(1, 300)),
    "a refusal": (Refused(re=7, code=RefusalCode.NO_SUCH_MATCH, text="No."),),
    "a list": (Listed(re=7, matches=(), total=0),),
    "a second welcome": (welcome("another", matches=()),),
}


@pytest.mark.parametrize("frames", UNASKED.values(), ids=UNASKED)
async def test_an_answer_to_what_was_not_asked_is_not_taken(
    line: Line, frames: tuple[ServerFrame, ...]
) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome(matches=(CODE,)), seated())
        known, told = session.state, len(line.news)
        await line.wire.say(*frames)
        assert session.state is known
        assert len(line.news) == told


async def test_the_record_of_another_match_than_was_asked_for_is_not_taken(line: Line) -> None:
    async with line.session() as session:
        await settle()
        await line.wire.say(welcome(matches=(CODE,)), seated(), seated(match=OTHER_CODE))
        request = session.send(Export, match=OTHER_CODE)
        await line.wire.say(exported(request))
        assert line.heard(news.RecordArrived) == []
        await line.wire.say(exported(request).model_copy(update={"match": OTHER_CODE}))
        assert len(line.heard(news.RecordArrived)) == 1


async def test_a_server_that_says_more_than_is_taken_has_to_wait(line: Line) -> None:
    inbox: Inbox[Heard] = Inbox()
    async with line.session(inbox.put_nowait, room=inbox.room) as session:
        await settle()
        await line.wire.say(welcome(matches=(CODE,)), *[seated()] * 3 * MOST)
        assert inbox.qsize() == MOST
        for _ in range(2 * MOST):
            await inbox.get()
        await settle()
        assert inbox.qsize() == MOST
        assert session.is_connected


async def test_who_forgets_a_player_again_and_again_is_asked_once_for_each_match(line: Line) -> None:
    async with line.session():
        await settle()
        await line.wire.say(welcome())
        for number in range(8):
            await line.wire.say(seated(match=f"0000000{number}", seat=0))
        for _ in range(5):
            await line.wire.say(Closed(code=CloseCode.BAD_TOKEN, text="Who?"))
            await line.time.let_pass(60)
            await line.wire.say(welcome())
        assert line.wire.count(Watch) == 8


async def test_who_looks_for_matches_takes_nothing_but_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    line = Line()
    monkeypatch.setattr(survey, "dial", lambda known, target, tell: line.dial(target, tell))
    async with asyncio.TaskGroup() as group:
        listing = group.create_task(survey.list_matches("Ann", Unknown(), TARGET))
        await settle()
        flood = [seated(match=f"{number:08}") for number in range(2 * MOST_MATCHES)]
        await line.wire.say(Listed(re=1, matches=(), total=0), *flood, *[welcome()] * 100)
        assert not listing.done()
        await line.wire.say(Listed(re=1, matches=(), total=0))
    assert listing.result() == ()
    assert line.wire.count(List) == 1


async def test_only_so_many_records_are_asked_for_at_once(tmp_path: Path) -> None:
    asked: list[type] = []
    keeper = Keeper(History(Store(tmp_path)), lambda heard: None)
    keeper.send = lambda kind, **fields: asked.append(kind) or len(asked)
    for number in range(10 * MOST_ASKED):
        outcome = Outcome(winner=1, reason="resigned")
        keeper.hear(Heard(news.MatchEnded(f"{number:08}", outcome), ClientState()))
    assert len(asked) == MOST_ASKED
