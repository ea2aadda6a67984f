"""The fighters of the duel, one figure for each stance, in blocks and in plain letters.

All look to the right; the other side is their mirror image.
"""

from protocol.games.duel import Stance

HEIGHT = 5
BLOCKS: dict[Stance, tuple[str, ...]] = {
    "none": (
        "      ▄█▄      ",
        "      ▀█▀      ",
        "    ▄▀███▀▄    ",
        "    █ ███ █    ",
        "     ▄█ █▄     ",
    ),
    "attacking": (
        "      ▄█▄    ▄█",
        "      ▀█▀  ▄█▀ ",
        "    ▄▀███▄█▀   ",
        "    █ ███ ▀    ",
        "     ▄█ ▀█▄    ",
    ),
    "defending": (
        "      ▄█▄ ▄▄▄▄▄",
        "      ▀█▀ █▀▀▀█",
        "    ▄▀███▄█ █ █",
        "    █ ███ ▀█▄█▀",
        "     ▄█ █▄  ▀  ",
    ),
    "healing": (
        "      ▄█▄   ▄  ",
        "    ▄ ▀█▀ ▄▀█▀ ",
        "     ▀███▀     ",
        "      ███   ▄  ",
        "     ▄█ █▄ ▀█▀ ",
    ),
    "guarded": (
        "      ▄█▄  ▄█▄ ",
        "    ▄ ▀█▀ ▄ ▀  ",
        "     ▀███▀▄▄▄▄▄",
        "      ███ █ █ █",
        "     ▄█ █▄ ▀█▀ ",
    ),
}
LETTERS: dict[Stance, tuple[str, ...]] = {
    "none": ("           ", "     O     ", "    /|\\    ", "     |     ", "    / \\    "),
    "attacking": ("           ", "     O   / ", "    /|--/  ", "     |     ", "    / \\    "),
    "defending": ("        __ ", "     O |  |", "    /|-|  |", "     | |__|", "    / \\    "),
    "healing": ("           ", "    \\O/ +  ", "     | +++ ", "     |  +  ", "    / \\    "),
    "guarded": ("        +  ", "    \\O/+++ ", "     |__+_ ", "     ||  | ", "    / \\__| "),
}
_MIRROR = str.maketrans("/\\", "\\/")


def figure(stance: Stance, is_left: bool, is_ascii: bool) -> tuple[str, ...]:
    """Draw the fighter of a side, looking at the other one."""
    rows = (LETTERS if is_ascii else BLOCKS)[stance]
    return rows if is_left else tuple(row[::-1].translate(_MIRROR) for row in rows)


def enlarged(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Draw a figure of blocks twice as large: each half of a cell becomes two cells.

    >>> enlarged(("▄█",))
    ('  ██', '████')
    """
    return tuple(
        "".join("██" if char in filled else "  " for char in row) for row in rows for filled in ("▀█", "▄█")
    )
