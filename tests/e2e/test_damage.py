"""A journal that cannot be used: the server says so and stops, and not a byte of it is changed.

Damage that SQLite cannot see, within one match's entries, costs that match alone.
"""

import ctypes
import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.client import Player, paired
from tests.e2e.process import ServerProcess, refused, serving

PR_CAPBSET_DROP = 24
CAP_DAC_OVERRIDE = 1


def contents(home: Path) -> dict[str, bytes]:
    """Read the journal and its log; the log's index, which can be made anew, does not count."""
    found = {file.name: file.read_bytes() for file in home.glob("conquest.db*")}
    return {name: content for name, content in found.items() if content and not name.endswith("-shm")}


async def played(home: Path, is_killed: bool) -> list[tuple[Player, Player, str]]:
    """Leave a journal with two matches in it: whole, or as a kill leaves it with a log beside it."""
    async with serving(home, "--log-json") as server:
        pairs = [await paired(server, game) for game in ("galaxy", "duel")]
        await pairs[0][0].play(pairs[0][2], {"kind": "attack", "planet": 3, "ship": 3})
        if not is_killed:
            assert await server.stop() == 0
    return pairs


def foreign(db: Path) -> None:
    db.unlink()
    with sqlite3.connect(db) as connection:
        connection.execute("CREATE TABLE photo(name)")
    connection.close()


def newer(db: Path) -> None:
    content = bytearray(db.read_bytes())
    content[60:64] = (99).to_bytes(4, "big")
    db.write_bytes(content)


def text(db: Path) -> None:
    db.write_text("Dear diary, today I lost at Conquer.\n")


def cut_short(db: Path) -> None:
    db.write_bytes(db.read_bytes()[: 3 * 4096])


def scribbled(db: Path) -> None:
    content = bytearray(db.read_bytes())
    content[4096 : 4096 + 200] = random.Random(3).randbytes(200)
    db.write_bytes(content)


def zeroed(db: Path) -> None:
    db.write_bytes(bytes(len(db.read_bytes())))


@pytest.mark.parametrize(
    ("spoil", "is_killed"),
    [
        *((spoil, False) for spoil in (foreign, newer, text, cut_short, scribbled, zeroed)),
        # After a kill the pages themselves are in the log, so that only the file's head can be spoilt.
        *((spoil, True) for spoil in (foreign, newer, text, zeroed)),
    ],
)
async def test_a_file_that_is_no_sound_journal_is_reported_and_never_touched(
    tmp_path: Path, spoil: Callable[[Path], None], is_killed: bool
) -> None:
    await played(tmp_path, is_killed)
    spoil(tmp_path / "conquest.db")
    before = contents(tmp_path)
    sentence = await refused(tmp_path)
    assert str(tmp_path / "conquest.db") in sentence
    assert "not touched" in sentence or "not changed" in sentence
    assert contents(tmp_path) == before


async def test_damage_within_one_match_costs_that_match_alone(tmp_path: Path) -> None:
    """SQLite finds no fault with a row whose content was changed; the match it belongs to does."""
    (galaxy, duel) = await played(tmp_path, is_killed=False)
    with sqlite3.connect(tmp_path / "conquest.db") as connection:
        connection.execute("UPDATE entry SET body = x'81a130' WHERE kind = 'moved'")
    connection.close()
    before = rows(tmp_path / "conquest.db")
    async with serving(tmp_path, "--log-json") as server:
        assert server.restored == 1
        for player in duel[:2]:
            player.where = server
            await player.come_back()
        await duel[0].play(duel[2], {"kind": "attack"})
        reports = [line["event"] for line in server.log_lines() if line.get("level") == "error"]
        assert len(reports) == 1
        assert "cannot be rebuilt and is left as it is" in reports[0]
        assert galaxy[2] not in reports[0], "codes are not logged"
        await server.stop()
    assert rows(tmp_path / "conquest.db")[: len(before)] == before


def rows(db: Path) -> list[tuple[object, ...]]:
    """Read all entries as they are."""
    connection = sqlite3.connect(db)
    found = connection.execute("SELECT * FROM entry ORDER BY seq").fetchall()
    connection.close()
    return found


def without_privileges() -> None:
    """Give up root's right to write into any file; others have no such right."""
    if os.geteuid() == 0:
        libc = ctypes.CDLL(None, use_errno=True)
        assert libc.prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0) == 0


@pytest.mark.parametrize("what", ["conquest.db", "."])
async def test_what_may_only_be_read_is_named(tmp_path: Path, what: str) -> None:
    journal = tmp_path / "kept"
    await played(journal, is_killed=False)
    before = contents(journal)
    set_mode(journal / what, 0o500 if what == "." else 0o400)
    try:
        db = journal / "conquest.db"
        sentence = await refused(tmp_path, f"--db={db}", preexec=without_privileges)
    finally:
        set_mode(journal / what, 0o700 if what == "." else 0o600)
    assert str(db) in sentence
    assert "Permission denied" in sentence or "readonly" in sentence
    assert contents(journal) == before


def set_mode(path: Path, mode: int) -> None:
    """Change a file's permissions."""
    path.chmod(mode)


async def test_a_step_that_a_kill_left_half_done_is_undone(tmp_path: Path) -> None:
    """A restored copy is not a log yet; whoever turns it into one can be killed amid that."""
    pairs = await played(tmp_path / "kept", is_killed=False)
    db = half_changed(tmp_path / "kept" / "conquest.db", tmp_path / "conquest.db")
    server = ServerProcess(tmp_path, f"--db={db}")
    try:
        await server.start()
        assert server.restored == 2
        for first, _, _ in pairs:
            first.where = server
            await first.come_back()
        assert await server.stop() == 0
    finally:
        await server.kill()


def half_changed(journal: Path, copy: Path) -> Path:
    """Copy a journal as it is amid a transaction that was never finished."""
    draft = copy.with_name("draft.db")
    source = sqlite3.connect(journal)
    source.execute("VACUUM INTO ?", (str(draft),))
    source.close()
    connection = sqlite3.connect(draft, isolation_level=None)
    connection.execute("PRAGMA cache_size=1")
    connection.execute("BEGIN")
    connection.execute("CREATE TABLE page(content)")
    connection.execute(
        "INSERT INTO page WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
        " SELECT randomblob(4000) FROM n"
    )
    shutil.copy(draft, copy)
    shutil.copy(f"{draft}-journal", f"{copy}-journal")
    connection.close()
    return copy
