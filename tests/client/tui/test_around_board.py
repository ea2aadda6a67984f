"""What happens around a board: chat, commands, hints, spectators, lost connections, strangers' text."""

import contextlib
import re

import pytest

from client.core.state import ClientState, reduced
from client.core.step import beginning
from client.tui.dialog import Confirm
from client.tui.match import MatchPage
from client.tui.page import SMALLEST
from client.tui.result import headline
from client.tui.rules import RulesPage
from client.tui.waiting import WaitingPage
from protocol.client_frame import Chat, Play, Resign
from protocol.outcome import Outcome
from protocol.server_frame import Ended
from tests.client.frames import CODE, seated
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


async def test_a_spectator_sees_the_board_and_cannot_play(tmp_path):
    async with match_of_others(tmp_path, "conquer") as (address, code, _, _):
        app = new_app(tmp_path / "ann", "watch", address, code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            assert "Waiting for Eve" in shown.board.hint
            await pilot.press("4")
            assert not app.playing.seat.is_move_under_way


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


@pytest.mark.parametrize(("winner", "line"), [(1, "You win."), (2, "Bob wins.")])
def test_a_match_that_ends_before_anything_was_told_of_it_has_its_headline(winner, line):
    state, _ = reduced(ClientState(), seated())
    outcome = Outcome(winner=winner, reason="longest_chain")
    state, _ = reduced(state, Ended(re=None, match=CODE, outcome=outcome, score=(0, 0)))
    (nothing_told,) = beginning("conquer", {})
    assert headline(state.matches[CODE], nothing_told) == line


async def test_chat_and_commands_are_typed_in_one_line(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            await pilot.press("f2", *"hi", "enter")
            await until(pilot, lambda: "You: hi" in shown.query_one("#talk").texts())
            await pilot.press("f2", *"/resign", "enter")
            await until(pilot, lambda: isinstance(app.screen, Confirm))
            await pilot.press("y")
            await until(pilot, lambda: result_shown(app))
            await pilot.pause()
            assert "You resigned. Bob wins!" in text_of(app)


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
            assert "Waiting for the server, trying again (" in text_of(app)
            assert any("The server is stopping." in line for line in shown.query_one("#talk").texts())
            assert "Your turn" in text_of(app)
            async with running(port=server.port, **journal):
                await until(pilot, lambda: not shown.banner.has_class("-shown"))
                await until(pilot, lambda: app.match.legal)
                await pilot.press("4")
                await until(pilot, lambda: app.match.turn > 0)


async def test_a_hint_is_a_line_below_the_board_and_a_review_is_read_in_a_window(tmp_path):
    app = new_app(tmp_path, "play", "conquer", "--first", "creator", "--no-delay")
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        await pilot.press("f3", "1")
        await until(pilot, lambda: "Claim any territory: wins in 4 moves" in text_of(app))
        await pilot.press("f2", *"/resign", "enter")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: result_shown(app))
        await pilot.press("v")
        await until(pilot, lambda: "Next mistake" in text_of(app))


async def test_the_numbers_of_the_menu_stay_and_what_leads_nowhere_cannot_be_chosen(tmp_path):
    app = new_app(tmp_path, "play", "conquer", "--first", "creator", "--no-delay", "--no-hints")
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        await pilot.press("f3", "1", "7", "8")
        assert "5  resign" in text_of(app)
        await pilot.press("5")
        await until(pilot, lambda: isinstance(app.screen, Confirm))


async def test_a_key_asks_for_a_hint_where_hints_were_agreed(tmp_path):
    app = new_app(tmp_path, "play", "conquer", "--first", "creator", "--no-delay")
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        await pilot.press("f6")
        await until(pilot, lambda: "Claim any territory: wins in 4 moves" in text_of(app))
        assert isinstance(app.screen, MatchPage)
        assert page(app, MatchPage).board.scene.hinted == {("territory", 1)}


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
        await until(pilot, lambda: app.playing is None)
    assert app.farewell == "The game with the computer ends here."


async def test_the_system_ends_the_wait_for_a_friend_and_the_match_is_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path / "ann"))
    app = new_app(tmp_path / "ann", "host", "duel", "--bind", "127.0.0.1", "--port", "0", "--private")
    async with app.run_test(size=SMALL) as pilot:
        await until(pilot, lambda: page(app, WaitingPage))
        app.dismissed()
        await until(pilot, lambda: app.playing is None)
    assert app.farewell.endswith("The way back: conquest host --resume")
    assert len(app.store.sessions()) == 1


