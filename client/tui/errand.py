"""One errand at a time: what is wanted is carried out, by the same code as in line mode, behind a page.

The pages that it comes to take each other's place; when it is over, the pages from before it are back.
"""

import asyncio
from typing import TYPE_CHECKING

from client.core.failure import CouldNot
from protocol.process.supervision import alongside, stop
from protocol.process.usage import Misused

if TYPE_CHECKING:
    from client.flow.wanted import Wanted
    from client.tui.app import ConquestApp
    from client.tui.page import Page


class Errand:
    """What the application does for the player just now, if anything."""

    def __init__(self, app: "ConquestApp") -> None:
        self._app = app
        self._task: asyncio.Task[object] | None = None
        self._base = 0
        """How many pages there were before."""

    @property
    def is_under_way(self) -> bool:
        """Whether there is one: another one has to wait."""
        return self._task is not None

    async def carry_out(self, wanted: "Wanted") -> None:
        """Do what is wanted, and come back to the pages from before, or say what could not be done."""
        from client.flow.errand import carry_out
        from client.tui.waiting import OnTheWay

        self._base = len(self._app.screen_stack)
        problem: CouldNot | Misused | None = None
        await self._app.push_screen(OnTheWay(wanted))
        try:
            async with alongside(carry_out(self._app.person(), wanted), "errand") as self._task:
                await asyncio.wait([self._task])
        except (CouldNot, Misused) as no:
            problem = no
        finally:
            self._task = self._app.playing = None
        if problem is None:
            self._base = 1
        await self._app.errand_over(problem)

    async def show(self, page: "Page") -> None:
        """Show the page that the errand has come to, instead of the one before it."""
        await self.take_pages_away()
        await self._app.push_screen(page)

    async def take_pages_away(self) -> None:
        """Come back to the pages from before."""
        while len(self._app.screen_stack) > self._base:
            await self._app.pop_screen()

    def give_up(self) -> None:
        """Stop before there is a match."""
        if self._task is not None:
            self._task.cancel()

    async def stop(self) -> None:
        """Stop in order: servers and connections are closed before the screen goes."""
        if self._task is not None:
            await stop(self._task)
