"""Counts for whoever runs a server: right, and never anything else than counts."""

import asyncio
import json
import logging
from collections import deque
from types import SimpleNamespace

import pytest

from protocol.client_frame import Join, Resign, Watch
from server.core.input import Stalled
from server.io import status as status_module
from server.io.status import Status, counts
from tests.server.driver import Hall


def a_journal(*times):
    return SimpleNamespace(commits=len(times), commit_times=deque(times))


def test_everything_is_counted():
    hall = Hall()
    anna, bert, code = hall.pair("duel")
    hall.stranger("Nobody")
    carl = hall.person("Carl")
    carl.ask(Watch, match=code)
    finished = hall.begin(anna, bert, "galaxy")
    anna.ask(Resign, match=finished)
    anna.create("grid")
    frozen = hall.begin(anna, bert, "conquer")
    hall.match(frozen).is_frozen = True
    anna.play(code, "attack")
    anna.refused(Join, match="00000000")
    bert.drop()
    found = counts(hall.kernel, a_journal(0.004, 0.001, 0.002), 12.345)
    assert found == {
        "up_s": 12.3,
        "connections": 3,
        "sessions": 3,
        "matches_waiting": 1,
        "matches_running": 2,
        "matches_finished": 1,
        "matches_frozen": 1,
        "spectators": 1,
        "is_saving": True,
        "commits": 3,
        "commit_ms": {"median": 2.0, "p99": 4.0, "longest": 4.0},
        "since_start": {
            "connections": 4,
            "matches_begun": 3,
            "matches_ended": 1,
            "moves": 1,
            "refused.no_such_match": 1,
        },
    }


def test_a_server_that_has_done_nothing_has_counts_too():
    found = counts(Hall().kernel, a_journal(), 0)
    assert found["commit_ms"] == {"median": None, "p99": None, "longest": None}
    assert json.loads(json.dumps(found)) == found


def test_counts_hold_no_names_codes_or_tokens():
    hall = Hall()
    anna, _bert, code = hall.pair("duel")
    text = json.dumps(counts(hall.kernel, a_journal(0.1), 1))
    for secret in (code, anna.token, "Anna", anna.address):
        assert secret not in text


def test_that_nothing_can_be_saved_is_seen():
    hall = Hall()
    hall.step(Stalled())
    assert counts(hall.kernel, a_journal(), 0)["is_saving"] is False


async def ask(port, request=b"GET / HTTP/1.0\r\n\r\n"):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    writer.write_eof()
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_a_port_answers_every_tool_with_json():
    status = Status(Hall().kernel, a_journal())
    await status.start("0")
    try:
        port = status._listeners[0].sockets[0].getsockname()[1]
        assert status._listeners[0].sockets[0].getsockname()[0] == "127.0.0.1"
        head, _, body = (await ask(port)).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.0 200 OK\r\n")
        assert json.loads(body)["connections"] == 0
        assert (await ask(port, b"")).endswith(body[-10:])
    finally:
        status.stop()


async def test_prometheus_has_a_port_of_its_own_beside_it():
    status = Status(Hall().kernel, a_journal(0.25))
    await status.start("0")
    await status.start_metrics(0)
    try:
        host, port = status._listeners[1].sockets[0].getsockname()
        head, _, body = (await ask(port)).partition(b"\r\n\r\n")
        assert host == "127.0.0.1"
        assert b"Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n" in head
        assert b'\nconquest_commit_seconds{quantile="0.5"} 0.25\n' in body
    finally:
        status.stop()


async def test_a_file_is_kept_up_to_date_and_never_half_written(tmp_path):
    hall = Hall()
    path = tmp_path / "counts.json"
    status = Status(hall.kernel, a_journal())
    await status.start(str(path))
    assert json.loads(path.read_text())["sessions"] == 0
    hall.person("Anna")
    status._keep_written(path)
    status.stop()
    assert json.loads(path.read_text())["sessions"] == 1
    assert [file.name for file in tmp_path.iterdir()] == ["counts.json"]


async def test_a_file_that_cannot_be_written_at_first_is_an_error(tmp_path):
    status = Status(Hall().kernel, a_journal())
    with pytest.raises(OSError, match="No such file"):
        await status.start(str(tmp_path / "nowhere" / "counts.json"))
    status.stop()


async def test_a_file_that_cannot_be_written_later_is_tried_again(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(status_module, "FILE_EVERY_S", 3600)
    folder = tmp_path / "there"
    folder.mkdir()
    path = folder / "counts.json"
    status = Status(Hall().kernel, a_journal())
    await status.start(str(path))
    path.unlink()
    folder.rmdir()
    with caplog.at_level(logging.WARNING, "conquest.server"):
        status._keep_written(path)
    assert "cannot be written" in caplog.text
    assert not status._writer.cancelled()
    folder.mkdir()
    status._keep_written(path)
    status.stop()
    assert path.exists()


async def test_counts_that_fail_for_a_fault_of_ours_are_logged_and_written_again_later(
    tmp_path, monkeypatch, caplog
):
    monkeypatch.setattr(status_module, "FILE_EVERY_S", 3600)
    path = tmp_path / "counts.json"
    status = Status(Hall().kernel, a_journal())
    await status.start(str(path))
    with monkeypatch.context() as patched:
        patched.setattr(status_module, "counts", lambda *given: 1 // 0)
        status._keep_written(path)
    assert "A fault of ours while counting." in caplog.text
    path.unlink()
    status._keep_written(path)
    status.stop()
    assert path.exists()
