"""Every page before a match: what it shows, what its keys do, and where it leads."""

import pytest
from textual.css.query import NoMatches

from client.command.argument import parse
from client.command.read import read
from client.core.catalogue import TITLES
from client.flow.wanted import PlayHere
from client.tui.board import Board
from client.tui.dialog import AskName, Confirm, Sentence
from client.tui.history import HistoryPage
from client.tui.join import JoinPage
from client.tui.matches import MatchesPage
from client.tui.rules import Name, RulesPage
from client.tui.segments import LABEL
from client.tui.settings import SettingsPage
from client.tui.setup import SetupPage
from client.tui.start import StartPage
from client.tui.waiting import WaitingPage
from protocol.client_frame import Resign
from protocol.link import parse_link
from tests.client.tui.application import (
    LARGE,
    SMALL,
    Opponent,
    at_board,
    match_of_others,
    new_app,
    page,
    result_shown,
    running,
    text_of,
    until,
)


async def test_the_start_page_offers_everything_and_asks_once_before_it_ends(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        assert isinstance(app.screen, StartPage)
        for words in ("Play against the computer", "Host", "Join", "Watch", "rules", "Settings", "Ann"):
            assert words in text_of(app)
        await pilot.press("ctrl+q")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        assert isinstance(app.screen, StartPage)
        await pilot.press("ctrl+q", "ctrl+q")
        await until(pilot, lambda: not app.is_running or app._exit)


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        *((str(number), SetupPage) for number in range(1, 7)),
        ("7", JoinPage),
        ("8", JoinPage),
        ("9", SetupPage),
        ("m", MatchesPage),
        ("b", HistoryPage),
        ("r", RulesPage),
        ("s", SettingsPage),
    ],
)
@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_every_way_from_the_menu_leads_somewhere_and_back(tmp_path, monkeypatch, key, kind, size):
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    app = new_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press(key)
        assert isinstance(app.screen, kind)
        await pilot.press("escape")
        assert isinstance(app.screen, StartPage)


@pytest.mark.parametrize("key", ["1", "6", "7", "9", "m", "b", "r", "s"])
async def test_a_key_pressed_twice_in_haste_closes_one_page_only(tmp_path, monkeypatch, key):
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press(key)
        top = app.screen
        top.action_back()
        top.action_back()
        await pilot.pause()
        assert isinstance(app.screen, StartPage)


async def test_a_window_that_is_closed_twice_takes_no_page_with_it(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s", "ctrl+q")
        window = app.screen
        window.action_answer(False)
        window.action_answer(False)
        await pilot.pause()
        assert isinstance(app.screen, SettingsPage)


async def test_a_new_player_is_asked_for_a_name_that_can_be_shown(tmp_path):
    app = new_app(tmp_path)
    app._is_new = True
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: isinstance(app.screen, AskName))
        await pilot.press("space", "backspace", "enter")
        assert isinstance(app.screen, AskName)
        assert "1 to 16" in text_of(app)
        await pilot.press(*"Zoe", "enter")
        assert isinstance(app.screen, StartPage)
        assert "You play as Zoe." in text_of(app)
        assert app.store.name() == "Zoe"


