"""The page of the matches that were played here."""

from client.net.history import History
from client.tui.dialog import Confirm
from client.tui.history import HistoryPage
from client.tui.replay import ReplayPage
from client.tui.table import Rows
from tests.client.core.test_record import HEADER, record
from tests.client.tui.application import LARGE, SMALL, new_app, page, text_of, until


def keep_some(store):
    """Keep three matches: two against Bob, one of Eve and Bob against each other."""
    kept = History(store)
    for code, names, seat in (
        ("22222222", ("Ann", "Bob"), 1),
        ("33333333", ("Bob", "Ann"), 2),
        ("44444444", ("Eve", "Bob"), 0),
    ):
        header = HEADER.model_copy(update={"match": code, "names": names, "seat": seat})
        kept.keep(record(4, 7, 3, 5, 2, header=header))
    return kept


async def opened(pilot, app):
    shown = await until(pilot, lambda: page(app, HistoryPage))
    await until(pilot, lambda: shown._everything)
    await pilot.pause()
    return shown


async def test_all_matches_are_listed_with_the_results_against_each_opponent(tmp_path):
    app = new_app(tmp_path, "history")
    keep_some(app.store)
    async with app.run_test(size=LARGE) as pilot:
        await opened(pilot, app)
        text = text_of(app)
        assert text.count("Conquer ") == 3
        assert "Against Bob: 1 won, 1 lost." in text
        assert str(tmp_path / "history") in text
    async with new_app(tmp_path, "history").run_test(size=SMALL) as pilot:
        await opened(pilot, pilot.app)
        assert "Eve and Bob" in text_of(pilot.app)


async def test_a_name_and_a_game_are_looked_for(tmp_path):
    app = new_app(tmp_path, "history")
    keep_some(app.store)
    async with app.run_test(size=SMALL) as pilot:
        shown = await opened(pilot, app)
        await pilot.press("slash", *"ev")
        assert len(shown._chosen) == 1
        await pilot.press("enter")
        assert shown.query_one(Rows).has_focus
        assert "against ev…" in text_of(app)
        await pilot.press("g")
        assert shown._chosen == []
        assert "No match that is kept here fits." in text_of(app)
        await pilot.press("g")
        assert len(shown._chosen) == 1


async def test_a_match_is_shown_again_by_enter_reviewed_by_r_and_forgotten_after_a_yes(tmp_path):
    app = new_app(tmp_path, "history", "--with", "Bob")
    kept = keep_some(app.store)
    async with app.run_test(size=SMALL) as pilot:
        shown = await opened(pilot, app)
        await pilot.press("enter")
        replay = await until(pilot, lambda: page(app, ReplayPage))
        assert not replay._is_reviewing
        await pilot.press("escape", "j", "r")
        replay = await until(pilot, lambda: page(app, ReplayPage))
        assert replay._is_reviewing
        assert shown.query_one(Rows).highlighted == 1
        await pilot.press("escape", "delete")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        assert len(kept.matches()) == 3
        await pilot.press("delete", "y")
        await until(pilot, lambda: len(kept.matches()) == 2)
        assert len(shown._everything) == 2
        await pilot.press("escape")
        await until(pilot, lambda: app._exit)


async def test_nothing_is_said_in_a_sentence(tmp_path):
    app = new_app(tmp_path, "history")
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: "No match has been kept here yet." in text_of(app))
        await pilot.press("enter", "r", "delete")
        assert isinstance(app.screen, HistoryPage)
