"""Records that nobody asked for by hand: requested when a match ends, kept, and waited for a little."""

from pathlib import Path
from typing import Any

import pytest

from client.core.news import ConnectionLost, MatchEnded, News, Notice, RecordArrived, Refusal
from client.core.state import ClientState
from client.net import keeper
from client.net.history import History
from client.net.keeper import Keeper
from client.net.session import Heard
from client.net.store import Store
from protocol.client_frame import Export
from protocol.refusal import RefusalCode
from tests.client.core.test_record import HEADER, record
from tests.client.frames import CODE

ENDED = MatchEnded(CODE, HEADER.outcome)
ARRIVED = RecordArrived(CODE, record(4, 7, 3))
REFUSED = Refusal(7, RefusalCode.NO_SUCH_MATCH, "No.")
LOST = ConnectionLost(1.0, 0.0)


class Listener:
    """A keeper, what it asks for, and what it passes on."""

    def __init__(self, root: Path, is_bot: bool = False) -> None:
        self.history = History(Store(root))
        self.keeper = Keeper(None if is_bot else self.history, lambda heard: self.passed.append(heard.news))
        self.keeper.send = self._send
        self.asked: list[Any] = []
        self.passed: list[News] = []

    def _send(self, kind: type, **fields: Any) -> int:
        self.asked.append((kind, fields))
        return 7

    def hear(self, item: News, answers: int | None = None) -> None:
        self.keeper.hear(Heard(item, ClientState(), answers))


@pytest.fixture
def listener(tmp_path: Path) -> Listener:
    return Listener(tmp_path)


async def test_the_record_of_a_match_that_ends_is_asked_for_and_kept(listener: Listener) -> None:
    listener.hear(ENDED)
    assert listener.asked == [(Export, {"match": CODE})]
    listener.hear(ARRIVED, 7)
    await listener.keeper.settle()
    assert [match.header for match in listener.history.matches()] == [HEADER]
    assert listener.passed == [ENDED, ARRIVED]


async def test_what_its_own_request_is_refused_with_concerns_nobody_else(listener: Listener) -> None:
    other = Refusal(8, RefusalCode.NO_SUCH_MATCH, "No.")
    for item in (ENDED, REFUSED, other, Notice("hello")):
        listener.hear(item)
    await listener.keeper.settle()
    assert listener.passed == [ENDED, other, Notice("hello")]


async def test_a_record_that_somebody_else_asked_for_is_not_kept(listener: Listener) -> None:
    listener.hear(ARRIVED, 8)
    assert listener.history.matches() == []


async def test_nothing_is_waited_for_without_a_connection_or_for_too_long(
    listener: Listener, monkeypatch: pytest.MonkeyPatch
) -> None:
    listener.hear(ENDED)
    monkeypatch.setattr(keeper, "PATIENCE_S", 0.0)
    await listener.keeper.settle()
    monkeypatch.undo()
    listener.hear(LOST)
    await listener.keeper.settle()
    assert listener.history.matches() == []


async def test_a_bot_keeps_nothing(tmp_path: Path) -> None:
    listener = Listener(tmp_path, is_bot=True)
    listener.hear(ENDED)
    assert listener.asked == []
