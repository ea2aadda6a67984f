"""Whose turn it is in the matches that were left, as their servers tell."""

from dataclasses import replace
from pathlib import Path

from client.core.ongoing import GONE, HOSTED, NO_ANSWER, Ongoing
from client.net.ongoing import ongoing
from client.net.store import Hosting, SavedSession, Store
from tests.client.tui.application import Opponent, match_of_others, running


def saved(address: str, code: str, name: str = "Bob", **more: int) -> SavedSession:
    host, port = address.rsplit(":", 1)
    return SavedSession(host, int(port), None, True, "token", name, code, "duel", **more)


async def test_every_server_is_asked_and_ones_own_turn_comes_first(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    async with match_of_others(tmp_path, "duel") as (address, code, _, _):
        away, theirs = saved("127.0.0.1:1", code), saved(address, code, seat=2)
        gone, mine = saved(address, "00000000"), saved(address, code, "Eve")
        own = replace(away, hosting=Hosting(None, 7717, "nowhere.db", None))
        for each in (away, theirs, gone, own, mine):
            store.new_session_file().save(each)
        found = await ongoing(store)
    assert found[0] == Ongoing(code, "duel", address, "your turn", "Bob")
    assert sorted(one.standing for one in found[1:]) == sorted([NO_ANSWER, "Eve to move", GONE, HOSTED])


async def test_a_match_that_waits_has_no_opponent_yet(tmp_path: Path) -> None:
    store = Store(tmp_path / "home")
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel")
        store.new_session_file().save(saved(f"127.0.0.1:{server.port}", code))
        (found,) = await ongoing(store)
    assert (found.standing, found.opponent) == ("waiting for an opponent", "")


async def test_nothing_left_is_nothing_listed(tmp_path: Path) -> None:
    assert await ongoing(Store(tmp_path)) == []
