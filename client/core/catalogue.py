"""What can be chosen: games, levels, lines of the menu. It is light enough for `conquest --help`."""

from protocol.catalogue import TITLES

__all__ = ["CHOICES", "GAME_QUESTION", "GO_BACK", "LEVELS", "LEVEL_QUESTION", "TITLES"]

LEVELS: tuple[str, ...] = ("easy", "normal", "hard", "perfect")
"""How well the computer plays; `client.bots` decides what that means."""

GAME_QUESTION = "Which game?"
LEVEL_QUESTION = "How well should the computer play?"
CHOICES = (
    "Play against the computer",
    "Host a match for a friend",
    "Join a friend's match",
    "Watch a match",
    "Play with two at this keyboard",
    "Read the rules",
    "Quit",
)
"""What the menu offers."""
GO_BACK = "Go back to your match"
"""What it offers besides, as number 0, where a match was left."""
