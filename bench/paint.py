"""How long until something is on the screen: our first page against Textual's own hello-world, as a ratio.

Each start is a fresh process at a pseudo-terminal, stopped when the text that matters is painted. The two
take turns, and the medians are compared, so that a busy machine slows both down alike.
"""

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import tempfile
import termios
import time
from collections.abc import Sequence
from pathlib import Path

HELLO = """
from textual.app import App
from textual.widgets import Static

class Hello(App):
    def compose(self):
        yield Static("Hello, World!")

Hello().run()
"""
HELLO_WORLD = (sys.executable, "-c", HELLO)
OURS = (str(Path(sys.executable).with_name("conquest")), "--name", "Ann")
LIMIT = 1.5
"""How many times as long as hello-world ours may take."""
ROUNDS = 11
TIMEOUT_S = 30.0


def started(command: Sequence[str], awaited: bytes) -> float:
    """Start a command at a terminal; return the seconds until it has painted a text."""
    begun = time.perf_counter()
    process, terminal = pty.fork()
    if process == 0:
        environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
        for name in ("PYTHONDONTWRITEBYTECODE", "NO_COLOR"):
            environment.pop(name, None)
        os.execve(command[0], command, environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    painted = b""
    try:
        while awaited not in painted and time.perf_counter() - begun < TIMEOUT_S:
            if select.select([terminal], [], [], TIMEOUT_S)[0]:
                painted += os.read(terminal, 65536)
        return time.perf_counter() - begun
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)


def main(arguments: Sequence[str] = ()) -> int:
    """Measure, print, and return 1 when ours takes too long."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    with tempfile.TemporaryDirectory() as home:
        os.environ["CONQUEST_HOME"] = home
        hello, ours = [], []
        for _ in range(rounds + 1):
            hello.append(started(HELLO_WORLD, b"Hello, World!"))
            ours.append(started(OURS, b"Play against the computer"))
    # The first round of each only filled the caches.
    theirs_s, ours_s = statistics.median(hello[1:]), statistics.median(ours[1:])
    ratio = ours_s / theirs_s
    print(f"hello-world {theirs_s * 1000:.0f} ms, conquest {ours_s * 1000:.0f} ms: ratio {ratio:.2f}")
    print(f"(median of {rounds} starts to first paint; at most {LIMIT} is wanted)")
    return int(ratio > LIMIT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
