"""Every page: what it shows, what its keys do, and that nothing breaks in windows of any size."""

import pytest

from client.catalogue import TITLES
from client.tui.dialog import AskName, Confirm, Reading, Sentence
from client.tui.join import JoinPage
from client.tui.match import MatchPage
from client.tui.page import SMALLEST
from client.tui.result import Result
from client.tui.rules import Name, RulesPage
from client.tui.settings import SettingsPage
from client.tui.setup import SetupPage
from client.tui.start import StartPage
from client.tui.waiting import WaitingPage
from protocol.frame import Chat
from tests.client.tui.sitting import LARGE, SMALL, Opponent, at_board, new_app, page, running, text_of, until


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
        ("1", SetupPage),
        ("2", SetupPage),
        ("3", JoinPage),
        ("4", JoinPage),
        ("5", RulesPage),
        ("6", SettingsPage),
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
        await pilot.press("6", "tab", "space", "tab", "tab", "space", "escape")
        assert app.theme == "conquest-light"
        assert app.is_ascii
        assert not app.has_animations
    assert app.store.setting("light") is True
    assert app.store.setting("ascii") is True


async def test_ascii_means_ascii(tmp_path):
    app = new_app(tmp_path, "--ascii")
    async with app.run_test(size=SMALL) as pilot:
        for key in ("", "1", "escape", "6", "escape", "f1", "escape", "ctrl+q"):
            if key:
                await pilot.press(key)
            await pilot.pause()
            assert text_of(app).isascii()


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


async def test_a_match_with_the_computer_is_set_up_by_keys(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("1", "2")
        shown = await at_board(pilot)
        assert shown.code == app._chair.match.code
        assert app._chair.match.game == "conquer"
        await pilot.press("f1")
        assert "\n Conquer " in text_of(app)
        await pilot.press("escape", "ctrl+q")
        assert "The game with the computer ends here" in text_of(app)
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, StartPage))


async def test_what_is_chosen_for_a_friend_becomes_a_command_line(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("2", "down", "down", "tab", "right", "tab", *"60", "tab", "right")
        await pilot.press("tab", "space", "tab", "space")
        words = "host grid --first creator --private --hints --clock 60 --option=size=4"
        assert app.screen.arguments() == words.split()


async def test_a_hint_and_a_review_are_read_in_a_window(tmp_path):
    app = new_app(tmp_path, "play", "conquer", "--first", "creator", "--no-delay")
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        await pilot.press("f3", "1")
        await until(pilot, lambda: isinstance(app.screen, Reading))
        assert "territory" in text_of(app)
        await pilot.press("enter", "f2", *"/resign", "enter")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: isinstance(app.screen, Result))
        await pilot.press("v")
        await until(pilot, lambda: isinstance(app.screen, Reading))
        assert "chance of Ann" in text_of(app)


async def test_a_key_asks_for_a_hint_where_hints_were_agreed(tmp_path):
    app = new_app(tmp_path, "play", "conquer", "--first", "creator", "--no-delay")
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        await pilot.press("f6")
        await until(pilot, lambda: isinstance(app.screen, Reading))
        assert "territory" in text_of(app)


async def test_no_key_asks_for_a_hint_where_none_were_agreed(tmp_path):
    app = new_app(tmp_path, "play", "conquer", "--first", "creator", "--no-delay", "--no-hints")
    async with app.run_test(size=SMALL) as pilot:
        shown = await at_board(pilot)
        assert shown.check_action("hint", ()) is False


async def test_the_system_ends_a_match_without_asking(tmp_path):
    app = new_app(tmp_path, "play", "duel")
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        app.dismissed()
        await until(pilot, lambda: app._chair is None)
    assert app.farewell == "The game with the computer ends here."


async def test_what_cannot_be_is_said_in_a_sentence(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.press("3", *"nowhere 12", "enter")
        assert isinstance(app.screen, Sentence)
        assert "not a join code" in text_of(app)
        await pilot.press("enter")
        assert isinstance(app.screen, JoinPage)


async def test_a_host_sees_code_link_and_address_until_the_friend_is_there(tmp_path):
    app = new_app(tmp_path / "ann", "host", "grid", "--bind", "127.0.0.1", "--port", "0", "--no-tls")
    async with app.run_test(size=SMALL) as pilot:
        shown = await until(pilot, lambda: page(app, WaitingPage))
        await pilot.pause()
        code, link = shown._match.code, str(shown._link)
        text = text_of(app)
        assert f"{code[:4]}-{code[4:]}" in text
        assert link in text
        assert f"Listening on 127.0.0.1:{shown._link.port}" in text
        await pilot.press("c")
        assert app.clipboard == link
        await pilot.press("q")
        assert "█▀▀▀▀▀█" in text_of(app).translate(str.maketrans("▄ ", "▀█"))
        await pilot.press("escape")
        assert not shown.has_class("-qr")
        await pilot.press("escape")
        assert isinstance(app.screen, Confirm)
        await pilot.press("n")
        async with Opponent(_Door(shown._link.port), tmp_path / "bob") as bob:
            bob.join(code)
            await at_board(pilot)
            assert app._chair.match.game == "grid"


async def test_open_matches_of_a_server_are_listed_and_joined_by_enter(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}")
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: "against Bob" in text_of(app))
            await pilot.press("enter")
            await at_board(pilot)
            assert app._chair.match.names == ("Ann", "Bob")


