"""What is remembered on disk, and by whom it can be read."""

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from client.net.store import FRESH_S, Hosting, SavedSession, SessionFile, Store

SAVED = SavedSession("192.0.2.7", 7717, "A" * 43, False, "secret", "Ann", "7K3M9QXZ", "grid")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "home")


def test_a_name_is_remembered(store: Store) -> None:
    assert store.name() is None
    store.keep_name("Zoë")
    assert Store(store.root).name() == "Zoë"


@pytest.mark.parametrize("name", ["\x1b[2J", "", 7, "x" * 17])
def test_a_name_that_cannot_be_used_is_not_remembered(store: Store, name: object) -> None:
    store.root.mkdir()
    (store.root / "settings.json").write_text(json.dumps({"name": name}))
    assert store.name() is None


def test_certificates_are_known_by_address(store: Store) -> None:
    store.keep_fingerprint("fd00::7", 7717, "A" * 43)
    store.keep_fingerprint("fd00::7", 7718, "B" * 43)
    assert store.fingerprint("fd00::7", 7717) == "A" * 43
    assert store.fingerprint("fd00::8", 7717) is None
    store.keep_fingerprint("fd00::7", 7717, "C" * 43)
    assert store.fingerprint("fd00::7", 7717) == "C" * 43


def test_only_the_owner_can_read_a_way_back(store: Store) -> None:
    store.new_session_file().save(SAVED)
    (path,) = store.root.iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def kept(store: Store, saved: SavedSession, at: int) -> SessionFile:
    """Write a way back down as if it were that time."""
    file = store.new_session_file()
    file.save(saved)
    os.utime(store.root / file._name, (at, at))
    return file


def test_ways_back_are_listed_latest_first(store: Store) -> None:
    hosted = replace(SAVED, hosting=Hosting(None, 7717, "some.db", None))
    files = [kept(store, saved, 1000 + age) for age, saved in enumerate((SAVED, hosted, SAVED))]
    assert [saved for _, saved in store.sessions()] == [SAVED, hosted, SAVED]
    files[2].forget()
    assert [saved for _, saved in store.sessions()] == [hosted, SAVED]
    files[2].forget()


def test_a_way_back_that_another_process_uses_comes_last_and_is_not_offered(store: Store) -> None:
    used = replace(SAVED, match="00000000", pid=os.getppid())
    kept(store, SAVED, 1000)
    kept(store, used, 2000)
    assert [saved for _, saved in store.sessions()] == [SAVED, used]
    for file, _ in store.sessions()[:1]:
        file.forget()
    assert store.way_back(now=2000.0) is None


def test_nobody_else_uses_a_way_back_of_ours_or_of_a_process_that_is_gone() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    for pid in (0, -1, 2**40, os.getpid(), gone.pid):
        assert not replace(SAVED, pid=pid).is_in_use


def test_a_way_back_is_known_by_the_code_one_came_by_and_by_that_of_the_rematch() -> None:
    saved = replace(SAVED, came_by="ABCDEFGH")
    assert saved.leads_to("7K3M9QXZ")
    assert saved.leads_to("ABCDEFGH")
    assert not SAVED.leads_to("ABCDEFGH")


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "{}",
        '{"name": 7, "x:1": 7}',
        '{"host": 7}',
        "\x00\xff",
    ],
)
def test_a_damaged_file_counts_as_missing(store: Store, content: str) -> None:
    store.root.mkdir()
    for name in ("settings.json", "known_servers.json", "session-1.json"):
        (store.root / name).write_text(content)
    assert store.name() is None
    assert store.fingerprint("x", 1) is None
    assert store.sessions() == []


@pytest.mark.parametrize("hosting", [None, {"port": 1}, 7])
def test_a_way_back_with_the_wrong_kinds_of_values_counts_as_missing(store: Store, hosting: object) -> None:
    store.root.mkdir()
    content = {**dict.fromkeys(SavedSession.__slots__, "x"), "hosting": hosting}
    (store.root / "session-1.json").write_text(json.dumps(content))
    assert store.sessions() == []


def test_a_replaced_file_leaves_no_draft_behind(store: Store) -> None:
    file = store.new_session_file()
    file.save(SAVED)
    file.save(SAVED)
    assert len(list(store.root.iterdir())) == 1


def test_a_folder_that_cannot_be_written_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        Store(tmp_path / "file" / "folder").check()


def test_the_way_back_that_is_offered_is_the_last_one_and_fresh(store: Store) -> None:
    assert store.way_back(now=0.0) is None
    kept(store, SAVED, 1000)
    newer = kept(store, replace(SAVED, match="00000000"), 2000)
    found = store.way_back(now=2000.0 + FRESH_S)
    assert found is not None
    assert found[1].match == "00000000"
    assert store.way_back(now=2001.0 + FRESH_S) is None
    newer.forget()
    found = store.way_back(now=1000.0)
    assert found is not None
    assert found[1] == SAVED
