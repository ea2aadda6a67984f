"""`python -m bench.load`: how the server compares with baselines that do nothing, as ratios of one run.

Server and generator run in processes of their own, pinned to a core each. Each repeat starts baseline and
product afresh, in alternating order; what is printed are medians of the paired ratios. Afterwards the journal
is compared with what was acknowledged, so that a fast but lossy server cannot pass.

`compare` measures moves: random play of Command Line Conquer lasts 200 of them. `mixed` plays all games, most
of which are over after six to ten moves, and so measures opening and closing matches as well. `database` sets
a journal in PostgreSQL on this machine against one in a file; PostgreSQL's own CPU time is not counted.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

from protocol.catalogue import TITLES
from server.core.entry import MOVED
from server.io.opening import open_journal
from tests import postgres

SERVER_CORE, GENERATOR_CORE = 0, 1
TICKS = os.sysconf("SC_CLK_TCK")
UNLIMITED = ("--connections=5000", "--connections-per-address=5000", "--connections-unwelcomed=5000")
FAST = (
    *("--frames-per-s=1000000", "--frames-burst=1000000", "--creates-per-address=10000000"),
    *("--matches=10000", "--matches-per-address=5000"),
    "--journal-per-address=2000000000",
)


def pinned(core):
    cores = sorted(os.sched_getaffinity(0))
    return {"preexec_fn": lambda: os.sched_setaffinity(0, {cores[core % len(cores)]})}


@contextmanager
def serving(kind, home, *flags):
    """Run a server of a kind in a process of its own; give the process and its port."""
    if kind == "product":
        command = [
            sys.executable,
            "-m",
            "server",
            "--bind=127.0.0.1",
            "--port=0",
            *UNLIMITED,
            *FAST,
            *flags,
        ]
    else:
        command = [sys.executable, "-m", "bench.baseline", kind]
    environment = {**os.environ, "CONQUEST_HOME": str(home)}
    with (
        (home / "log").open("w") as log,
        subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, **pinned(SERVER_CORE)
        ) as process,
    ):
        try:
            yield process, int(process.stdout.readline().rpartition(":")[2])
        finally:
            process.terminate()
            process.wait()


@contextmanager
def generating(kind, port, *flags):
    """Run a generator; give a function that has it play so many moves, and one that ends it."""
    command = [sys.executable, "-m", "bench.generator", kind, str(port), *flags]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes, **pinned(GENERATOR_CORE)) as process:
        if process.stdout.readline() != "ready\n":
            raise SystemExit(f"the generator for {kind} did not get ready")

        def play(moves):
            print(moves, file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())

        def finish():
            process.stdin.close()
            return json.loads(process.stdout.readline())

        yield play, finish


def cpu_s(pid):
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident(pid):
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def lost_moves(name, acknowledged):
    """Count the acknowledged moves that the journal does not have."""
    journal = open_journal(name)
    lost = 0
    for code, count in acknowledged.items():
        kept = sum(1 for entry in journal.history(code) if entry.kind == MOVED)
        lost += max(0, count - kept)
    journal.close()
    return lost


def measure(kind, options, rate=0, journal=None):
    """Play a warm-up and a measured run against a fresh server."""
    flags = ["--matches", str(options.matches), "--games", options.games, "--rate", str(rate)]
    moves = options.moves if not rate else int(rate * options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        name = journal or str(home / "conquest.db")
        with (
            serving(kind, home, f"--journal={name}") as (server, port),
            generating(kind, port, *flags) as (play, finish),
        ):
            play(max(1000, moves // 10))
            before = cpu_s(server.pid)
            figures = play(moves)
            figures["cpu_us"] = 1e6 * (cpu_s(server.pid) - before) / figures["moves"]
            figures["moves_per_s"] = figures["moves"] / figures["seconds"]
            acknowledged = finish()
        if kind == "product":
            figures["lost"] = lost_moves(name, acknowledged)
    return figures


def compare(options):
    """Print the paired ratios of product and relay."""
    print(f"{options.matches} matches at once of {options.games}", flush=True)
    pairs = []
    for repeat in range(options.repeats):
        order = ("relay", "product") if repeat % 2 == 0 else ("product", "relay")
        figures = {kind: measure(kind, options) for kind in order}
        pairs.append((figures["relay"], figures["product"]))
        print_pair(repeat, *pairs[-1])
    cpu = [relay["cpu_us"] / product["cpu_us"] for relay, product in pairs]
    rate = [product["moves_per_s"] / relay["moves_per_s"] for relay, product in pairs]
    print(f"share of the raw relay, by server CPU a move: {statistics.median(cpu):.3f}")
    print(f"share of the raw relay, by moves a second:    {statistics.median(rate):.3f}")
    print(f"server CPU a move: {statistics.median(p['cpu_us'] for _, p in pairs):.1f} us")
    print(f"acknowledged moves that the journal lacks: {sum(p['lost'] for _, p in pairs)}")


def print_pair(repeat, relay, product):
    print(
        f"repeat {repeat + 1}: relay {relay['cpu_us']:.1f} us CPU a move, {relay['moves_per_s']:.0f} moves/s;"
        f" product {product['cpu_us']:.1f} us, {product['moves_per_s']:.0f} moves/s,"
        f" p99 {product['p99_ms']:.1f} ms, lost {product['lost']}",
        flush=True,
    )


def database(options):
    """Print the paired ratios of a journal in PostgreSQL and one in a file."""
    if postgres.why_not():
        print(postgres.why_not())
        return
    os.environ["PGPASSWORD"] = postgres.PASSWORD
    server = postgres.Postgres()
    try:
        server.start()
        pairs = [compared(options, server, repeat) for repeat in range(options.repeats)]
    finally:
        server.remove()
    for key, about in (("cpu_us", "server CPU a move"), ("moves_per_s", "moves a second")):
        ratio = statistics.median(there[key] / here[key] for here, there in pairs)
        print(f"a journal in PostgreSQL against one in a file, by {about}: {ratio:.2f}")
    print(f"acknowledged moves that a journal lacks: {sum(f['lost'] for pair in pairs for f in pair)}")


def compared(options, server, repeat):
    """Measure a file and a database, in alternating order; return the figures of both in this one."""
    places = [None, postgres.Database(server).url]
    order = places if repeat % 2 == 0 else places[::-1]
    figures = {place: measure("product", options, journal=place) for place in order}
    here, there = (figures[place] for place in places)
    print(
        f"repeat {repeat + 1}: file {here['cpu_us']:.1f} us CPU a move, {here['moves_per_s']:.0f} moves/s,"
        f" lost {here['lost']}; PostgreSQL {there['cpu_us']:.1f} us, {there['moves_per_s']:.0f} moves/s,"
        f" p99 {there['p99_ms']:.1f} ms, lost {there['lost']}",
        flush=True,
    )
    return here, there


def paced(options):
    """Print latencies at a steady rate."""
    figures = [measure("product", options, options.rate) for _ in range(options.repeats)]
    for key in ("p50_ms", "p99_ms", "p999_ms"):
        print(f"at {options.rate:.0f} moves/s, {key}: {statistics.median(f[key] for f in figures):.2f}")
    print(f"achieved: {statistics.median(f['moves_per_s'] for f in figures):.0f} moves/s")
    print(f"acknowledged moves that the journal lacks: {sum(f['lost'] for f in figures)}")


def grown(options, kind, server_flags=(), generator_flags=(), moves_each=0):
    """Measure how much memory the server gains from a few matches' worth of players to many."""
    few, sizes = 50, []
    for matches in (few, options.matches):
        with (
            tempfile.TemporaryDirectory() as folder,
            serving("product", Path(folder), *server_flags) as (server, port),
            generating(kind, port, "--matches", str(matches), *generator_flags) as (play, finish),
        ):
            if moves_each:
                play(matches * moves_each)
            sizes.append(resident(server.pid))
            finish()
    return (sizes[1] - sizes[0]) / (options.matches - few) / 1024


def memory(options):
    """Print what an idle connection and a match in play cost."""
    plain = grown(options, "idle") / 2
    print(f"an idle plain connection: {plain:.1f} KiB")
    print(f"an idle TLS connection: {grown(options, 'idle', ['--tls'], ['--tls']) / 2:.1f} KiB")
    in_play = grown(options, "product", (), ["--games", options.games], moves_each=20) - 2 * plain
    print(f"a match in play, without its connections: {in_play:.1f} KiB")


ALL_GAMES = ",".join(TITLES)
RUNS = {
    "compare": (compare, "duel"),
    "database": (database, "duel"),
    "mixed": (compare, ALL_GAMES),
    "paced": (paced, ALL_GAMES),
    "memory": (memory, ALL_GAMES),
}


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", nargs="?", choices=("all", *RUNS), default="all")
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--games", help="which games to play, instead of what each measurement plays")
    parser.add_argument("--moves", type=int, default=100_000)
    parser.add_argument("--rate", type=float, default=2000)
    parser.add_argument("--seconds", type=float, default=10, help="length of a paced run")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    for name, (run, games) in RUNS.items():
        if options.what in ("all", name):
            run(argparse.Namespace(**{**vars(options), "games": options.games or games}))


if __name__ == "__main__":
    main()
