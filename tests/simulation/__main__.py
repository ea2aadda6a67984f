"""The simulator's command: `python -m tests.simulation --seeds N` or, to repeat one world, `--seed S`."""

import argparse
import sys
import time

from tests.simulation.shadow import Violation
from tests.simulation.world import World


def main() -> int:
    """Run worlds until one breaks a promise; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=1000, metavar="N", help="how many worlds to run")
    parser.add_argument("--first", type=int, default=0, metavar="S", help="the seed of the first of them")
    parser.add_argument("--seed", type=int, metavar="S", help="run this one world only")
    parser.add_argument("--keep-going", action="store_true", help="do not end at the first failure")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds) if asked.seed is None else [asked.seed]
    began, failures, turns, frames = time.perf_counter(), 0, 0, 0
    for seed in seeds:
        world = World(seed)
        try:
            world.run()
        except Violation as violation:
            failures += 1
            report(world, seed, violation)
            if not asked.keep_going:
                return 1
        except BaseException:
            print(f"seed {seed}: the simulation itself is broken")
            raise
        turns += world.agenda.turns
        frames += world.witness.frames_checked
    took = time.perf_counter() - began
    print(
        f"{len(seeds)} seeds, {failures} failures, {len(seeds) / took:.1f} seeds/s, "
        f"{turns} turns and {frames} frames checked"
    )
    return 1 if failures else 0


def report(world: World, seed: int, violation: Violation) -> None:
    """Say what was broken, what had happened before, and how to see it again."""
    print(f"seed {seed}: {violation}")
    for at, what, frame in world.trace:
        print(f"  {at:9.4f}  {what:24} {frame!s:.150}")
    print(f"again: python -m tests.simulation --seed {seed}")


if __name__ == "__main__":
    sys.exit(main())
