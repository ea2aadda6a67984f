"""Calling a player whose turn it is: bell, title, and the desktop's notification."""

import pytest

from client.tui.call import has_title, notification, titled
from protocol.client_frame import Play
from tests.client.tui.application import SMALL, Opponent, at_board, new_app, running, until


@pytest.mark.parametrize(
    ("environ", "begins"),
    [
        ({"TERM": "xterm-kitty"}, "\x1b]9;"),
        ({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}, "\x1b]9;"),
        ({"TERM": "foot"}, "\x1b]777;notify;"),
        ({"TERM": "xterm-256color"}, ""),
        ({"TERM": "tmux-256color", "TERM_PROGRAM": "WezTerm"}, ""),
        ({"TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"}, ""),
        ({}, ""),
    ],
)
def test_only_terminals_that_are_known_to_have_it_notify_the_desktop(environ, begins):
    text = notification("Your turn", environ)
    assert text.startswith(begins)
    assert bool(text) == bool(begins)


def test_no_name_can_steer_the_terminal_from_a_title_or_a_notification():
    name = "Eve\x07\x1b[2J\x9c"
    notified = [notification(name, {"TERM": term}) for term in ("foot", "xterm-kitty")]
    for text in (titled(name), *notified):
        assert (text.count("\x1b"), text.count("\x07"), text.count("\x9c")) == (1, 1, 0)


@pytest.mark.parametrize(("term", "has"), [("xterm-256color", True), ("linux", False), ("", False)])
def test_a_console_that_would_print_a_title_is_given_none(term, has):
    assert has_title({"TERM": term}) is has


class Ear:
    """Hears what an application sends to its terminal beside its pages."""

    def __init__(self, app, monkeypatch, term="xterm-256color"):
        self.rung, self.written = 0, []
        monkeypatch.setenv("TERM", term)
        monkeypatch.delenv("TMUX", raising=False)
        monkeypatch.setattr(app, "bell", self.ring)
        monkeypatch.setattr(app, "_write", self.written.append)

    def ring(self):
        self.rung += 1


async def test_each_turn_calls_once_and_the_title_says_whose_it_is(tmp_path, monkeypatch):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        bob.plan = lambda match: None
        code = await bob.open("conquer")
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        ear = Ear(app, monkeypatch, "foot")
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            assert ear.rung == 1
            assert titled("Your turn: Conquer against Bob") in ear.written
            await pilot.press("4")
            await until(pilot, lambda: not app.match.legal)
            await pilot.pause()
            assert ear.written[-1] == titled("Conquer against Bob")
            assert ear.rung == 1
            app.app_focus = False
            move = {"kind": "claim", "territory": 5}
            bob.session.send(Play, match=code, turn=bob.match.turn, move=move)
            await until(pilot, lambda: ear.rung == 2)
            assert notification("Your turn: Conquer against Bob", {"TERM": "foot"}) in ear.written


@pytest.mark.parametrize("words", [("play", "conquer", "--first", "creator"), ()])
async def test_nobody_is_called_to_play_the_computer_nor_where_the_settings_say_no(
    tmp_path, monkeypatch, words
):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("conquer")
        words = words or ("join", f"127.0.0.1:{server.port}", code)
        app = new_app(tmp_path / "ann", *words, call=words[0] == "play")
        ear = Ear(app, monkeypatch)
        async with app.run_test(size=SMALL) as pilot:
            await at_board(pilot)
            await until(pilot, lambda: app.match.legal)
            assert ear.rung == 0
