"""Who plays: the name that others see, asked for once and remembered."""

import getpass

from client.desk import Desk
from client.failure import Misused
from client.store import Store
from protocol.text import Unclean, clean_name

ANYBODY = "Player"


async def player_name(desk: Desk, store: Store, given: str | None) -> str:
    """Return the name to play under: the given one, the remembered one, or the answer to a question."""
    if given is not None:
        try:
            return clean_name(given)
        except Unclean as no:
            raise Misused(str(no)) from no
    if known := store.name():
        return known
    if not desk.is_terminal:
        return _login_name()
    return await _asked(desk, store)


async def _asked(desk: Desk, store: Store) -> str:
    usual = _login_name()
    while True:
        answer = await desk.ask(f"Your name, as others will see it (Enter for {usual}): ")
        try:
            name = clean_name(answer or usual)
        except Unclean as no:
            desk.say(str(no))
            continue
        try:
            store.keep_name(name)
        except OSError as problem:
            desk.say(f"The name cannot be remembered: {problem.strerror}.")
        return name


def _login_name() -> str:
    try:
        return clean_name(getpass.getuser())
    except (Unclean, OSError, KeyError, ImportError):
        # There may be no user behind this process, or one whose name cannot be shown.
        return ANYBODY
