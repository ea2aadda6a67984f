"""The rules as players read them: plain text, in our own words, with the numbers of the rulings.

The texts lie beside this file. What they say is decided by the rulings and proved by the tests of the
games; this module only finds them.
"""

from importlib.resources import files

from client.core.catalogue import TITLES


def rules_text(game: str | None = None) -> str:
    """Return a game's complete rules, or one line for each game when none is named."""
    return f"{_text(game)}\n{_text('match')}" if game else _overview()


def _overview() -> str:
    lines = [f"{game:<8} {TITLES[game]}: {summary(game)}" for game in TITLES]
    return "\n".join([*lines, "", "conquest rules GAME prints all the rules of one of them."]) + "\n"


def summary(game: str) -> str:
    """Take a game's summary, which is the second line of its text."""
    return _text(game).splitlines()[1]


def _text(name: str) -> str:
    return files("client.local.texts").joinpath(f"{name}.txt").read_text(encoding="utf-8")
