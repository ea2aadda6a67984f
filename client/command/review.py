"""A finished match with the computer's eyes: what every move was worth, and how much was luck."""

from pathlib import Path

from client.command.replay import header, read
from client.core.failure import CouldNot
from client.core.record import BadRecord
from client.line.terminal import Terminal
from client.local.embedded import reviewed


async def review(terminal: Terminal, file: str) -> None:
    """Print the review of the record in a file; raise `CouldNot` for one that is none."""
    try:
        record = read(Path(file))
        lines = reviewed(record, terminal.is_ascii)
    except BadRecord as problem:
        raise CouldNot(f"{file} cannot be reviewed. {problem}") from problem
    terminal.say(*header(record), "", *lines)
