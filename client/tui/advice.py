"""Hints and reviews in a window of their own, which shows how far they are and can be left at any time."""

from collections.abc import Callable, Coroutine
from typing import Any

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import ProgressBar, Static

from client.core.failure import CouldNot
from client.core.games.renderer import Lines
from client.core.record import BadRecord
from client.tui.dialog import Reading
from client.tui.keys import Keys
from protocol.process.child import Tell

Work = Callable[[Tell], Coroutine[Any, Any, Lines]]


class AdviceDialog(Reading):
    """Shows how far some work is, and then the lines that it comes to. To close it is to give the work up."""

    def __init__(self, title: str, work: Work) -> None:
        super().__init__(title, ())
        self._work = work

    def compose(self) -> ComposeResult:
        """Show a bar, which moves when it is known how far the work is."""
        with VerticalScroll(classes="dialog reading") as dialog:
            dialog.border_title = self._title
            yield ProgressBar(total=None, show_eta=False)
            yield Static(markup=False)
        yield Keys()

    def on_mount(self) -> None:
        """Begin; the window's end is the end of the work, too."""
        self.run_worker(self._show())

    async def _show(self) -> None:
        # The window may be closed at any await: what is written to has to be found before.
        bar, text = self.query_one(ProgressBar), self.query_one(Static)
        try:
            lines = await self._work(lambda share: bar.update(total=1.0, progress=share))
        except (BadRecord, CouldNot) as problem:
            lines = (str(problem),)
        text.update("\n".join(lines))
        await bar.remove()
