"""Calling a player who may look elsewhere: the terminal's title, and the desktop's notification.

Only what a terminal is known to understand is sent to it. Everything here is text in, text out.
"""

from collections.abc import Mapping

from client.core.catalogue import TITLES
from client.core.state import MatchState
from protocol.text import defused

KEEP_TITLE, RESTORE_TITLE = "\x1b[22;2t", "\x1b[23;2t"
UNTITLED = ("linux", "vt", "cons", "dumb", "ansi", "sun")
"""Terminals that may print what is meant to set a title, by the beginning of their names."""
NESTED = ("screen", "tmux")
WITH_OSC_9 = ("iTerm.app", "WezTerm", "ghostty", "xterm-kitty", "xterm-ghostty", "wezterm")
WITH_OSC_777 = ("foot", "foot-extra", "rxvt-unicode", "rxvt-unicode-256color")
"""Terminals that notify the desktop, by what `TERM_PROGRAM` or `TERM` says."""


def has_title(environ: Mapping[str, str]) -> bool:
    """Tell whether a terminal takes a title."""
    name = environ.get("TERM", "")
    return bool(name) and not name.startswith(UNTITLED)


def titled(text: str) -> str:
    """Write a title.

    >>> titled("Your turn")
    '\\x1b]2;Your turn\\x07'
    """
    return f"\x1b]2;{defused(text)}\x07"


def notification(text: str, environ: Mapping[str, str]) -> str:
    """Notify the desktop; nothing where the terminal is not known to pass that on.

    >>> notification("Your turn", {"TERM": "foot"})
    '\\x1b]777;notify;Conquest;Your turn\\x07'
    """
    name, program = environ.get("TERM", ""), environ.get("TERM_PROGRAM", "")
    if name.startswith(NESTED) or "TMUX" in environ:
        return ""
    if name in WITH_OSC_777:
        return f"\x1b]777;notify;Conquest;{defused(text)}\x07"
    return f"\x1b]9;{defused(text)}\x07" if name in WITH_OSC_9 or program in WITH_OSC_9 else ""


def standing(match: MatchState) -> str:
    """Say in a few words which match it is and who is to move, for a title."""
    game = TITLES.get(match.game, match.game)
    if not match.seat:
        return f"{game}: {match.names[0]} against {match.names[1]}"
    owing = match.view.to_act if match.view is not None and match.outcome is None else ()
    turn = "Your turn: " if match.seat in owing else ""
    opponent = match.name(match.opponent) if match.opponent else ""
    return f"{turn}{game} against {opponent}"
