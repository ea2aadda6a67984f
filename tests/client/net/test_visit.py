"""What tells a visitor's program where it is."""

from pathlib import Path

import pytest

from client.local import saved
from client.net import history
from client.net.connection import Distrusted, Target, dial
from client.net.history import History
from client.net.store import Store
from client.net.visit import VARIABLE, Visit, may_reach, visiting, whereabouts
from tests.client.core.test_record import record

VISIT = Visit(7000, "example.org", 7717, "f" * 43, 2222, name="Ann")


def test_a_visit_is_written_down_and_read_again() -> None:
    assert visiting({VARIABLE: VISIT.text()}) == VISIT
    assert visiting({}) is None


def test_the_way_back_is_for_a_key_or_by_a_word() -> None:
    assert VISIT.way_back == "ssh -p 2222 example.org"
    by_word = Visit(7000, "example.org", 7717, None, 2222, word="back-7k3m-9qxz-4tcq")
    assert by_word.way_back == "ssh -p 2222 back-7k3m-9qxz-4tcq@example.org"


async def test_a_visitors_program_reaches_one_port_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert may_reach("192.0.2.1", 7717)
    monkeypatch.setenv(VARIABLE, VISIT.text())
    assert may_reach("127.0.0.1", 7000)
    for host, port in (("127.0.0.1", 7001), ("localhost", 7000), ("192.0.2.1", 7000)):
        assert not may_reach(host, port)
        with pytest.raises(Distrusted, match="Visitors by ssh do not reach"):
            await dial(Store(tmp_path), Target(host, port, is_plain=True), lambda news: None)


def test_a_visitor_writes_no_file_of_their_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, VISIT.text())
    for name in ("", str(tmp_path / "record.jsonl")):
        assert saved.save(name, record(4, 7)) == saved.NOT_BY_SSH
    assert list(tmp_path.iterdir()) == []


def test_less_is_kept_for_a_visitor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = History(Store(tmp_path))
    size = len(history.dump(record(4, 7)))
    for most, is_kept in ((size - 1, False), (size, True), (size + 1, True)):
        visit = Visit(7000, "example.org", 7717, None, 2222, history=most)
        monkeypatch.setenv(VARIABLE, visit.text())
        kept.keep(record(4, 7))
        assert bool(kept.matches()) is is_kept


def test_a_visitor_knows_no_other_server() -> None:
    assert whereabouts(VISIT, "example.org:7717") == "on this server"
    assert whereabouts(None, "example.org:7717") == "at example.org:7717"
