"""What holds for every test: nothing is kept where whoever runs the tests keeps their own things."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import postgres


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give each test a home folder, which its processes inherit."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("CONQUEST_HOME", str(home))
    return home


@pytest.fixture(scope="session")
def _database_server() -> Iterator[postgres.Postgres]:
    """Run one PostgreSQL for all the tests of a worker."""
    server = postgres.Postgres()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> postgres.Database:
    """Give a test an empty database, whose password it and its processes know from the environment."""
    if postgres.why_not():
        pytest.skip(postgres.why_not())
    monkeypatch.setenv("PGPASSWORD", postgres.PASSWORD)
    return postgres.Database(request.getfixturevalue("_database_server"))
