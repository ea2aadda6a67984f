"""The names that players go by: given, of the login, or of a bot's file."""

import getpass
from pathlib import Path

from protocol.process.usage import Misused
from protocol.text import Unclean, clean_name

ANYBODY = "Player"
COMPUTER = "Computer"
GUEST = "Guest"
"""The other player at the same keyboard, who has given no name."""
NAME_QUESTION = "Your name, as others will see it"
OTHER_NAME_QUESTION = "The other player's name"
NAME_LEN = 16
"""Characters of a file's name that make a name; more would not be clean."""


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


def login_name() -> str:
    """Return the name of the user who is logged in, if it can be shown."""
    try:
        return clean_name(getpass.getuser())
    except (Unclean, OSError, KeyError, ImportError):
        # There may be no user behind this process, or one whose name cannot be shown.
        return ANYBODY
