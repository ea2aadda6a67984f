"""`conquest arena`: bots against each other. The table goes to stdout, all else to stderr."""

import contextlib
import os
import random
import secrets
import sys
import time
from argparse import Namespace
from typing import TextIO

from client.core.catalogue import TITLES
from client.core.failure import CouldNot
from client.local.contest import Contest
from client.local.contestant import contestant
from client.local.option import agreed_options
from protocol.process.usage import Misused

MATCHES_MAX = 1_000_000
BAR_WIDTH = 30
REDRAWN_S = 0.1


def hold(given: Namespace) -> int:
    """Let two bots play as often as was asked, and print the table; return the exit code."""
    if not 1 <= given.matches <= MATCHES_MAX:
        raise Misused(f"-n must be from 1 to {MATCHES_MAX}.")
    options = agreed_options(given.game, dict(given.option))
    seed = secrets.randbelow(1_000_000) if given.seed is None else given.seed
    # What a bot prints is for its author to see, but no part of the table.
    with contextlib.redirect_stdout(sys.stderr):
        contest = Contest(given.game, options, (contestant(given.bots[0]), contestant(given.bots[1])))
        is_whole = _play(contest, given.matches, seed)
    if contest.course:
        print(_title(contest, options), *contest.lines(), sep="\n")
    if contest.faults:
        print(_fault_lines(contest.faults, seed), file=sys.stderr)
    if not is_whole:
        raise CouldNot(f"Stopped after {len(contest.course)} of {given.matches} matches.")
    return 0


def _play(contest: Contest, matches: int, seed: int) -> bool:
    """Play the matches; tell whether all were played."""
    # The bots of a user draw from Python's own generator, if they draw: the same seed is the same luck.
    random.seed(seed)
    bar = Bar(sys.stderr, matches, (contest.sides[0].name, contest.sides[1].name))
    try:
        contest.run(matches, random.Random(seed).randrange, bar.show)
    except CouldNot as problem:
        number = len(contest.course) + 1
        raise CouldNot(f"{problem}\nThat was in match {number}. To see it again: --seed {seed}") from problem
    except KeyboardInterrupt:
        return False
    finally:
        bar.clear()
    return True


def _title(contest: Contest, options: dict[str, str]) -> str:
    chosen = "".join(f", {key} {value}" for key, value in options.items())
    count = len(contest.course)
    return f"{TITLES[contest.game]}{chosen}: {count} match{'es' if count != 1 else ''}, seats alternating"


def _fault_lines(faults: list[str], seed: int) -> str:
    count = len(faults)
    times = "one match was" if count == 1 else f"{count} matches were"
    return f"{faults[0]}\nSo {times} lost by an illegal answer. To see it again: --seed {seed}"


class Bar:
    """A line on a terminal that shows how far things are; nothing anywhere else."""

    def __init__(self, stream: TextIO, total: int, names: tuple[str, str]) -> None:
        self._stream = stream
        self._total = total
        self._names = names
        self._is_shown = stream.isatty()
        self._done = 0
        self._drawn_at = 0.0

    def show(self, won: int, lost: int) -> None:
        """Count one more match, and draw now and then."""
        self._done += 1
        if not self._is_shown or time.monotonic() - self._drawn_at < REDRAWN_S:
            return
        self._drawn_at = time.monotonic()
        full = BAR_WIDTH * self._done // self._total
        text = f"[{'#' * full}{'-' * (BAR_WIDTH - full)}] {self._done} of {self._total}"
        self._draw(f"{text}  {self._names[0]} {won}, {self._names[1]} {lost}")

    def clear(self) -> None:
        """Leave an empty line behind."""
        if self._drawn_at:
            self._draw("")
            self._stream.write("\r")
            self._stream.flush()

    def _draw(self, text: str) -> None:
        width = _columns(self._stream) - 1
        self._stream.write(f"\r{text[:width]:<{width}}")
        self._stream.flush()


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80
