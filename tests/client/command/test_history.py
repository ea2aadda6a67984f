"""Looking back on what was played: kept by itself on both sides, listed, filtered, shown again."""

import asyncio
from pathlib import Path

import pytest

from client.command.history import look_back
from client.core.failure import CouldNot
from client.core.history import NOTHING, NOTHING_FITS
from client.flow.join import join
from client.local.saved import found
from client.net.history import History
from client.net.place import parse_place
from client.net.store import Store
from tests.client.core.test_record import HEADER, record
from tests.client.people import PROMPT, Player, hosting
from tests.client.scripted import ScriptedTerminal


async def test_both_players_keep_what_they_played_each_from_their_seat(ann: Player, bob: Player) -> None:
    async with hosting(ann) as (hosted, link):
        joined = asyncio.create_task(join(bob.person, parse_place(link)))
        await bob.until("You are Player 2.")
        await ann.type("4")
        await bob.until(PROMPT)
        # What is left in the same breath is kept, too.
        await bob.type("/resign", "/quit")
        await joined
        await ann.until("You win!")
        await ann.type("/quit")
        await hosted
    (anns,), (bobs,) = History(ann.store).matches(), History(bob.store).matches()
    assert (anns.opponent, anns.result, anns.moves) == ("Bob", "won", 1)
    assert (bobs.opponent, bobs.result, bobs.moves) == ("Ann", "lost", 1)


@pytest.fixture
def history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> History:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    kept = History(Store(tmp_path))
    for code, names in (("22222222", ("Eve", "Bob")), ("7K3M9QXZ", ("Ann", "Bob"))):
        header = HEADER.model_copy(update={"match": code, "seat": 2, "names": names})
        kept.keep(record(4, 7, 3, 5, 2, header=header))
    return kept


async def listed(*answers: str, is_terminal: bool = True, game: str = "", opponent: str = "") -> str:
    tty = ScriptedTerminal(is_terminal=is_terminal)
    reading = asyncio.create_task(look_back(tty.terminal, game, opponent))
    for answer in answers:
        await tty.until("Enter leaves: ") if answer != "q" else None
        await tty.type(answer)
    await reading
    return tty.take()


async def test_nothing_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    assert await listed() == f"{NOTHING}\nThe records are in {tmp_path / 'history'}.\n"


async def test_a_pipe_gets_the_table_and_the_totals(history: History) -> None:
    lines = (await listed(is_terminal=False)).splitlines()
    assert [line[:2] for line in lines[:3]] == ["# ", "1 ", "2 "]
    assert lines[4:6] == ["Against Ann: 1 lost.", "Against Eve: 1 lost."] or len(lines) == 7
    assert lines[-1] == f"The records are in {history.folder}."


async def test_a_filter_keeps_the_numbers(history: History) -> None:
    numbers = {
        name: [line[0] for line in (await listed(is_terminal=False, opponent=name)).splitlines()[1:2]]
        for name in ("ann", "eve")
    }
    assert sorted(number for (number,) in numbers.values()) == ["1", "2"]
    assert (await listed(is_terminal=False, game="duel")).startswith(NOTHING_FITS)


@pytest.mark.parametrize(
    ("word", "told"), [("1", "Move 5 of 5"), ("r1", "Your chance to win"), ("3", "2 matches to choose")]
)
async def test_a_match_is_shown_again_by_its_number(history: History, word: str, told: str) -> None:
    tty = ScriptedTerminal(is_terminal=True)
    reading = asyncio.create_task(look_back(tty.terminal, "", ""))
    await tty.until("Enter leaves: ")
    await tty.type(word)
    if word == "1":
        await tty.until("[0/5] ")
        await tty.type("e")
    await tty.until(told)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)


async def test_a_match_is_forgotten_by_its_number(history: History) -> None:
    second = history.matches()[1]
    assert f"Forgotten: {second.file}." in await listed("d2", "q")
    assert second.file not in [match.file for match in history.matches()]
    assert len(history.matches()) == 1


def test_a_number_stands_for_a_record_unless_a_file_is_called_so(
    history: History, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert found("2") == history.path(history.matches()[1])
    assert found("match.jsonl") == Path("match.jsonl")
    for number in ("0", "3"):
        with pytest.raises(CouldNot, match=f"no match number {number} in the history, which has 2"):
            found(number)
    monkeypatch.chdir(tmp_path)
    Path("2").touch()
    assert found("2") == Path("2")
