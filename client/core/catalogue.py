"""The games by id and name, light enough for `conquest --help`.

`protocol.games` has the same list, but costs a hundred milliseconds to import; a test keeps them equal.
"""

TITLES: dict[str, str] = {
    "galaxy": "Galaxy Conquest",
    "conquer": "Conquer",
    "grid": "Grid Conquest",
    "digit": "Digit Conquest",
    "duel": "Command Line Conquer",
}

LEVELS: tuple[str, ...] = ("easy", "normal", "hard", "perfect")
"""How well the computer plays; `client.bots` decides what that means."""

GAME_QUESTION = "Which game?"
LEVEL_QUESTION = "How well should the computer play?"
CHOICES = (
    "Play against the computer",
    "Host a match for a friend",
    "Join a friend's match",
    "Watch a match",
    "Read the rules",
    "Quit",
)
"""What the menu offers."""
GO_BACK = "Go back to your match"
"""What it offers besides, as number 0, where a match was left."""
