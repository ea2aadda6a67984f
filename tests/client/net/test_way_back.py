"""The way back on disk: there before the server can depend on it, and enough to come back by."""

import os
from pathlib import Path

import pytest

from client.core import news
from client.net.store import Hosting, SavedSession, Store
from protocol.client_frame import Create, Hello, Join, Play
from tests.client.frames import CODE, OTHER_CODE, seated, shown, waiting, welcome
from tests.client.scripted import TARGET, Line, settle


@pytest.fixture
def line() -> Line:
    return Line()


async def test_the_way_back_is_on_disk_before_the_next_frame_leaves(line: Line, tmp_path: Path) -> None:
    store = Store(tmp_path)

    def saved() -> SavedSession:
        ((_, way),) = store.sessions()
        return way

    async with line.session(file=store.new_session_file()) as session:
        await settle()
        await line.wire.say(welcome("first"))
        assert store.sessions() == []
        create = session.send(Create, game="conquer")
        await line.wire.say(waiting(re=create))
        assert saved() == SavedSession(
            TARGET.host, TARGET.port, None, True, "first", "Ann", CODE, "conquer", None, CODE, os.getpid()
        )
        session.send(Play, match=CODE, turn=0, move={"kind": "claim", "territory": 4})
        await line.wire.cut()
        await line.time.let_pass(1)
        tokens: list[str] = []
        wire = line.wire
        send = wire.send

        def send_and_look(frame: object) -> None:
            tokens.append(saved().token)
            send(frame)  # type: ignore[arg-type]

        wire.send = send_and_look  # type: ignore[method-assign,assignment]
        await wire.say(welcome("second", matches=(CODE,)), seated(), shown())
        assert wire.count(Play) == 1
        assert tokens == ["second"]


async def test_a_client_that_was_killed_comes_back_by_its_token(line: Line, tmp_path: Path) -> None:
    store = Store(tmp_path)
    file = store.new_session_file()
    file.save(SavedSession("192.0.2.7", 7717, None, True, "kept", "Ann", CODE, "conquer", None))
    async with line.session(file=file, token="kept"):
        await settle()
        assert line.wire.last(Hello).token == "kept"
        # Killed again right here, it can still come back: the new token is on disk already.
        await line.wire.say(welcome("next", matches=(CODE,)))
        loaded = file.load()
        assert loaded is not None
        assert (loaded.token, loaded.match) == ("next", CODE)


async def test_a_host_keeps_how_to_start_its_server_again(line: Line, tmp_path: Path) -> None:
    store = Store(tmp_path)
    hosting = Hosting(None, 7717, "somewhere.db", None)
    async with line.session(file=store.new_session_file(), hosting=hosting) as session:
        await settle()
        create = session.send(Create, game="conquer")
        await line.wire.say(welcome(), waiting(re=create))
    assert [way.hosting for _, way in store.sessions()] == [hosting]


async def test_a_way_back_that_cannot_be_saved_is_said_and_the_match_goes_on(
    line: Line, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    async with line.session(file=Store(blocked / "folder").new_session_file()) as session:
        await settle()
        create = session.send(Create, game="conquer")
        await line.wire.say(welcome(), waiting(re=create), seated())
    assert [notice.text.split(":")[0] for notice in line.heard(news.Notice)] == [
        "The way back to this match cannot be saved"
    ]
    assert line.heard(news.MatchBegan) == [news.MatchBegan(CODE)]


async def test_the_way_back_after_a_rematch_still_knows_the_code_one_came_by(
    line: Line, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    async with line.session(file=store.new_session_file()) as session:
        await settle()
        join = session.send(Join, match=CODE)
        await line.wire.say(welcome(), seated(re=join), seated(match=OTHER_CODE, previous=CODE))
    ((_, saved),) = store.sessions()
    assert (saved.match, saved.came_by) == (OTHER_CODE, CODE)
