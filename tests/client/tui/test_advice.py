"""The window of a hint or review: how far it is, what comes of it, and leaving it."""

import asyncio

import pytest
from textual.widgets import ProgressBar

from client.core.failure import CouldNot
from client.core.games.renderer import Lines
from client.tui.advice import AdviceDialog
from protocol.process.child import Tell
from tests.client.tui.application import SMALL, at_board, new_app, text_of, until


class Work:
    """Some work of which the test says how far it is."""

    def __init__(self) -> None:
        self.tell: Tell = lambda share: None
        self.lines: asyncio.Future[Lines] = asyncio.get_running_loop().create_future()

    async def __call__(self, tell: Tell) -> Lines:
        self.tell = tell
        return await self.lines


@pytest.fixture
async def opened(tmp_path):
    """Open the window of some work over a board."""
    app, work = new_app(tmp_path, "play", "conquer", "--first", "creator", "--no-delay"), Work()
    async with app.run_test(size=SMALL) as pilot:
        await at_board(pilot)
        window = AdviceDialog("Review", work)
        await app.push_screen(window)
        yield pilot, window, work


async def test_a_bar_shows_how_far_it_is_and_gives_way_to_what_comes_of_it(opened):
    pilot, window, work = opened
    work.tell(0.25)
    assert window.query_one(ProgressBar).percentage == 0.25
    work.lines.set_result(("All was luck.", "[b]or not"))
    await until(pilot, lambda: not window.query(ProgressBar))
    assert "All was luck." in text_of(pilot.app)
    assert "[b]or not" in text_of(pilot.app)


async def test_what_cannot_be_worked_out_is_a_sentence(opened):
    pilot, _window, work = opened
    work.lines.set_exception(CouldNot("The review could not be worked out."))
    await until(pilot, lambda: "The review could not be worked out." in text_of(pilot.app))


@pytest.mark.parametrize("key", ["escape", "enter"])
async def test_to_close_the_window_is_to_give_the_work_up(opened, key):
    pilot, window, work = opened
    await pilot.press(key)
    await until(pilot, lambda: pilot.app.screen is not window)
    assert work.lines.cancelled()


async def test_a_window_may_be_closed_in_the_moment_in_which_the_work_ends(opened, monkeypatch):
    pilot, window, work = opened
    # The bar takes a moment to go; by then the window has been closed and emptied.
    monkeypatch.setattr(ProgressBar, "remove", lambda bar: window.remove_children())
    work.lines.set_result(("All was luck.",))
    (worker,) = (worker for worker in pilot.app.workers if worker.node is window)
    await worker.wait()
    assert not window.query("*")
