"""What the computer opponents cost and how well they play: `python -m bench.bots`.

    python -m bench.bots              sizes of tables, time to load them, first moves in a fresh process
    python -m bench.bots levels [N]   each level against the one below, about N matches a pair, as a table
    python -m bench.bots digit [N]    how near to exact Digit Conquest is, over N positions

Times also stand as rounds of the calibration loop of `bench.rules`, so that figures from different machines
can be compared.
"""

import json
import random
import subprocess
import sys
import time
from importlib.resources import files
from itertools import pairwise
from statistics import mean, median

from bench.rules import calibrate
from client.bots import LEVELS, Computer, advise, digit
from client.bots.arena import compete
from client.bots.packed import load
from server.games import GAMES

WORTH = {"conquer": 4, "grid": 2, "duel": 0.2}
"""How many matches a game is worth, if not one: the shorter and the closer they are, the more."""
VARIANTS = [(game.id, game.agree({}), WORTH.get(game.id, 1)) for game in GAMES.values()]
VARIANTS += [("grid", {"size": "6"}, 1), ("digit", {"draw": "choose"}, 0.05)]
"""What is measured: every game as it is by default, and what differs most from that."""
RUNS = 5


class Middle:
    """Chance that always answers the middle."""

    def below(self, n):
        return n // 2


def timed(work):
    """Return how many milliseconds something takes."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def first_move(game_id, options):
    """Return the time of a first and of a second look at the first move, in this process."""
    game = GAMES[game_id]
    state, _ = game.setup(game.agree(options), Middle())
    view, choices = game.view(state, 1), game.legal_moves(state, 1)
    return [timed(lambda: advise(view, choices, options)) for _ in range(2)]


def first_move_in_a_fresh_process(game_id, options):
    """Return the median times of several processes that have thought of nothing before."""
    command = [sys.executable, "-m", "bench.bots", "first", game_id, json.dumps(options)]
    runs = [json.loads(subprocess.check_output(command)) for _ in range(RUNS)]
    return [median(times) for times in zip(*runs, strict=True)]


def costs():
    rounds_per_ms = max(calibrate() for _ in range(RUNS)) / 1000
    print(f"calibration: {rounds_per_ms:.0f} rounds a millisecond\n")
    print("table        bytes   load ms   rounds")
    total = 0
    for entry in sorted(files("client.bots").joinpath("tables").iterdir(), key=lambda entry: entry.name):
        size = len(entry.read_bytes())
        total += size
        name = entry.name.removesuffix(".bin")
        took = median(timed(lambda name=name: load(name)) for _ in range(RUNS))
        print(f"{name:<10} {size:>7} {took:>9.2f} {took * rounds_per_ms:>8,.0f}")
    print(f"{'together':<10} {total:>7}\n")
    print("first move                 cold ms   rounds   warm ms")
    for game_id, options, _ in VARIANTS:
        cold, warm = first_move_in_a_fresh_process(game_id, options)
        print(f"{label(game_id, options):<24} {cold:>9.2f} {cold * rounds_per_ms:>8,.0f} {warm:>9.2f}")


def label(game_id, options):
    return " ".join([game_id, *(f"{key}={value}" for key, value in options.items())])


def maker(level):
    return lambda chance, options: Computer(level, chance, options)


def levels(matches):
    pairs = list(pairwise(LEVELS))
    print("| game | matches a pair | " + " | ".join(f"{b} against {a}" for a, b in pairs) + " |")
    print("|---|---|" + "---|" * len(pairs))
    for game_id, options, weight in VARIANTS:
        cells = [label(game_id, options), str(round(matches * weight))]
        for worse, better in pairs:
            randbelow = random.Random(f"{game_id} {options} {worse}").randrange
            tally = compete(
                game_id, options, (maker(better), maker(worse)), round(matches * weight), randbelow
            )
            low, high = tally.interval()
            cells.append(f"{tally.score:.1%} ({low:.1%} to {high:.1%})")
        print("| " + " | ".join(cells).replace("%", " %") + " |", flush=True)


def positions(count):
    """Give positions of matches between good players in which there is something to decide."""
    game, chance = GAMES["digit"], random.Random(1)
    options = game.agree({})
    found = []
    while len(found) < count:
        state, _ = game.setup(options, Seeded(chance))
        while game.to_act(state):
            seat = state.turn
            choices = game.legal_moves(state, seat)
            if len(choices) == 2 and chance.random() < 0.05:
                found.append(state)
            level = "perfect" if chance.random() < 0.8 else "easy"
            move = Computer(level, Seeded(chance)).choose(game.view(state, seat), choices)
            state, _ = game.apply(state, seat, move, Seeded(chance))
    return found[:count]


class Seeded:
    """Chance from a generator."""

    def __init__(self, generator):
        self.below = generator.randrange


def nearness(count):
    """Compare the look-ahead that is played with one twice as deep."""
    differences, losses = [], []
    for state in positions(count):
        mine, theirs = state.scores[state.turn - 1], state.scores[2 - state.turn]
        afters = digit.uses(digit.Position(mine, theirs, state.deck), state.drawn)
        played = [digit.expect(after) for after in afters]
        deeper = [1.0 if after.theirs == 50 else -digit.expected(after, 4) for after in afters]
        differences += [abs(a - b) for a, b in zip(played, deeper, strict=True)]
        losses.append(max(deeper) - deeper[played.index(max(played))])
    wrong = sum(loss > 0 for loss in losses)
    print(f"values: {mean(differences):.4f} off on average, {max(differences):.4f} at most")
    print(f"moves: {wrong} of {count} differ; {mean(losses):.6f} lost on average, {max(losses):.4f} at most")


def main(arguments):
    match arguments:
        case []:
            costs()
        case ["first", game_id, options]:
            print(json.dumps(first_move(game_id, json.loads(options))))
        case ["levels", *rest]:
            levels(int(rest[0]) if rest else 1000)
        case ["digit", *rest]:
            nearness(int(rest[0]) if rest else 300)
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