async def test_a_wrong_code_ends_a_direct_command_with_the_servers_sentence(tmp_path):
    async with running() as server:
        app = new_app(tmp_path, "join", f"127.0.0.1:{server.port}", "00000000")
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: app.failure is not None)
        assert str(app.failure).endswith(".")


async def test_a_spectator_sees_the_board_and_cannot_play(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        async with Opponent(server, tmp_path / "eve", "Eve") as eve:
            eve.plan = lambda match: None
            eve.join(code)
            app = new_app(tmp_path / "ann", "watch", f"127.0.0.1:{server.port}", code)
            async with app.run_test(size=SMALL) as pilot:
                shown = await at_board(pilot)
                assert "Waiting for Eve" in shown.board.hint
                await pilot.press("4")
                assert app._chair._play is None


async def test_windows_that_are_too_small_say_so_and_the_board_comes_back(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            for width, height in [(20, 5), (1, 1), (SMALLEST.width - 1, 40), (200, SMALLEST.height - 1)]:
                await pilot.resize_terminal(width, height)
                await pilot.pause()
                assert shown.has_class("-tiny")
                await pilot.press("4")
            assert app._chair.match.turn == 0
            await pilot.resize_terminal(*LARGE)
            await until(pilot, lambda: app.focused is shown.board)
            assert shown.query_one("#side").display
            assert not shown.query_one("#strip").display
            await pilot.resize_terminal(*SMALL)
            await pilot.pause()
            assert not shown.query_one("#side").display
            assert shown.board.size.height >= 16
            await pilot.press("4")
            await until(pilot, lambda: app._chair.match.turn > 0)


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_what_others_write_is_inert(tmp_path, size):
    hostile = "[bold red]x[/] [@click=app.exit]y[/] $p1 \\[z"
    async with running() as server, Opponent(server, tmp_path / "bob", "[b]B[/]") as bob:
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=size) as pilot:
            shown = await at_board(pilot)
            bob.session.send(Chat, match=code, text=hostile)
            await until(pilot, lambda: any(hostile in line for line in shown.query_one("#talk").texts()))
            await pilot.pause()
            text = text_of(app)
            assert "[bold red]x[/]" in text
            assert "[b]B[/]" in text
            shown.say(["\x1b[2Jgone\u202e"])
            await pilot.pause()
            assert "\x1b" not in text_of(app)
            assert "\u202e" not in text_of(app)


async def test_chat_and_commands_are_typed_in_one_line(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            await pilot.press("f2", *"hi", "enter")
            await until(pilot, lambda: "You: hi" in shown.query_one("#talk").texts())
            await pilot.press(*"/resign", "enter")
            await until(pilot, lambda: isinstance(app.screen, Confirm))
            await pilot.press("y")
            await until(pilot, lambda: isinstance(app.screen, Result))
            await pilot.pause()
            assert "Bob wins." in text_of(app)
            await pilot.press("escape")
            assert isinstance(app.screen, MatchPage)
            await pilot.press("f4")
            assert isinstance(app.screen, Result)


async def test_a_lost_connection_is_a_banner_and_the_match_goes_on(tmp_path):
    journal = {"db": str(tmp_path / "journal.db")}
    async with running(**journal) as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            await server.stop()
            await until(pilot, lambda: shown.banner.has_class("-shown"))
            await pilot.pause()
            assert "Connection lost, trying again" in text_of(app)
            async with running(port=server.port, **journal):
                await until(pilot, lambda: not shown.banner.has_class("-shown"))
                await until(pilot, lambda: app._chair.match.legal)
                await pilot.press("4")
                await until(pilot, lambda: app._chair.match.turn > 0)


class _Door:
    """A server that the application itself runs, as far as a guest needs to know it."""

    def __init__(self, port: int) -> None:
        self.port = port
