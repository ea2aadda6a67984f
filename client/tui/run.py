"""One run of the full screen: who plays, the signals, and what is said when the screen is gone."""

import asyncio
import contextlib
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING

from client.flow.name import checked_name, login_name
from client.local.fault import log_to_file
from client.net.store import Store
from client.tui.app import ConquestApp
from client.tui.call import KEEP_TITLE, RESTORE_TITLE, has_title
from protocol.process import stream
from protocol.process.home import home

if TYPE_CHECKING:
    from client.flow.wanted import Wanted


LOOK_S = 1.0
"""How often to look whether the terminal is still there."""


def run(given: Namespace, wanted: "Wanted | None") -> int:
    """Run in full screen; return the exit code, or raise what could not be done."""
    log_to_file()
    store = Store(home())
    app = ConquestApp(wanted, store, *_player(store, given.name), is_ascii=given.ascii)
    asyncio.run(_run(app))
    if problem := app.fault or app.failure:
        raise problem
    if app.farewell:
        print(app.farewell)
    return app.return_code or 0


def _player(store: Store, given: str | None) -> tuple[str, bool]:
    """Find out the name to play under, and whether it should be asked for."""
    if given is not None:
        return checked_name(given), False
    known = store.name()
    return known or login_name(), known is None


async def _run(app: ConquestApp) -> None:
    loop = asyncio.get_running_loop()

    def dismissed(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(app.call_later, app.dismissed)

    before = signal.signal(signal.SIGTERM, dismissed)
    _end_with_terminal(loop)
    try:
        with _title_kept():
            await app.run_async()
    finally:
        signal.signal(signal.SIGTERM, before)


def _end_with_terminal(loop: asyncio.AbstractEventLoop) -> None:
    """End as by SIGHUP once the terminal is gone: of its programs the system tells that to the first only."""
    if stream.is_hung_up():
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGHUP)
    loop.call_later(LOOK_S, _end_with_terminal, loop)


@contextlib.contextmanager
def _title_kept() -> Iterator[None]:
    """Give the terminal back the title that it had."""
    screen = sys.stderr
    if not (has_title(os.environ) and screen.isatty()):
        yield
        return
    stream.write(KEEP_TITLE, screen)
    try:
        yield
    finally:
        stream.write(RESTORE_TITLE, screen)
