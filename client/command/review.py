"""A finished match with the computer's eyes: what every move was worth, and how much was luck."""

from client.command.replay import header
from client.core.failure import CouldNot
from client.core.record import BadRecord
from client.line.advice import progress, review_begins
from client.line.terminal import Terminal
from client.local import advice
from client.local.saved import found
from client.net.history import read


async def review(terminal: Terminal, file: str) -> None:
    """Print the review of the record in a file; raise `CouldNot` for one that is none."""
    path = found(file)
    try:
        record = read(path)
        terminal.say(*header(record))
        if terminal.is_terminal:
            terminal.say(review_begins(record))
        lines = await advice.review(record, progress(terminal), terminal.is_ascii)
    except BadRecord as problem:
        raise CouldNot(f"{path} cannot be reviewed. {problem}") from problem
    terminal.say("", *lines)
