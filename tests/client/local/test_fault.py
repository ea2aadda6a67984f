"""What a fault of ours leaves behind: a file that its owner can read, wherever one can be written."""

import logging
import tempfile
from pathlib import Path

import pytest

from client.local import fault
from client.local.fault import LOG, LOG_MAX, SORRY, Log, explain


def raised() -> Exception:
    try:
        raise KeyError("nobody thought of this")
    except KeyError as problem:
        return problem


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("zeroconf", logging.WARNING, "", 0, text, None, None)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(fault, "_LOG", Log())
    return tmp_path / "home"


def test_the_sentence_names_the_file_with_the_trace(home: Path) -> None:
    assert explain(raised()) == f"{SORRY} The details are in {home / LOG}"
    assert "KeyError: 'nobody thought of this'" in (home / LOG).read_text()
    assert (home / LOG).stat().st_mode & 0o777 == 0o600


def test_a_home_that_keeps_nothing_gives_way_to_a_temporary_file(home: Path) -> None:
    home.write_text("not a folder")
    sentence = explain(raised())
    path = Path(sentence.removeprefix(f"{SORRY} The details are in "))
    assert path.parent == home.parent
    assert explain(raised()) == sentence
    assert path.read_text().count("KeyError: 'nobody thought of this'") == 2
    assert path.stat().st_mode & 0o777 == 0o600


def test_where_nothing_can_be_written_the_sentence_says_so(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.write_text("not a folder")
    monkeypatch.setattr(tempfile, "tempdir", str(home))
    assert explain(raised()) == f"{SORRY} The details could not be written down anywhere."


def test_a_long_log_is_set_aside_and_only_one_of_them_is_kept(home: Path) -> None:
    log = Log()
    for _ in range(3):
        log.emit(record("x" * LOG_MAX))
    log.emit(record("the last"))
    assert {path.name: path.stat().st_size > LOG_MAX for path in home.iterdir()} == {
        LOG: False,
        "conquest.old.log": True,
    }


def test_what_libraries_log_in_the_background_is_written_down(home: Path) -> None:
    logger = logging.getLogger()
    before = list(logger.handlers)
    try:
        fault.log_to_file()
        logging.getLogger("asyncio").error("Task exception was never retrieved")
    finally:
        logger.handlers[:] = before
    assert "ERROR asyncio: Task exception was never retrieved" in (home / LOG).read_text()
