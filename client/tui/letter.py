"""Large letters out of half blocks, for join codes and the name of the game."""

from textual.widgets import Static

GLYPHS: dict[str, str] = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717", "6": "74757",
    "7": "71122", "8": "75757", "9": "75717", "A": "25755", "B": "65656", "C": "74447", "D": "65556",
    "E": "74647", "F": "74644", "G": "74557", "H": "55755", "I": "72227", "J": "11157", "K": "55655",
    "L": "44447", "M": "57755", "N": "75555", "O": "75557", "P": "75744", "Q": "75573", "R": "75765",
    "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775", "X": "55255", "Y": "55222",
    "Z": "71247", "-": "00700", " ": "00000",
}  # fmt: skip
"""Five rows of three dots for each letter, a row to a digit."""

BLOCKS = {"00": " ", "10": "▀", "01": "▄", "11": "█"}


def large(text: str, is_ascii: bool = False) -> str:
    """Write a text in large letters.

    >>> print(large("N8"))
    █▀█ █▀█
    █ █ █▀█
    ▀ ▀ ▀▀▀
    """
    dots = ["0".join(f"{int(GLYPHS[letter][row]):03b}" for letter in text.upper()) for row in range(5)]
    if is_ascii:
        # Twice as wide: otherwise the gaps between letters look like those inside them.
        return "\n".join(row.replace("0", "  ").replace("1", "##") for row in dots)
    rows = [*dots, "0" * len(dots[0])]
    return "\n".join(
        "".join(BLOCKS[upper + lower] for upper, lower in zip(rows[y], rows[y + 1], strict=True))
        for y in (0, 2, 4)
    )


class Large(Static):
    """A line of large letters."""

    def __init__(self, text: str, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(markup=False, id=id, classes=classes)
        self._letters = text

    def on_mount(self) -> None:
        """Draw with what this terminal can show."""
        self.update(large(self._letters, bool(getattr(self.app, "is_ascii", False))))