async def test_a_move_made_without_a_connection_counts_once_it_is_back(tmp_path):
    journal = {"db": str(tmp_path / "journal.db")}
    async with running(**journal) as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=LARGE) as pilot:
            shown = await at_board(pilot)
            await server.stop()
            await until(pilot, lambda: shown.banner.has_class("-shown"))
            await pilot.press("4")
            async with running(port=server.port, **journal):
                await until(pilot, lambda: app.match.turn == 1)
                assert app.match.view.territories[3] == 1
                await until(pilot, lambda: not shown.banner.has_class("-shown"))


async def test_a_spectator_sees_the_match_to_its_end_and_what_comes_after(tmp_path):
    async with match_of_others(tmp_path, "grid") as (address, code, eve, bob):
        app = new_app(tmp_path / "ann", "watch", address, code)
        async with app.run_test(size=SMALL) as pilot:
            shown = await at_board(pilot)
            moves = shown.query_one("#moves")
            assert "You are watching." in " ".join(shown.query_one("#talk").texts())
            assert "Choose" not in text_of(app)
            eve.session.send(Play, match=code, turn=0, move={"kind": "claim", "cell": 5})
            await until(pilot, lambda: "1. Eve claims 5" in moves.texts())
            bob.session.send(Resign, match=code)
            await until(pilot, lambda: result_shown(app))
            await pilot.pause()
            assert "Bob resigned. Eve wins!" in text_of(app)
            assert "Rematch" not in text_of(app)
            await pilot.press("r", "s", "ctrl+q")
            await until(pilot, lambda: app.playing is None)
    assert app.failure is None


async def test_both_players_are_shown_with_mark_turn_clock_and_connection(tmp_path):
    async with running() as server, contextlib.AsyncExitStack() as people:
        bob = await people.enter_async_context(Opponent(server, tmp_path / "bob", "Wilhelmina Bobby"))
        bob.plan = lambda match: None
        code = await bob.open("conquer", clock_s=90)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=tuple(SMALLEST)) as pilot:
            await at_board(pilot)
            await until(pilot, lambda: "► █ You" in text_of(app))
            assert re.search(r"Player 1, 1:[23]\d left +Player 2 ", text_of(app))
            await pilot.press("4")
            await until(pilot, lambda: "► ▒ Wilhelmina Bobby" in text_of(app))
            assert re.search(r"Player 1 +Player 2, 1:[23]\d left", text_of(app))
            await people.aclose()
            await until(pilot, lambda: re.search(r"Player 2, 1:\d\d left, offline", text_of(app)))


