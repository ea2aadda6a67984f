"""Line mode: who leaves a match, and how they are let go."""

from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.core.seat import Arrival
from client.line import play
from client.line.terminal import Dismissed, InputOver, Interrupted
from client.net.session import Session
from client.net.store import Store
from protocol.client_frame import Create, Depart, Join, Leave, Watch
from protocol.server_frame import Left
from tests.client.frames import CODE, ended, seated, shown, waiting, welcome
from tests.client.line.line_mode import PROMPT, line_mode, playing
from tests.client.scripted import settle


@pytest.mark.parametrize("answer", ["/quit", "no", "N"])
async def test_leaving_after_the_end_clears_everything_away(answer: str, tmp_path: Path) -> None:
    store = Store(tmp_path)
    async with line_mode(store=store) as made:
        await made.hear(welcome(), seated(re=made.request), shown(), ended())
        assert len(store.sessions()) == 1
        await made.type(answer)
        await made.ended()
        assert made.line.wire.last(Leave).match == CODE
        assert store.sessions() == []


async def test_ctrl_c_asks_once_and_leaves_the_second_time() -> None:
    async with playing(is_terminal=True) as made:
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert "Press Ctrl-C again to leave" in made.tty.take()
        await made.type("9")
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert not made.is_left
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert "The way back" in made.tty.take()
        await made.ended()


@pytest.mark.parametrize(("is_gone", "said"), [(False, [Depart]), (True, [])], ids=["Ctrl-D", "closed"])
async def test_a_window_that_is_closed_says_no_goodbye(
    is_gone: bool, said: list[type], monkeypatch: pytest.MonkeyPatch
) -> None:
    def joining(session: Session) -> Arrival:
        return Arrival(request=session.send(Join, match=CODE), says_goodbye=True)

    monkeypatch.setattr(play, "is_hung_up", lambda: is_gone)
    async with line_mode(begin=joining, is_terminal=True) as made:
        await made.hear(welcome(), seated(re=made.request), shown())
        made.tty.terminal.inbox.put_nowait(InputOver())
        await made.ended()
        assert [type(frame) for frame in made.line.wire.sent if isinstance(frame, Depart | Leave)] == said


async def test_being_told_to_end_leaves_politely() -> None:
    async with playing() as made:
        made.tty.terminal.inbox.put_nowait(Dismissed())
        await settle()
        assert "The way back" in made.tty.take()
        await made.ended()


async def test_being_told_to_end_keeps_an_open_match(tmp_path: Path) -> None:
    def hosting(session: Session) -> Arrival:
        return Arrival(request=session.send(Create, game="conquer"))

    store = Store(tmp_path)
    async with line_mode(begin=hosting, store=store) as made:
        await made.hear(welcome(), waiting(re=made.request))
        made.tty.terminal.inbox.put_nowait(Dismissed())
        await settle()
        assert made.tty.take() == "Your seat is kept. The way back: conquest join --resume\n"
        await made.ended()
        assert made.line.wire.count(Leave) == 0
        assert len(store.sessions()) == 1


async def test_a_spectator_who_is_told_to_end_has_no_seat_to_come_back_to() -> None:
    def watching(session: Session) -> Arrival:
        return Arrival(request=session.send(Watch, match=CODE), way_back="")

    async with line_mode(begin=watching) as made:
        await made.hear(welcome(), waiting(re=made.request))
        made.tty.terminal.inbox.put_nowait(Dismissed())
        await settle()
        assert made.tty.take() == ""
        await made.ended()
        assert made.line.wire.last(Leave).match == CODE


async def test_a_host_is_asked_before_everybody_is_left_alone() -> None:
    def hosting(session: Session) -> Arrival:
        return Arrival(
            request=session.send(Create, game="conquer"), quit_question="Leave?", way_back="It ends here."
        )

    async with line_mode(is_terminal=True, begin=hosting) as made:
        await made.hear(welcome(), waiting(re=made.request), seated(), shown())
        assert await made.type("/quit") == "Leave? (y/n) "
        assert await made.type("n") == PROMPT
        assert not made.is_left
        await made.type("/quit")
        assert await made.type("y") == "It ends here.\n"
        await made.ended()


async def test_an_open_match_is_announced_and_taken_back_on_leaving() -> None:
    def hosting(session: Session) -> Arrival:
        return Arrival(session.send(Create, game="conquer"), on_open=lambda code: (f"Code: {code}",))

    async with line_mode(is_terminal=True, begin=hosting) as made:
        assert f"Code: {CODE}" in await made.hear(welcome(), waiting(re=made.request))
        assert await made.type("/board") == "The match has not begun yet.\n"
        await made.type("/quit")
        await made.ended()
        assert made.line.wire.last(Leave).match == CODE


async def test_a_match_that_the_server_put_away_is_the_end() -> None:
    async with playing() as made:
        await made.hear(Left(re=None, match=CODE))
        with pytest.raises(CouldNot, match="put this match away"):
            await made.ended()
