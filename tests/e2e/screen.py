"""A full-screen client in a process of its own, at a terminal of which only the text is kept.

What is unrealistic: colours, wide characters and everything else that a terminal does are left out. The
application says where each piece of text belongs, and that is all there is to follow.
"""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.line import LineClient

WIDTH, HEIGHT = 80, 24
LEAVE = "\x11"
_PIECE = re.compile(
    r"\x1b\[([0-9;?<=>$]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|([^\x1b])", re.DOTALL
)


def displayed(sent: str) -> str:
    """Tell what a screen shows after all that was sent to it.

    >>> displayed("hello\\x1b[1;3H\\x1b[1mLP\\x1b[0m\\x1b[2;1Hyou").split()
    ['heLPo', 'you']
    """
    rows = [[" "] * WIDTH for _ in range(HEIGHT)]
    x = y = 0
    for piece in _PIECE.finditer(sent):
        parameters, final, char = piece.groups()
        if final == "H":
            y, x = (int(number) - 1 for number in f"{parameters or '1;1'}".split(";"))
        elif char == "\n":
            y, x = y + 1, 0
        elif char and char >= " ":
            if y < HEIGHT and x < WIDTH:
                rows[y][x] = char
            x += 1
    return "\n".join("".join(row) for row in rows)


class ScreenClient(LineClient):
    """`conquest --tui` with some arguments, and a person in front of it."""

    def __init__(self, home: Path, *arguments: str, through: tuple[str, ...] = ()) -> None:
        super().__init__(home, is_terminal=True, through=through)
        self.arguments = (*arguments, "--tui")

    def seen(self, text: str) -> str:
        return text

    async def sees(self, *texts: str) -> str:
        """Wait until all these texts are on the screen; return what is on it."""
        while True:
            screen = displayed(self.transcript)
            if all(text in " ".join(screen.split()) for text in texts):
                return screen
            await self._something(f"{texts} never came:\n{screen}")

    async def sees_no_more(self, text: str) -> None:
        """Wait until a text is gone from the screen."""
        while text in displayed(self.transcript):
            await self._something(f"{text!r} never went")


@asynccontextmanager
async def screen_client(
    home: Path, *arguments: str, through: tuple[str, ...] = ()
) -> AsyncIterator[ScreenClient]:
    """Run a full-screen client for the length of a block, and end it whatever happens."""
    client = ScreenClient(home, *arguments, through=through)
    try:
        await client.start()
        yield client
    finally:
        await client.close()