async def test_closing_asks_once_and_enter_alone_does_no_harm(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            await pilot.press("ctrl+q", "enter")
            assert isinstance(app.screen, MatchPage)
            await pilot.press("ctrl+q")
            assert "Your seat is kept" in text_of(app)
            await pilot.press("ctrl+q")
            await until(pilot, lambda: app.playing is None)
    assert app.farewell == "Your seat is kept. The way back: conquest join --resume"


async def test_f1_opens_the_rules_of_the_game_over_everything_and_closes_them_again(tmp_path):
    app = new_app(tmp_path, "play", "grid", "--first", "creator", "--no-delay")
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        for keys in ([], ["f2"], ["f3"], ["ctrl+q"]):
            await pilot.press(*keys)
            below = app.screen
            await pilot.press("f1")
            assert isinstance(app.screen, RulesPage)
            assert "\n Grid Conquest " in text_of(app)
            await pilot.press("f1")
            assert app.screen is below
            await pilot.press("escape")


async def test_everything_so_far_can_be_read_where_there_is_room_for_three_lines_only(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("galaxy")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            bob.session.send(Chat, match=code, text="good luck")
            await pilot.press("7", "7")
            await until(pilot, lambda: app.match.turn == 2)
            await pilot.press("f3")
            await pilot.pause()
            await pilot.press(str(app.screen.query_one("OptionList").option_count))
            await pilot.pause()
            text = text_of(app)
            assert "You are Player 1." in text
            assert "Bob: good luck" in text
            assert "1. You ship 7 → planet 7, taken" in text


async def test_the_names_of_strangers_are_inert_on_every_page(tmp_path):
    name = "[b]B[/] [$p1]"
    async with running() as server, Opponent(server, tmp_path / "bob", name) as bob:
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}")
        async with app.run_test(size=SMALL) as pilot:
            await until(pilot, lambda: name in text_of(app))
            await pilot.press("enter")
            await at_board(pilot)
            bob.session.send(Resign, match=code)
            await until(pilot, lambda: result_shown(app))
            await pilot.pause()
            assert f"{name} resigned" in text_of(app)
            await pilot.press("v")
            await until(pilot, lambda: "Next mistake" in text_of(app))
            assert name in text_of(app)


class TestAnimation:
    @pytest.fixture(autouse=True)
    def timers(self, monkeypatch):
        """Let no time pass by itself: what pages put off is done when a test says so."""
        put_off = []
        monkeypatch.setattr("client.tui.board.FRAME_S", 3600.0)
        monkeypatch.setattr(MatchPage, "set_timer", lambda page, delay, then: put_off.append((delay, then)))
        return put_off

    async def test_words_do_not_give_away_what_the_cards_are_about_to_show(self, tmp_path, timers):
        moves = iter([{"kind": "claim", "cell": 1}, {"kind": "pick", "number": 2}])
        async with running() as server, Opponent(server, tmp_path / "bob") as bob:
            bob.plan = lambda match: next(moves, None)
            code = await bob.open("grid")
            app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code, animations=True)
            async with app.run_test(size=SMALL) as pilot:
                shown = await at_board(pilot)
                listed = shown.query_one("#moves").texts
                await pilot.press("5")
                await until(pilot, lambda: app.match.turn == 2)
                await pilot.press("1")
                await until(pilot, lambda: app.screen is not shown)
                await pilot.press("5", "enter")
                await until(pilot, lambda: shown.board.moves_for_s)
                assert not any("You 5, Bob 2" in line for line in listed())
                delay, then = timers[-1]
                assert delay == shown.board.moves_for_s
                then()
                assert any("You 5, Bob 2" in line for line in listed())

    @pytest.mark.parametrize("is_animated", [True, False])
    async def test_the_last_move_is_seen_before_the_result(self, tmp_path, timers, is_animated):
        async with running() as server, Opponent(server, tmp_path / "bob") as bob:
            moves = iter([{"kind": "claim", "territory": 7}, {"kind": "claim", "territory": 6}])
            bob.plan = lambda match: next(moves, None)
            code = await bob.open("conquer")
            app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code, animations=is_animated)
            async with app.run_test(size=SMALL) as pilot:
                shown = await at_board(pilot)
                for turn, key in ((2, "4"), (4, "3")):
                    await pilot.press(key)
                    await until(pilot, lambda wanted=turn: app.match.turn == wanted)
                await pilot.press("2")
                await until(pilot, lambda: app.match.outcome)
                await until(pilot, lambda: shown.board.is_over)
                assert (result_shown(app) is None) == is_animated
                if is_animated:
                    delay, then = timers[-1]
                    assert delay > shown.board.moves_for_s
                    then()
                await until(pilot, lambda: result_shown(app))
