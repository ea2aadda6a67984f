"""A full-screen client in a process of its own, at a terminal that nobody looks at.

What is unrealistic: the screen is read as the text that was sent to it, one change after the other. So what
is waited for must be something that is written anew, like the line that says what is expected.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.e2e.line import LineClient

LEAVE = "\x11"


class ScreenClient(LineClient):
    """`conquest --tui` with some arguments, and a person in front of it."""

    def __init__(self, home: Path, *arguments: str) -> None:
        super().__init__(home, is_terminal=True)
        self.arguments = (*arguments, "--tui")


@asynccontextmanager
async def screen_client(home: Path, *arguments: str) -> AsyncIterator[ScreenClient]:
    """Run a full-screen client for the length of a block, and end it whatever happens."""
    client = ScreenClient(home, *arguments)
    try:
        await client.start()
        yield client
    finally:
        await client.close()
