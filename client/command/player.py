"""Who plays: the name that others see, asked for once and remembered."""

from client.flow.name import NAME_QUESTION, checked_name, login_name
from client.line.terminal import Terminal
from client.net.store import Store
from protocol.text import Unclean, clean_name


async def player_name(terminal: Terminal, store: Store, given: str | None, is_needed: bool = True) -> str:
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


async def _asked(terminal: Terminal, store: Store) -> str:
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
