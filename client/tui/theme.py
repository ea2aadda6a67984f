"""The colours of the full-screen client, dark and light, and the marks that tell the players apart.

Blue and orange stay apart for nearly every kind of colour blindness; still no colour stands alone, a mark
always stands beside it. Widgets name colours by their part (`$p1`, `$p2`, `$primary`), never by value.
"""

from typing import TYPE_CHECKING

from textual.theme import Theme

if TYPE_CHECKING:
    from protocol.model import Owner

DARK = Theme(
    name="conquest-dark",
    primary="#4aa3ff",
    secondary="#8aa4c0",
    accent="#e6c65c",
    warning="#e6c65c",
    error="#ff7b72",
    success="#5cc98a",
    foreground="#e4e9f0",
    background="#0e131a",
    surface="#151c25",
    panel="#1f2a37",
    dark=True,
    variables={"p1": "#5aaeff", "p2": "#ff9d42", "footer-key-foreground": "#e6c65c"},
)
LIGHT = Theme(
    name="conquest-light",
    primary="#0b62b8",
    secondary="#4b6076",
    accent="#7a5b00",
    warning="#7a5b00",
    error="#b3261e",
    success="#1b6e3c",
    foreground="#1a2129",
    background="#f7f8fa",
    surface="#edf0f4",
    panel="#dde3ea",
    dark=False,
    variables={"p1": "#0b5cad", "p2": "#a84a00", "footer-key-foreground": "#7a5b00"},
)
THEMES = {"dark": DARK, "light": LIGHT}

TEXTURES: dict["Owner", str] = {0: " ", 1: "█", 2: "▒"}
"""What stands for a side wherever its colour does."""