async def test_settings_count_at_once_and_are_remembered(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s", "space", "tab", "tab", "space", "escape")
        assert app.theme == "conquest-light"
        assert app.is_ascii
        assert not app.has_animations
    assert app.store.setting("light") is True
    assert app.store.setting("ascii") is True


async def test_a_name_is_taken_by_enter_alone_and_an_empty_one_can_be_left(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s")
        name = app.screen.query_one("#name")
        assert not name.has_focus
        await pilot.press("shift+tab")
        assert name.has_focus
        assert name.selection.is_empty
        await pilot.press(*["backspace"] * 3, "enter")
        assert "1 to 16" in text_of(app)
        await pilot.press("escape")
        assert isinstance(app.screen, StartPage)
        assert app.player == "Ann"
        await pilot.press("s", "shift+tab", *"a", "escape")
        assert (app.player, app.store.name()) == ("Ann", None)
        await pilot.press("s", "shift+tab", *"e", "enter", "escape")
        assert (app.player, app.store.name()) == ("Anne", "Anne")
        assert "You play as Anne." in text_of(app)


async def test_the_rules_of_every_game_open_with_f1(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("f1")
        for title in TITLES.values():
            assert f"\n {title} " in text_of(app)
            await pilot.press("right")
        for name in app.screen.query(Name):
            await pilot.click(name)
            assert f"\n {name.content} " in text_of(app)
        await pilot.press("down", "pagedown", "f1")
        assert isinstance(app.screen, StartPage)


async def setting_up(pilot, key=""):
    """Wait for the page on which a match is set up, with all its questions."""
    if key:
        await pilot.press(key)
    await until(pilot, lambda: (shown := page(pilot.app, SetupPage)) and shown.is_ready)
    await pilot.pause()


async def test_nothing_begins_before_its_questions_are_there(tmp_path):
    shown = SetupPage(PlayHere("duel"))
    assert not shown.check_action("begin", ())
    assert shown.check_action("back", ())


async def test_a_match_with_the_computer_is_set_up_by_keys(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await setting_up(pilot, "2")
        await pilot.press("enter")
        shown = await at_board(pilot)
        assert shown.code == app.match.code
        assert app.match.game == "conquer"
        await pilot.press("f1")
        assert "\n Conquer " in text_of(app)
        await pilot.press("escape", "ctrl+q")
        assert "The game with the computer ends here" in text_of(app)
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, StartPage))


async def test_what_is_chosen_for_a_friend_is_what_a_command_line_would_say(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await setting_up(pilot, "6")
        await pilot.press("3", "down", "right", "tab", "right", "down", "2", "down", "1")
        await pilot.press("down", *"60", "down", "right")
        words = "host grid --first creator --private --hints --no-spectators --clock 60 --option=size=4"
        assert app.screen.chosen() == read(parse(words.split()))


async def test_a_page_completes_what_the_command_line_has_left_open(tmp_path):
    words = "host --at 192.0.2.7 --clock 60 --private --qr"
    app = new_app(tmp_path, *words.split())
    async with app.run_test(size=SMALL) as pilot:
        await setting_up(pilot)
        await pilot.press("right", "down", "l")
        assert app.screen.chosen() == read(parse(f"{words} conquer --first creator".split()))


async def test_the_last_set_up_against_the_computer_is_where_the_next_begins(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await setting_up(pilot, "2")
        await pilot.press("4", "enter")
        await at_board(pilot)
        await pilot.press("ctrl+q", "y")
        await until(pilot, lambda: isinstance(app.screen, StartPage))
        await setting_up(pilot, "5")
        assert app.screen.query_one("#bot").has_focus
        marked = [one.id for one in app.screen.query("Segments") if "on $primary" in str(one.content.spans)]
        assert marked == ["bot"]
        chosen = app.screen.chosen()
        assert (chosen.game, chosen.bot) == ("duel", "perfect")
        await pilot.press("up", "3", "down", "1")
        chosen = app.screen.chosen()
        assert (chosen.game, chosen.bot) == ("grid", "easy")


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_the_picture_of_a_set_up_is_that_of_its_game_and_options_and_takes_no_move(tmp_path, size):
    app = new_app(tmp_path)
    async with app.run_test(size=size) as pilot:
        await setting_up(pilot, "3")
        board = app.screen.query_one(Board)
        assert board.scene.view.size == 3
        await pilot.press("up", "up", "right", "right")
        await pilot.pause()
        assert app.screen.query_one(Board).scene.view.size == 5
        await pilot.click(Board)
        assert isinstance(app.screen, SetupPage)
        segments = app.screen.query_one("#game")
        await pilot.click(segments, offset=(2 + LABEL + 12, 0))
        await until(pilot, lambda: app.screen.GAME == "conquer")


async def test_the_page_to_join_says_what_to_ask_the_friend_for(tmp_path, monkeypatch):
    monkeypatch.setenv("CONQUEST_LAN", "127.0.0.1")
    app = new_app(tmp_path, "join")
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: "Ask your friend for one of these" in text_of(app))


async def test_a_clock_that_there_cannot_be_is_said_in_a_sentence(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await setting_up(pilot, "6")
        await pilot.press("up", "4", "enter")
        await until(pilot, lambda: isinstance(app.screen, Sentence) and text_of(app).strip())
        assert isinstance(app.screen, Sentence)
        assert "The clock must be from 5 to 86400 seconds." in text_of(app)


async def test_what_cannot_be_is_said_in_a_sentence(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("7", *"nowhere 12", "enter")
        assert isinstance(app.screen, Sentence)
        assert "not a join code" in text_of(app)
        await pilot.press("enter")
        assert isinstance(app.screen, JoinPage)


async def test_a_host_sees_code_link_and_address_until_the_friend_is_there(tmp_path):
    app = new_app(tmp_path / "ann", "host", "grid", "--bind", "127.0.0.1", "--port", "0", "--no-tls")
    async with app.run_test(size=SMALL) as pilot:
        shown = await until(pilot, lambda: page(app, WaitingPage))
        await pilot.pause()
        code, link = app.match.code, str(shown.query_one("#link").content)
        text = text_of(app)
        assert f"{code[:4]}-{code[4:]}" in text
        assert link in text
        assert f"Listening on 127.0.0.1:{parse_link(link).port}" in text
        await pilot.press("c")
        assert app.clipboard == link
        await pilot.press("r")
        assert "█▀▀▀▀▀█" in text_of(app).translate(str.maketrans("▄ ", "▀█"))
        await pilot.press("escape")
        assert not shown.has_class("-qr")
        await pilot.press("escape")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        async with Opponent(_Door(shown._link.port), tmp_path / "bob") as bob:
            bob.join(code)
            await at_board(pilot)
            assert app.match.game == "grid"


async def test_open_matches_of_a_server_are_listed_and_joined_by_enter(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}")
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: "Command Line Conquer  Bob" in text_of(app))
            await pilot.press("enter")
            await at_board(pilot)
            assert app.match.names == ("Ann", "Bob")


async def test_the_menu_offers_the_way_back_to_a_match_that_was_left(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel")
        app = new_app(tmp_path / "ann")
        async with app.run_test(size=SMALL) as pilot:
            assert "Go back" not in text_of(app)
            await pilot.press("7", *f"127.0.0.1:{server.port} {code}", "enter")
            await at_board(pilot)
            await pilot.press("ctrl+q", "y")
            await until(pilot, lambda: "0  Go back to your match" in text_of(app))
            assert "1  Galaxy Conquest" in text_of(app)
            await pilot.press("0")
            await at_board(pilot)
            assert app.match.code == code
            bob.session.send(Resign, match=code)
            await until(pilot, lambda: result_shown(app))
            await pilot.press("q")
            await until(pilot, lambda: isinstance(app.screen, StartPage))
            await pilot.pause()
            assert "Go back" not in text_of(app)


@pytest.mark.parametrize("command", ["join", "host"])
async def test_a_command_that_says_nothing_more_offers_the_way_back(tmp_path, command):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
        app = new_app(tmp_path / "ann", command)
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: "Go back to your match?" in text_of(app))
            await pilot.press("y")
            await at_board(pilot)
            assert app.match.code == code


async def test_a_match_is_watched_by_its_address_and_code(tmp_path):
    async with match_of_others(tmp_path, "duel") as (address, code, _, _):
        app = new_app(tmp_path / "ann")
        async with app.run_test(size=SMALL) as pilot:
            await pilot.press("8", *f"{address} {code.lower()}", "enter")
            await at_board(pilot)
            assert app.match.seat == 0


async def test_live_matches_of_a_server_are_listed_and_watched_by_enter(tmp_path):
    async with match_of_others(tmp_path, "duel") as (address, code, _, _):
        app = new_app(tmp_path / "ann", "watch", address)
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: "Eve and Bob" in text_of(app))
            await pilot.press("enter")
            await at_board(pilot)
            assert (app.match.code, app.match.seat) == (code, 0)


async def test_a_wrong_code_ends_a_direct_command_with_the_servers_sentence(tmp_path):
    async with running() as server:
        app = new_app(tmp_path, "join", f"127.0.0.1:{server.port}", "00000000")
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: app.failure is not None)
        assert str(app.failure).endswith(".")


class _Door:
    """A server that the application itself runs, as far as a guest needs to know it."""

    def __init__(self, port: int) -> None:
        self.port = port


def test_rules_that_are_taken_away_before_they_are_open_do_no_harm():
    page = RulesPage("grid")
    page.action_turn(1)
    assert not page.is_mounted


async def test_work_of_a_page_may_find_the_page_closed_but_not_a_mistake_of_ours(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("s")
        settings = page(app, SettingsPage)

        async def shown():
            settings.query_one("#nothing")

        with pytest.raises(NoMatches):
            await settings.while_open(shown())
        await pilot.press("escape")
        await until(pilot, lambda: not settings.is_attached)
        await settings.while_open(shown())
