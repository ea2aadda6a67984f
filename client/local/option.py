"""What can be agreed before a match of a game, as its rules have it."""

from collections.abc import Mapping

from client.core.nearest import did_you_mean
from protocol.process.usage import Misused
from server.games import GAMES
from server.games.game import Illegal, Option


def agreed_options(game: str, chosen: Mapping[str, str]) -> dict[str, str]:
    """Complete a game's options; raise `Misused`, with the nearest name, for one that does not exist."""
    rules = GAMES[game]
    try:
        return rules.agree(chosen)
    except Illegal as no:
        unknown = next((name for name in chosen if name not in rules.options), None)
        meant = did_you_mean(unknown, rules.options) if unknown else ""
        raise Misused(f"{no}{meant}") from no


def options_of(game: str) -> Mapping[str, Option]:
    """List what can be agreed before a match of a game."""
    return GAMES[game].options
