"""`python -m bench.soak --minutes M`: a server process under everyday churn, and what it costs over time.

People come, play all games at a person's hurry, chat, lose the connection and come back, watch, play again,
and go. Printed are memory over time, descriptors, threads, the time until a move is acknowledged, and the
journal's size. At the end the journal is held against every acknowledged move.
"""

import argparse
import asyncio
import contextlib
import json
import random
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import msgpack

from protocol.client_frame import Chat, Play, Rematch, Resign, Watch
from protocol.games import TITLES
from protocol.refusal import RefusalCode
from protocol.server_frame import Refused, Seated, Shown
from server.core.entry import MOVED
from tests.e2e.client import Lost, Player
from tests.e2e.process import ROOMY, ServerProcess
from tests.fuzz.over_sockets import resident

WARM_UP = 1 / 3
"""The part of a run before which memory is not judged."""
SAMPLES = 120
SETTLED = ("--session-idle-s=30", "--finished-kept-s=30")
"""So that what is remembered of people and matches that are gone has a level which a short run can reach."""
MOST_MOVES = 60
"""After so many moves somebody loses patience and resigns."""


class Visitor(Player):
    """A player whose moves are timed and written down, who loses the connection now and then."""

    def __init__(self, soak, name):
        super().__init__(soak.server, name)
        self.soak = soak
        self.hurry = random.Random(f"{soak.seed} {name}")

    async def receive(self):
        frame = await super().receive()
        self.heard.clear()
        return frame

    async def move(self, code, move):
        """Make a move; take its time unless the connection was lost on the way."""
        shown, soak = self.sights[code].shown, self.soak
        request = self.request(Play, match=code, turn=shown.turn, move=move)
        is_calm, began = True, time.perf_counter()
        if self.hurry.random() < soak.options.drops:
            is_calm = False
            self.drop_amid(request)
        while True:
            try:
                if self.wire is not None:
                    self.send(request)
                answer = await self.answer(request)
                break
            except Lost:
                is_calm = False
                await self.come_back()
        if isinstance(answer, Refused) and answer.code is RefusalCode.MATCH_OVER:
            # The opponent has just resigned; that news is on its way.
            return
        assert isinstance(answer, Shown), answer
        if is_calm:
            soak.latencies.append(time.perf_counter() - began)
        soak.acknowledged.setdefault(code, set()).add((self.sights[code].seated.seat, request.id))

    def drop_amid(self, request):
        """Lose the connection before the move is sent, or right after."""
        if self.hurry.random() < 0.5:
            self.send(request)
        self.cut()
        self.soak.counts["drops"] += 1


class Soak:
    """A server process, those who use it, and what is measured."""

    def __init__(self, options, home):
        self.options = options
        self.seed = options.seed
        self.random = random.Random(options.seed)
        flags = () if options.defaults else SETTLED
        self.status = home / "status.json"
        self.server = ServerProcess(home, *ROOMY, *flags, f"--status={self.status}")
        self.counts = Counter()
        self.latencies = []
        self.acknowledged = {}
        self.samples = []
        self.is_over = False
        self.people = 0

    def newcomer(self):
        self.people += 1
        return Visitor(self, f"P{self.people}")

    async def run(self):
        """Soak for as long as asked, let everybody finish, and stop the server."""
        await self.server.start()
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(self.options.pairs):
                    group.create_task(self.keep_playing())
                watching = group.create_task(self.measure())
                await asyncio.sleep(60 * self.options.minutes)
                self.is_over = True
                await watching
            code = await self.server.stop()
            assert code == 0, f"the server ended with {code}"
        finally:
            await self.server.kill()

    async def think(self):
        pace_s = self.options.pairs / self.options.rate
        await asyncio.sleep(self.random.expovariate(1 / pace_s))

    async def keep_playing(self):
        """Have two people play one match after another; sometimes others take their place."""
        await asyncio.sleep(self.random.random())
        pair = [self.newcomer(), self.newcomer()]
        for player in pair:
            await player.connect()
        while not self.is_over:
            first, second = pair
            code = await first.create(self.random.choice(list(TITLES)))
            await second.join(code)
            await self.play(pair, code)
            while not self.is_over and self.random.random() < 0.3:
                code = await self.rematch(pair, code)
                await self.play(pair, code)
            for player in pair:
                for old in list(player.sights):
                    await player.leave(old)
            if self.random.random() < 0.3:
                for player in pair:
                    player.cut()
                pair = [self.newcomer(), self.newcomer()]
                for player in pair:
                    await player.connect()
        for player in pair:
            player.cut()

    async def rematch(self, pair, code):
        first, second = pair
        await first.insist(Rematch, match=code)
        answer = await second.insist(Rematch, match=code)
        self.counts["rematches"] += 1
        if not isinstance(answer, Seated):
            # The answer was lost with a connection; the new match is there all the same.
            while len(second.sights) < 2:
                await second.hear()
        new = next(each for each, sight in second.sights.items() if sight.seated.previous == code)
        while new not in first.sights:
            await first.hear()
        for player in pair:
            await player.leave(code)
        return new

    async def play(self, pair, code):
        """Have a match played to its end, perhaps before somebody's eyes."""
        self.counts["matches"] += 1
        parts = [self.part(player, code) for player in pair]
        if self.random.random() < 0.3:
            parts.append(self.watch(code))
        await asyncio.gather(*parts)

    async def part(self, player, code):
        """Play one player's part in a match."""
        sight, made = player.sights[code], 0
        while not sight.ended:
            if not sight.moves():
                await player.hear()
                continue
            await self.think()
            made += 1
            if made > MOST_MOVES:
                await player.insist(Resign, match=code)
                continue
            await player.move(code, self.random.choice(sight.moves()))
            if self.random.random() < 0.05:
                await player.insist(Chat, match=code, text="Well played.")
                self.counts["chats"] += 1

    async def watch(self, code):
        """Watch a match, to its end or until the watcher has seen enough."""
        watcher = self.newcomer()
        self.counts["spectators"] += 1
        try:
            await watcher.connect()
            if isinstance(await watcher.ask(Watch, match=code), Seated):
                for _ in range(self.random.randrange(1, 60)):
                    if watcher.sights[code].ended:
                        break
                    await watcher.receive()
        except Lost:
            pass
        watcher.cut()

    async def measure(self):
        """Look at the process again and again."""
        began, every_s = time.perf_counter(), 60 * self.options.minutes / SAMPLES
        while not self.is_over:
            await asyncio.sleep(every_s)
            self.samples.append(
                {
                    "minute": (time.perf_counter() - began) / 60,
                    "kib": resident(self.server.pid) / 1024,
                    "matches": self.counts["matches"],
                    **looked_at(self.server.pid),
                    **remembered(self.status),
                }
            )


