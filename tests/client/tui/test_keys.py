"""The keys at the bottom of a page: made anew when there are others, and those before forgotten."""

import gc
import weakref

from client.tui.keys import Keys
from tests.client.tui.application import SMALL, new_app, text_of


async def test_the_same_keys_are_left_alone_however_often_something_happens(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        keys = app.screen.query_one(Keys)
        before = list(keys.children)
        for _ in range(5):
            app.screen.refresh_bindings()
            await pilot.pause()
        assert before
        assert all(now is then for now, then in zip(keys.children, before, strict=True))


async def test_other_keys_are_shown_and_those_before_are_forgotten(tmp_path):
    app = new_app(tmp_path)
    async with app.run_test(size=SMALL) as pilot:
        await pilot.pause()
        keys = app.screen.query_one(Keys)
        old = [weakref.ref(key) for key in keys.children]
        assert "F1 Rules" in text_of(app)
        app.check_action = lambda action, parameters: action != "rules"
        for _ in range(2):
            app.screen.refresh_bindings()
            await pilot.pause()
        assert "F1 Rules" not in text_of(app)
        app.check_action = lambda action, parameters: True
        app.screen.refresh_bindings()
        await pilot.pause()
        assert "F1 Rules" in text_of(app)
        gc.collect()
        assert [ref() for ref in old if ref() is not None] == []
