"""Standard input, output and error: always there, and a failure to write is one sentence.

Imports next to nothing, since every command begins here.
"""

import contextlib
import errno
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    # Type checkers know the name; importing `typing` for it would cost help a tenth of its time.
    from collections.abc import Mapping
    from typing import TextIO

ASCII_TERMINALS = ("ansi", "linux", "sun", "vt")
"""Kinds of terminals that have few other characters, or none."""


class CannotWrite(Exception):
    """Standard output takes nothing; the message is a sentence that says why."""


def is_hung_up(descriptor: int = 0) -> bool:
    """Tell whether a terminal is gone: its window was closed, or the line to it broke."""
    try:
        import termios
    except ImportError:
        return False
    try:
        termios.tcgetattr(descriptor)
    except termios.error as problem:
        return bool(problem.args[0] == errno.EIO)
    return False


def secure() -> None:
    """Open what was closed before we started: else the next file or socket would be taken for it.

    Reading then meets the end at once, writing to output fails as it should, and complaints go nowhere.
    """
    for descriptor, name, flags, mode in (
        (0, "stdin", os.O_RDONLY, "r"),
        (1, "stdout", os.O_RDONLY, "w"),
        (2, "stderr", os.O_WRONLY, "w"),
    ):
        try:
            os.fstat(descriptor)
        except OSError:
            # The lowest free number is taken, and those before it are in use by now.
            os.open(os.devnull, flags)
            setattr(sys, name, open(descriptor, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def is_ascii_only(environment: "Mapping[str, str]", encoding: str | None) -> bool:
    """Tell whether a terminal shows nothing but ASCII: by its kind, its locale, or what can be written to it.

    Python itself writes UTF-8 under a plain C locale, and leaves it to us to ask what arrives.

    >>> is_ascii_only({"LC_ALL": "C", "LANG": "en_US.UTF-8"}, "utf-8")
    True
    """
    locale = next(filter(None, map(environment.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "UTF-8")
    is_utf8 = all("utf8" in (name or "").casefold().replace("-", "") for name in (locale, encoding))
    return not is_utf8 or environment.get("TERM", "").startswith(ASCII_TERMINALS)


def write(text: str, out: "TextIO | None" = None) -> None:
    """Write to standard output at once; raise `CannotWrite`, or BrokenPipeError when the reader is gone."""
    stream = out or sys.stdout
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        let_go_of(stream)
        raise CannotWrite(f"Standard output cannot be written: {problem.strerror}.") from problem


def complain(sentence: str, code: int) -> int:
    """Say on standard error why something was not done, whoever had a word in it; return the exit code."""
    from protocol.text import defused

    lines = "\n".join(map(defused, sentence.split("\n")))
    try:
        print(f"conquest: {lines}", file=sys.stderr, flush=True)
    except OSError:
        # The exit code still tells.
        let_go_of(sys.stderr)
    return code


def let_go_of(stream: "TextIO") -> None:
    """Keep the interpreter from complaining, when it ends, about what nobody could read."""
    with contextlib.suppress(OSError, ValueError):
        # A stream that is no file of the system's holds nothing back.
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
