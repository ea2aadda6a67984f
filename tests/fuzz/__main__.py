"""`python -m tests.fuzz --frames N [--seed S]`: so many frames against each target, or against one of them.

The targets: `codec` reads frames; `in_process` is the whole server in this process, `over_sockets` a server
process; `hostile_server` is what the client meets, in full screen `hostile_screen`. The command ends at the
first failure and says how to repeat it, to the last byte; over sockets, and on the screen, what is sent is
repeated, and not what meets what.
"""

import argparse
import sys
import time
import traceback
from collections.abc import Callable, Iterator

from tests.fuzz import codec, hostile_screen, hostile_server, in_process, over_sockets
from tests.fuzz.report import Failure, Round, blocks, growth

ROUND = 25_000
"""Frames from one seed; the next round has the next seed."""
ROUNDS_OF = {"hostile_screen": 1_000}
"""Smaller rounds, where a frame takes its time."""
FLAT = 0.02
"""By how much the second half of a run may add to memory, as a share: caches that fill, and noise."""
FLAT_OF = {"hostile_screen": 0.1}
"""The same where few rounds are measured, and each ends in another way."""
ROUNDS: dict[str, Callable[[int, int], Round]] = {
    "codec": codec.run,
    "in_process": in_process.run,
    "hostile_server": hostile_server.run,
    "hostile_screen": hostile_screen.run,
}
OVER_SOCKETS = "over_sockets"
SHARES = {"hostile_server": 5, "hostile_screen": 100}
"""A client takes its time over each frame, so it gets one in so many when all targets are asked for."""
Figures = tuple[int, float, float]
"""Frames, the longest stall in seconds, and the share by which memory grew over the second half."""


def main() -> int:
    """Run what was asked for; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", choices=(*ROUNDS, OVER_SOCKETS, "all"), default="all")
    parser.add_argument("--frames", type=int, default=100_000, metavar="N", help="frames for each target")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the first round's seed")
    asked = parser.parse_args()
    is_all = asked.target == "all"
    for target in (*ROUNDS, OVER_SOCKETS) if is_all else (asked.target,):
        began = time.perf_counter()
        try:
            frames, worst_s, share = (
                in_one_run(asked.seed, asked.frames)
                if target == OVER_SOCKETS
                else in_rounds(target, asked.seed, asked.frames // (SHARES.get(target, 1) if is_all else 1))
            )
        except Repeatable as failed:
            report(target, failed)
            return 1
        rate = frames / (time.perf_counter() - began)
        print(
            f"{target}: {frames} frames, {rate:.0f} frames/s, uncaught 0, stalls 0 "
            f"(longest {1000 * worst_s:.1f} ms), memory {100 * share:+.1f} % over the second half",
            flush=True,
        )
        if share > FLAT_OF.get(target, FLAT):
            print(f"{target}: memory is not flat")
            return 1
    return 0


class Repeatable(Exception):
    """A failure, and the round in which it can be seen again."""

    def __init__(self, seed: int, frames: int, failure: Failure) -> None:
        super().__init__(str(failure))
        self.seed = seed
        self.frames = frames
        self.failure = failure


def in_rounds(target: str, seed: int, frames: int) -> Figures:
    """Run rounds in this process until there were enough frames."""
    taken, worst_s, memory = 0, 0.0, []
    for number, size in _sizes(frames, ROUNDS_OF.get(target, ROUND)):
        try:
            done = ROUNDS[target](seed + number, size)
        except Failure as failure:
            raise Repeatable(seed + number, size, failure) from failure
        taken, worst_s = taken + done.frames, max(worst_s, done.worst_s)
        if target == "hostile_screen":
            hostile_screen.forget_caches()
        memory.append(float(blocks()))
    return taken, worst_s, growth(memory)


def _sizes(frames: int, most: int) -> Iterator[tuple[int, int]]:
    for number, start in enumerate(range(0, frames, most)):
        yield number, min(most, frames - start)


def in_one_run(seed: int, frames: int) -> Figures:
    """Attack a server process."""
    try:
        over = over_sockets.run(seed, frames)
    except Failure as failure:
        raise Repeatable(seed, frames, failure) from failure
    if over.pulse["excused"]:
        print(f"{OVER_SOCKETS}: {over.pulse['excused']} times the system let the server wait longer")
    return over.done.frames, over.done.worst_s, growth(over.memory)


def report(target: str, failed: Repeatable) -> None:
    """Say what happened, and how to see it again."""
    cause = failed.failure.__cause__
    if cause is not None:
        traceback.print_exception(cause, file=sys.stdout)
    print(f"{target}: seed {failed.seed}, frame {failed.failure.frame}: {failed}")
    print(f"again: python -m tests.fuzz {target} --seed {failed.seed} --frames {failed.frames}")


if __name__ == "__main__":
    sys.exit(main())
