"""Who plays: the name that others see, asked for once and remembered."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from client.net.store import Store
from protocol.process.usage import Misused
from protocol.text import Unclean, clean_name

if TYPE_CHECKING:
    from client.line.terminal import Terminal

ANYBODY = "Player"
COMPUTER = "Computer"
NAME_QUESTION = "Your name, as others will see it"
NAME_LEN = 16
"""Characters of a file's name that make a name; more would not be clean."""


async def player_name(terminal: "Terminal", store: Store, given: str | None, is_needed: bool = True) -> str:
    """Return the name to play under: the given one, the remembered one, or the answer to a question.

    A player who goes back to a seat has a name there already, and is not asked for another one.
    """
    if given is not None:
        return checked_name(given)
    if known := store.name():
        return known
    if not terminal.is_terminal or not is_needed:
        return login_name()
    return await _asked(terminal, store)


def checked_name(given: str) -> str:
    """Clean a name that was given; raise `Misused`."""
    try:
        return clean_name(given)
    except Unclean as no:
        raise Misused(str(no)) from no


def bot_name(file: Path | None) -> str:
    """Name a bot by its file; without one it is the computer's own."""
    if file is None:
        return COMPUTER
    try:
        return clean_name(file.stem[:NAME_LEN])
    except Unclean:
        return ANYBODY


async def _asked(terminal: "Terminal", store: Store) -> str:
    usual = login_name()
    while True:
        answer = await terminal.ask(f"{NAME_QUESTION} (Enter for {usual}): ")
        try:
            name = clean_name(answer or usual)
        except Unclean as no:
            terminal.say(str(no))
            continue
        store.keep_name(name)
        return name


def login_name() -> str:
    """Return the name of the user who is logged in, if it can be shown."""
    try:
        return clean_name(getpass.getuser())
    except (Unclean, OSError, KeyError, ImportError):
        # There may be no user behind this process, or one whose name cannot be shown.
        return ANYBODY
