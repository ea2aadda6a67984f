"""The commands that can be typed at any prompt, beside moves. They begin with a slash."""

from dataclasses import dataclass

from client.core import wording
from client.core.games import RENDERERS
from client.core.games.renderer import Lines
from client.core.nearest import did_you_mean
from client.core.state import MatchState

COMMANDS: dict[str, str] = {
    "help": "show these commands",
    "board": "show the position",
    "clock": "tell how much time is left for the move",
    "moves": "list what you may play now",
    "rules": "read the rules of this game",
    "chat": "TEXT: say something to your opponent",
    "hint": "ask for a good move, in a match with hints",
    "resign": "give up",
    "calloff": "offer, or agree, to end the match without a winner",
    "rematch": "offer, or agree, to play again with seats swapped",
    "accept": "agree to what your opponent offers",
    "decline": "decline it, or take your own offer back",
    "claim": "claim the win when your opponent has been gone for too long",
    "review": "look at a finished match again: mistakes, luck and skill",
    "save": "[FILE]: write the record of a finished match",
    "quit": "leave",
}


WATCHING = ("help", "board", "clock", "rules", "review", "save", "quit")
"""Those of somebody who only watches."""


APART = frozenset({"accept", "chat", "claim", "decline"})
"""Those of two players who are apart, not at one keyboard."""


LOOKED_AT = ("board", "clock", "moves")
"""Those that only say what is known."""


class UnknownCommand(Exception):
    """Something with a slash that is no command; the message is a sentence."""


@dataclass(frozen=True, slots=True)
class Command:
    """A command and what was typed behind it."""

    name: str
    argument: str = ""


def is_command(text: str) -> bool:
    """Tell whether a line is meant as a command."""
    return text.lstrip().startswith("/")


def is_quit(text: str) -> bool:
    """Tell whether a line is the command to leave."""
    try:
        return is_command(text) and parse_command(text).name == "quit"
    except UnknownCommand:
        return False


def parse_command(text: str) -> Command:
    """Read a command, whole or cut short; raise `UnknownCommand`."""
    word, _, argument = text.strip().removeprefix("/").partition(" ")
    name = word.casefold()
    starting = [name] if name in COMMANDS else [each for each in COMMANDS if name and each.startswith(name)]
    if len(starting) == 1:
        return Command(starting[0], argument.strip())
    if starting:
        raise UnknownCommand(f"/{word} could be {' or '.join('/' + each for each in starting)}.")
    meant = did_you_mean(name, COMMANDS)
    raise UnknownCommand(f"There is no command /{word}.{meant} /help lists all.")


def looked_at(name: str, match: MatchState, left_s: float | None) -> Lines:
    """Say what a command that only looks at the match is to show."""
    renderer = RENDERERS[match.game]
    clock = wording.clock_line(match, left_s)
    if name == "clock":
        return (clock,)
    if name == "moves":
        return wording.move_lines(match, renderer.describe)
    is_running = match.clock_s is not None and match.outcome is None
    return (*renderer.board(match.view), *([clock] if is_running else ()))


def help_lines(on_typing: str = "", is_watching: bool = False, is_shared: bool = False) -> list[str]:
    """List the commands, and what there is to know about typing them."""
    left_out = APART if is_shared else set(COMMANDS) - set(WATCHING) if is_watching else ()
    lines = [f"/{name:<8} {about}" for name, about in COMMANDS.items() if name not in left_out]
    if is_watching:
        return lines
    lines.append("Enter alone, or back, returns from a later question of a move to the one before.")
    return [*lines, on_typing] if on_typing else lines
