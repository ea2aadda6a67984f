"""How fast the rules are: random games of each kind, with legal moves and both players' views.

`python -m bench.rules` prints a plain table. Machines differ and are noisy, so every figure also
stands as a ratio to a calibration loop that ran just before it: moves for each thousand of its rounds.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from statistics import median
from time import perf_counter

from protocol.choice import Move
from protocol.games import parse_move
from server.games import GAMES
from server.games.chance import Drawn
from server.games.game import AnyGame

CALIBRATION_ROUNDS = 30_000
CHUNKS = 15
AIM_MOVES_PER_S = 20_000


@dataclass(frozen=True)
class Chunk:
    """What one short stretch of play came to."""

    games_per_s: float
    moves_per_s: float
    moves_per_thousand_rounds: float


@cache
def move_of(game: str, kind: str, **fields: int) -> Move:
    """Make a move once; parsing is the protocol's work, not the rules'."""
    move = parse_move(game, {"kind": kind, **fields})
    if move is None:
        raise ValueError(f"{game} offered a move that is none: {kind} {fields}")
    return move


def play(game: AnyGame, options: dict[str, str], random: Random) -> int:
    """Play one random game; return how many moves it took."""
    chance = Drawn(random.randrange)
    state, _ = game.setup(options, chance)
    moves = 0
    while seats := game.to_act(state):
        seat = min(seats)
        choice = random.choice(game.legal_moves(state, seat))
        fields = {name: random.choice(values) for name, values in choice.values.items()}
        state, _ = game.apply(state, seat, move_of(game.id, choice.kind, **fields), chance)
        game.view(state, 1)
        game.view(state, 2)
        moves += 1
    return moves


def calibrate() -> float:
    """Run a fixed loop of small tuples, as the rules make them; return its rounds a second."""
    began = perf_counter()
    row: tuple[int, ...] = (0,) * 7
    for number in range(CALIBRATION_ROUNDS):
        place = number % 7
        row = (*row[:place], number & 3, *row[place + 1 :])
    return CALIBRATION_ROUNDS / (perf_counter() - began)


def measure(run: Callable[[], int], seconds: float) -> Chunk:
    """Play games for some seconds, straight after a calibration."""
    rounds_per_s = calibrate()
    games = moves = 0
    began = perf_counter()
    while (took := perf_counter() - began) < seconds or not games:
        moves += run()
        games += 1
    return Chunk(games / took, moves / took, 1000 * moves / took / rounds_per_s)


def row(label: str, chunks: list[Chunk]) -> str:
    """Write the fastest chunk's figures, because noise only slows down, and the median ratio."""
    fastest = max(chunks, key=lambda chunk: chunk.moves_per_s)
    ratio = median(chunk.moves_per_thousand_rounds for chunk in chunks)
    note = "" if fastest.moves_per_s >= AIM_MOVES_PER_S else f"  below the aim of {AIM_MOVES_PER_S:,}"
    return f"{label:<20} {fastest.games_per_s:>9,.0f} {fastest.moves_per_s:>9,.0f} {ratio:>22.1f}{note}"


def main() -> None:
    """Measure every game with its default options, and with the last value of each option."""
    parser = argparse.ArgumentParser(description="Measure how fast the rules are.")
    parser.add_argument("--seconds", type=float, default=3.0, help="how long to play each game (default 3)")
    seconds = parser.parse_args().seconds
    print(f"{'game':<20} {'games/s':>9} {'moves/s':>9} {'moves per 1000 rounds':>22}")
    for game in GAMES.values():
        for chosen in [{}, *({name: option.allowed[-1]} for name, option in game.options.items())]:
            options = game.agree(chosen)
            run = partial(play, game, options, Random(1))
            label = " ".join([game.id, *(f"{name}={value}" for name, value in options.items())])
            print(row(label, [measure(run, seconds / CHUNKS) for _ in range(CHUNKS)]))


if __name__ == "__main__":
    main()
