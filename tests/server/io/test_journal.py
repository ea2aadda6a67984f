"""Every journal has what the interface asks for: the real one, and those that stand in for it."""

import inspect

import pytest

from server.io.journal import Journal
from server.io.postgres import PostgresJournal
from server.io.sqlite import SqliteJournal
from tests.fuzz import in_process
from tests.simulation import disk

ASKED = sorted(name for name in vars(Journal) if not name.startswith("_"))
METHODS = [name for name in ASKED if callable(getattr(Journal, name))]


@pytest.mark.parametrize("journal", [SqliteJournal, PostgresJournal, disk.Disk, in_process.Disk])
@pytest.mark.parametrize("method", METHODS)
def test_a_journal_can_do_what_is_asked_of_it(journal, method):
    assert inspect.signature(getattr(journal, method)) == inspect.signature(getattr(Journal, method))


def test_a_journal_is_asked_to_do_six_things_and_to_tell_three():
    assert METHODS == ["append", "close", "facts", "live", "read", "start"]
    assert sorted(set(ASKED) - set(METHODS)) == ["commit_times", "commits", "name"]
