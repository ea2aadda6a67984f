"""The folder of records: what is kept in it, for how long, and what does not belong there."""

import stat
from pathlib import Path

import pytest

from client.core.record import Record
from client.net import history
from client.net.history import History, read
from client.net.store import Store
from protocol.model import Owner
from tests.client.core.test_record import HEADER, record


class Clock:
    """A time that is set by hand."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        self.now += 60
        return self.now


@pytest.fixture
def kept(tmp_path: Path) -> History:
    return History(Store(tmp_path / "home"), Clock())


def of(code: str, seat: Owner = 1) -> Record:
    return record(4, 7, header=HEADER.model_copy(update={"match": code, "seat": seat}))


def test_a_record_is_kept_once_for_its_owner_alone(kept: History) -> None:
    path = kept.keep(of("7K3M9QXZ"))
    assert path is not None
    assert read(path) == of("7K3M9QXZ")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert kept.keep(of("7K3M9QXZ")) == path
    assert [match.header for match in kept.matches()] == [of("7K3M9QXZ").header]
    assert kept.keep(of("7K3M9QXZ", seat=2)) != path


def test_the_latest_match_comes_first_and_a_forgotten_one_is_gone(kept: History) -> None:
    for code in ("AAAAAAAA", "22222222", "ZZZZZZZZ"):
        kept.keep(of(code))
    assert [match.header.match for match in kept.matches()] == ["ZZZZZZZZ", "22222222", "AAAAAAAA"]
    kept.forget(kept.matches()[1])
    kept.forget(kept.matches()[0])
    assert [match.header.match for match in kept.matches()] == ["AAAAAAAA"]


@pytest.mark.parametrize("most", [2, 3])
def test_the_oldest_records_go_when_there_are_too_many(
    kept: History, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(history, "MOST", most)
    for code in ("AAAAAAAA", "22222222", "ZZZZZZZZ"):
        kept.keep(of(code))
    assert [match.header.match for match in kept.matches()] == ["ZZZZZZZZ", "22222222", "AAAAAAAA"][:most]


def test_the_oldest_records_go_when_they_take_too_much_room(
    kept: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = (kept.keep(of("AAAAAAAA")) or Path()).stat().st_size
    monkeypatch.setattr(history, "MOST_BYTES", 2 * size)
    kept.keep(of("22222222"))
    assert len(kept.matches()) == 2
    kept.keep(of("ZZZZZZZZ"))
    assert [match.header.match for match in kept.matches()] == ["ZZZZZZZZ", "22222222"]


@pytest.mark.parametrize("update", [{"game": "../../x"}, {"game": "chess"}, {"match": "../../../x"}])
def test_what_a_strange_server_calls_a_match_names_no_file(kept: History, update: dict[str, str]) -> None:
    assert kept.keep(record(4, header=HEADER.model_copy(update=update))) is None
    assert not kept.folder.exists()


def test_what_is_no_record_is_neither_listed_nor_removed(kept: History) -> None:
    kept.folder.mkdir(parents=True)
    for name in ("notes.jsonl", "20261119T061500Z-duel-7K3M9QXZ-1.jsonl", "x.txt"):
        (kept.folder / name).write_text("hello")
    kept.keep(of("7K3M9QXZ"))
    assert len(kept.matches()) == 1
    assert len(list(kept.folder.iterdir())) == 4


def test_a_home_that_cannot_be_written_is_said_once_and_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")
    said: list[str] = []
    kept = History(Store(tmp_path / "home", said.append))
    assert kept.keep(of("7K3M9QXZ")) is None
    assert kept.keep(of("22222222")) is None
    assert kept.matches() == []
    assert said == [f"Nothing can be remembered in {tmp_path / 'home'}: Not a directory."]