def looked_at(pid):
    """Count a process's descriptors and threads."""
    process = Path(f"/proc/{pid}")
    return {
        "descriptors": len(list((process / "fd").iterdir())),
        "threads": len(list((process / "task").iterdir())),
    }


def remembered(status):
    """Tell how many players and matches the server keeps in memory, by its own counts."""
    found = json.loads(status.read_text())
    kept = sum(found[key] for key in ("matches_waiting", "matches_running", "matches_finished"))
    return {"sessions": found["sessions"], "kept": kept, "connections": found["connections"]}


def slope(points):
    """Fit a line through points and return how steep it is."""
    count = len(points)
    mean_x, mean_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - mean_x) ** 2 for x, _ in points) or 1.0
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread


def held_against_journal(soak):
    """Count acknowledged moves that the journal lacks, and moves that it holds twice."""
    codes, kept = {}, Counter()
    with contextlib.closing(sqlite3.connect(soak.server.db)) as journal:
        for stream, kind, code, body in journal.execute(
            "SELECT stream, kind, code, body FROM entry ORDER BY seq"
        ):
            codes.setdefault(stream, code)
            if kind == MOVED:
                move = msgpack.unpackb(body)
                kept[codes[stream], move["seat"], move["id"]] += 1
    acknowledged = {(code, *move) for code, moves in soak.acknowledged.items() for move in moves}
    return len(acknowledged - kept.keys()), kept.total() - len(kept), kept.total()


def report(soak):
    """Print the figures; return whether nothing was lost."""
    warm = [each for each in soak.samples if each["minute"] >= soak.options.minutes * WARM_UP]
    ordered = sorted(soak.latencies)
    p50, p99, p999 = (1000 * ordered[int(share * (len(ordered) - 1))] for share in (0.5, 0.99, 0.999))
    a_minute = slope([(each["minute"], each["kib"]) for each in warm])
    a_thousand = 1000 * slope([(each["matches"], each["kib"]) for each in warm])
    files = [soak.server.db, soak.server.db.with_name(f"{soak.server.db.name}-wal")]
    size = sum(file.stat().st_size for file in files if file.exists())
    lost, doubled, moves = held_against_journal(soak)
    counts = ", ".join(f"{count} {what}" for what, count in sorted(soak.counts.items()))
    print(f"{soak.options.minutes:g} minutes, {soak.options.pairs} pairs, {soak.people} people: {counts}")
    for key in ("sessions", "kept", "connections", "descriptors", "threads"):
        values = [each[key] for each in warm]
        print(f"{key}: {min(values)} to {max(values)}, at the end {values[-1]}")
    print(
        f"memory: {warm[0]['kib'] / 1024:.1f} MiB after warm-up, {warm[-1]['kib'] / 1024:.1f} at the end;"
        f" {a_minute:+.1f} KiB a minute, {a_thousand:+.1f} KiB for 1,000 matches"
    )
    sixths = [warm[int(part * (len(warm) - 1) / 6)]["kib"] / 1024 for part in range(7)]
    print("memory from warm-up to end:", ", ".join(f"{each:.1f}" for each in sixths), "MiB")
    print(f"acknowledged: p50 {p50:.2f} ms, p99 {p99:.2f} ms, p99.9 {p999:.2f} ms, of {len(ordered)} moves")
    print(f"journal: {size / 2**20:.1f} MiB, {size / max(1, moves):.0f} bytes a move")
    print(f"acknowledged moves that the journal lacks: {lost}; moves made twice: {doubled}")
    return lost == doubled == 0


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--pairs", type=int, default=40, help="pairs of players, and matches at once")
    parser.add_argument("--rate", type=float, default=200.0, help="moves a second, about, of all pairs")
    parser.add_argument("--drops", type=float, default=0.02, help="share of moves whose connection is cut")
    parser.add_argument(
        "--defaults", action="store_true", help="forget players who have gone as late as usual"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        soak = Soak(options, Path(home))
        asyncio.run(soak.run())
        return 0 if report(soak) else 1


if __name__ == "__main__":
    sys.exit(main())
