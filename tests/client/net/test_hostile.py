"""A server that says well-formed nonsense: the session ends with a sentence, and nothing grows or spins."""

from dataclasses import replace

import pytest

from client.core import news
from client.core.state import MOST_MATCHES, MOST_PIECES, ClientState, can_be, reduced
from client.core.wording import move_lines
from protocol.choice import Choice
from protocol.client_frame import Hello
from protocol.games import duel
from protocol.server_frame import ServerFrame, Told
from tests.client.frames import CODE, claimed, seated, shown, view, welcome
from tests.client.line.line_mode import exported, line_mode
from tests.client.scripted import Line, settle

HEALED = duel.Healed(seat=1, gained=0, hp=(10, 10))
DUEL = duel.View(viewer=1, to_act=(1,), hp=(10, 10), stances=("attacking", "attacking"))
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
    piece = exported(re=1).model_copy(update={"more": True})
    for _ in range(pieces):
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
