"""Moving a journal, whichever way: the same to the last byte, or nothing at all."""

import pytest

from server.core.entry import RETIRED, Entry, Fact
from server.io import copy as copying
from server.io.journal import CannotOpen
from server.io.opening import open_journal
from tests.server.io.test_writer import Watched, created, moved


@pytest.fixture(params=["file to database", "database to file", "file to file"])
def names(request, tmp_path):
    """Name a journal to copy, and where to."""
    file = str(tmp_path / "conquest.db")
    if request.param == "file to file":
        return file, str(tmp_path / "other.db")
    both = (file, request.getfixturevalue("database").url)
    return both if request.param == "file to database" else both[::-1]


def filled(name, matches=700):
    """Fill a journal with more than a page of everything, damage included."""
    watched = Watched(name)
    for stream in range(1, matches + 1):
        writes = [created(stream, f"CODE{stream:04}"), moved(stream, 1, text="Ä\x00\n", data=b"\x00\xff\\")]
        watched.journal.append([*writes, Fact(f"session:{stream}", {"n": stream})])
    watched.until_durable(watched.journal.append([Entry(1, 2, RETIRED, {}), Fact("Z", {}), Fact("a", {})]))
    watched.journal.close()


def content(name):
    journal = open_journal(name)
    found = list(journal.lines()), list(journal.records()), list(journal.live()), sorted(journal.facts())
    journal.close()
    return found


def copied(names, seen=lambda done, total: None):
    source, target = (open_journal(name) for name in names)
    try:
        return copying.copy(source, target, seen)
    finally:
        source.close()
        target.close()


def test_a_copy_is_the_same_to_the_last_byte_and_can_be_served(names):
    filled(names[0])
    progress = []
    assert copied(names, lambda *seen: progress.append(seen)) == 700 * 3 + 3
    assert content(names[1]) == content(names[0])
    assert progress == sorted(progress)
    assert progress[-1] == (4206, 4206)
    assert len(progress) == 5
    watched = Watched(names[1])
    watched.until_durable(watched.journal.append([moved(2, 2)]))
    assert [entry.place for entry in watched.journal.history("CODE0002")] == [0, 1, 2]
    watched.journal.close()


def test_an_empty_journal_can_be_copied(names):
    open_journal(names[0]).close()
    assert copied(names) == 0
    assert content(names[1]) == ([], [], [], [])


def test_nothing_is_copied_over_something(names):
    filled(names[0], 1)
    watched = Watched(names[1])
    watched.until_durable(watched.journal.append([Fact("mine", {})]))
    watched.journal.close()
    before = content(names[1])
    with pytest.raises(CannotOpen, match="holds matches already; nothing was copied"):
        copied(names)
    assert content(names[1]) == before


def test_what_does_not_arrive_as_it_was_sent_is_not_kept(names, monkeypatch):
    filled(names[0], 3)
    for journal in {type(journal) for journal in (opened_and_closed(name) for name in names)}:
        really = journal.filling
        monkeypatch.setattr(
            journal,
            "filling",
            lambda self, lines, records, really=really: really(self, list(lines)[1:], records),
        )
    with pytest.raises(CannotOpen, match="is not what was sent; nothing was kept"):
        copied(names)
    assert content(names[1]) == ([], [], [], [])


def opened_and_closed(name):
    journal = open_journal(name)
    journal.close()
    return journal


def test_a_copy_that_is_broken_off_leaves_nothing(names):
    filled(names[0])

    def enough(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copied(names, enough)
    assert content(names[1]) == ([], [], [], [])
