"""The folders of visitors."""

import os
from pathlib import Path

import pytest

from client.ssh.home import FOLDER, is_known, open_home


def test_a_visitor_is_known_from_the_first_visit_and_nobody_else_sees_the_folder(tmp_path: Path) -> None:
    assert not is_known(tmp_path, "key-1")
    home = open_home(tmp_path, "key-1", 10)
    assert is_known(tmp_path, "key-1")
    assert home.stat().st_mode & 0o777 == 0o700
    (home / "settings.json").write_text("{}")
    assert (open_home(tmp_path, "key-1", 10) / "settings.json").exists()


@pytest.mark.parametrize("number", [2, 3, 4])
def test_who_was_away_longest_is_forgotten_when_there_are_too_many(number: int, tmp_path: Path) -> None:
    for at in range(number):
        home = open_home(tmp_path, f"key-{at}", 3)
        (home / "history").mkdir()
        os.utime(home, (at, at))
    there = sorted(path.name for path in (tmp_path / FOLDER).iterdir())
    assert there == [f"key-{at}" for at in range(max(0, number - 3), number)]


def test_nobody_who_is_there_is_forgotten(tmp_path: Path) -> None:
    for at in range(5):
        os.utime(open_home(tmp_path, f"key-{at}", 2, present=("key-0", "key-1")), (at, at))
    assert sorted(path.name for path in (tmp_path / FOLDER).iterdir()) == ["key-0", "key-1", "key-4"]
