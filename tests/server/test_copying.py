"""`conquest journal copy`: what it says, and what it refuses in a sentence."""

import pytest

from client.command.main import main
from server.io.journal import IN_MEMORY
from server.io.opening import open_journal
from tests.server.io.test_copy import content, filled


def said(capsys, *names):
    code = main(["journal", "copy", *map(str, names)])
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_a_journal_is_moved_to_a_database_and_back(tmp_path, database, capsys):
    first, last = str(tmp_path / "first.db"), str(tmp_path / "last.db")
    filled(first, 3)
    there = (0, f"Copied 12 entries and facts from {first} to {database.url}, and read them back.\n", "")
    assert said(capsys, first, database.url) == there
    assert said(capsys, database.url, last)[0] == 0
    assert content(last) == content(first)


def test_on_a_terminal_a_bar_is_drawn(tmp_path, capsys, monkeypatch):
    filled(str(tmp_path / "a.db"), 400)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    _, _, drawn = said(capsys, tmp_path / "a.db", tmp_path / "b.db")
    assert drawn.startswith("\r[################")
    assert drawn.endswith("] 100%\n")


@pytest.mark.parametrize("one", ["from", "to"])
def test_a_journal_in_use_is_not_copied(tmp_path, capsys, one):
    names = [tmp_path / "a.db", tmp_path / "b.db"]
    open_journal(str(names[0])).close()
    used = open_journal(str(names[one == "to"]))
    assert said(capsys, *names) == (1, "", f"conquest: Another server is using {used.name}.\n")
    used.close()


def test_what_cannot_be_is_a_sentence(tmp_path, capsys):
    nowhere, file = tmp_path / "nowhere.db", tmp_path / "there.db"
    open_journal(str(file)).close()
    for names, sentence in (
        ((nowhere, file), f"There is no journal {nowhere}."),
        ((file, IN_MEMORY), ":memory: keeps nothing that could be copied."),
        ((file, file), f"Another server is using {file}."),
        (("postgresql://a:sesame@b/c", file), "The journal's URL holds a password"),
    ):
        code, out, err = said(capsys, *names)
        assert (code, out) == (1, "")
        assert err.startswith(f"conquest: {sentence}")
        assert "sesame" not in err
    assert not nowhere.exists()
