"""`conquest rules`: the rules of a game, or one line for each game, on stdout."""

from client.local.rulebook import rules_text
from protocol.process import stream


def print_rules(game: str | None) -> None:
    """Print the rules of a game, or a summary of all when none is named."""
    stream.write(rules_text(game).rstrip("\n") + "\n")
