"""The keys at the bottom of a page: made anew when there are others, and those before forgotten."""

import gc
import weakref

from client.tui.keys import Keys
from client.tui.log import LogLines
from protocol.client_frame import CallOff, Chat
from tests.client.tui.application import LARGE, SMALL, Opponent, at_board, new_app, running, text_of, until


async def test_the_same_keys_are_left_alone_however_often_something_happens(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        keys = app.screen.query_one(Keys)
        before = await until(pilot, lambda: list(keys.children))
        for _ in range(5):
            app.screen.refresh_bindings()
            await pilot.pause()
        assert all(now is then for now, then in zip(keys.children, before, strict=True))


async def test_other_keys_are_shown_and_those_before_are_forgotten(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        keys = app.screen.query_one(Keys)
        old = [weakref.ref(key) for key in await until(pilot, lambda: list(keys.children))]
        await until(pilot, lambda: "F1 Rules" in text_of(app))
        app.check_action = lambda action, parameters: action != "rules"
        app.screen.refresh_bindings()
        await until(pilot, lambda: "F1 Rules" not in text_of(app) and list(keys.children))
        app.check_action = lambda action, parameters: True
        app.screen.refresh_bindings()
        await until(pilot, lambda: "F1 Rules" in text_of(app))

        def remembered():
            gc.collect()
            return [ref() for ref in old if ref() is not None]

        assert await until(pilot, lambda: not remembered())


async def test_no_command_is_named_where_a_key_does_it_and_chat_is_left_alone(tmp_path):
    async with running() as server, Opponent(server, tmp_path / "bob") as bob:
        code = await bob.open("duel", hints=True)
        app = new_app(tmp_path / "ann", "join", f"127.0.0.1:{server.port}", code)
        async with app.run_test(size=LARGE) as pilot:
            shown = await at_board(pilot)
            talk = shown.query_one("#talk", LogLines)
            bob.session.send(CallOff, match=code)
            await until(pilot, lambda: any("A accepts it, D declines it." in line for line in talk.texts()))
            bob.session.send(Chat, match=code, text="/decline it")
            await until(pilot, lambda: any("Bob: /decline it" in line for line in talk.texts()))
            assert "Hints are on: F6 says what to play." in talk.texts()
