"""What holds for every test: nothing is kept where whoever runs the tests keeps their own things."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a home folder, which its processes inherit."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CONQUEST_HOME", str(home))
    return home
