"""A program for tests that says its size and what it hears, and can be asked to be deaf."""

import os
import signal
import sys


def main() -> None:
    if os.isatty(0):
        import fcntl
        import termios

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        signal.signal(signal.SIGWINCH, lambda number, frame: say_size())
        say_size()
    say(",".join(sorted(os.environ)))
    for line in sys.stdin:
        if line == "deaf\n":
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            say("deaf")
            while True:
                signal.pause()
        say(f"heard {line.strip()}")
    say("over")
    sys.exit(3)


def say_size() -> None:
    size = os.get_terminal_size(0)
    say(f"{size.columns} by {size.lines}")


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
