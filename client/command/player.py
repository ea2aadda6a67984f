"""Who plays: the name that others see, asked for once and remembered."""

from client.flow.name import GUEST, NAME_QUESTION, OTHER_NAME_QUESTION, checked_name, login_name
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
    name = await _asked(terminal, NAME_QUESTION, login_name())
    store.keep_name(name)
    return name


async def other_name(terminal: Terminal) -> str:
    """Ask for the name of the other player at the same keyboard, who is a guest where nobody can answer."""
    return await _asked(terminal, OTHER_NAME_QUESTION, GUEST) if terminal.is_terminal else GUEST


async def _asked(terminal: Terminal, question: str, usual: str) -> str:
    while True:
        answer = await terminal.ask(f"{question} (Enter for {usual}): ")
        try:
            return clean_name(answer or usual)
        except Unclean as no:
            terminal.say(str(no))
