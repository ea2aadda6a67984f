"""A join link as a QR code in a terminal: two rows of squares to a line of text."""

from itertools import zip_longest

BORDER = 2

# Terminals are mostly dark, so the light squares are what is drawn.
_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}


def qr_lines(text: str, is_ascii: bool = False) -> tuple[str, ...]:
    """Draw a text as a QR code."""
    import segno

    rows = [
        [bool(square) for square in row] for row in segno.make(text, micro=False).matrix_iter(border=BORDER)
    ]
    if is_ascii:
        return tuple("".join("  " if is_dark else "##" for is_dark in row) for row in rows)
    blank = [True] * len(rows[0])
    pairs = zip_longest(rows[::2], rows[1::2], fillvalue=blank)
    return tuple("".join(_HALVES[pair] for pair in zip(upper, lower, strict=True)) for upper, lower in pairs)
