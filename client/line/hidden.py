"""Hiding what is typed, on terminals that can do so."""

import contextlib
from collections.abc import Callable


def hide(descriptor: int) -> Callable[[], None] | None:
    """Stop the terminal from showing what is typed; return how to undo it, or None if it cannot be done."""
    try:
        import termios
    except ImportError:
        return None
    try:
        before = termios.tcgetattr(descriptor)
    except termios.error:
        return None
    hidden = termios.tcgetattr(descriptor)
    # The end of the line is still shown, so that the next output begins on a line of its own.
    hidden[3] = (hidden[3] & ~termios.ECHO) | termios.ECHONL
    # What was begun before, and could be seen, is dropped: a secret must not begin with it.
    termios.tcsetattr(descriptor, termios.TCSAFLUSH, hidden)

    def show() -> None:
        # A terminal that is gone hides nothing any more.
        with contextlib.suppress(termios.error):
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)

    return show
