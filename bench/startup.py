"""What it costs to ask for help: the time of `conquest --help` beside that of a bare interpreter.

The two are started in turn, so that whatever else the machine does meets both alike; the best times and
their ratio are printed. Compiled files are used, as they are on a player's machine.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

BARE = (sys.executable, "-c", "pass")
CONQUEST = str(Path(sys.executable).with_name("conquest"))
COMMANDS: dict[str, tuple[str, ...]] = {
    "import argparse": (sys.executable, "-c", "import argparse"),
    "conquest --help": (CONQUEST, "--help"),
    "conquest play --help": (CONQUEST, "play", "--help"),
    "conquest rules galaxy": (CONQUEST, "rules", "galaxy"),
}


def timed(command: Sequence[str]) -> float:
    """Run a command and return how long it took, in seconds."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def measure(command: Sequence[str], runs: int) -> tuple[float, float]:
    """Return the best times of a bare interpreter and of a command, started in turn."""
    timed(command)
    pairs = [(timed(BARE), timed(command)) for _ in range(runs)]
    bare, taken = zip(*pairs, strict=True)
    return min(bare), min(taken)


def main() -> None:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=20, help="how often each is started (default: 20)")
    runs = parser.parse_args().runs
    for name, command in COMMANDS.items():
        bare, taken = measure(command, runs)
        print(f"{name:<24} {taken * 1000:6.1f} ms, bare {bare * 1000:6.1f} ms, ratio {taken / bare:.2f}")


if __name__ == "__main__":
    main()
