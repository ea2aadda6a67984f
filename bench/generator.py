"""The load: many matches played at once from one process, against the server or a baseline.

It speaks in lines on standard input and output: it prints `ready` when all matches stand, plays a bounded
number of moves when told to `go`, prints its figures as JSON, and ends at the end of its input.
"""

import argparse
import asyncio
import json
import random
import ssl
import sys
import time
from collections import deque

import msgpack
import uvloop

from protocol.catalogue import TITLES

pack = msgpack.Packer().pack
BUFFER = memoryview(bytearray(256 * 1024))
PACE_S = 0.002

# How these look in MessagePack, so that a frame need not be unpacked to find them.
IS_SHOWN, NO_LEGAL, NO_RE = b"\xa4type\xa5shown", b"\xa5legal\x90", b"\xa2re\xc0"


def framed(body):
    return len(body).to_bytes(4, "big") + body


class Line(asyncio.BufferedProtocol):
    """One connection: cuts frames and hands them to its owner."""

    def __init__(self, on_frame):
        self.on_frame = on_frame
        self.held = b""

    def connection_made(self, transport):
        self.transport = transport

    def connection_lost(self, error):
        self.transport = None

    def get_buffer(self, sizehint):
        return BUFFER

    def buffer_updated(self, nbytes):
        data = self.held + bytes(BUFFER[:nbytes]) if self.held else bytes(BUFFER[:nbytes])
        at, size = 0, len(data)
        while size - at >= 4:
            end = at + 4 + int.from_bytes(data[at : at + 4], "big")
            if end > size:
                break
            self.on_frame(self, data[at + 4 : end])
            at = end
        self.held = data[at:]

    def send(self, frame):
        self.transport.write(framed(pack(frame)))


class Load:
    """What both kinds of load share: counting, pacing and latencies."""

    def __init__(self, options):
        self.options = options
        self.loop = asyncio.get_running_loop()
        self.left = 0
        self.done = 0
        self.latencies = []
        self.finished = asyncio.Event()
        self.ready = deque()
        self.random = random.Random(options.seed)

    async def connect(self, on_frame):
        context = None
        if self.options.tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        _, line = await self.loop.create_connection(
            lambda: Line(on_frame), "127.0.0.1", self.options.port, ssl=context
        )
        return line

    async def run(self, moves):
        self.left, self.done, self.latencies = moves, 0, []
        self.finished.clear()
        began = time.perf_counter()
        if self.options.rate:
            pacing = asyncio.create_task(self.pace(began))
            await self.finished.wait()
            pacing.cancel()
        else:
            for seat in list(self.ready):
                self.ready.remove(seat)
                self.move(seat)
            await self.finished.wait()
        took = time.perf_counter() - began
        ordered = sorted(self.latencies)
        at = [round(1000 * ordered[int(share * (len(ordered) - 1))], 3) for share in (0.5, 0.99, 0.999)]
        return {
            "moves": self.done,
            "seconds": round(took, 3),
            "p50_ms": at[0],
            "p99_ms": at[1],
            "p999_ms": at[2],
        }

    async def pace(self, began):
        sent = 0
        while True:
            await asyncio.sleep(PACE_S)
            due = int((time.perf_counter() - began) * self.options.rate) - sent
            while due > 0 and self.ready and self.left > 0:
                self.move(self.ready.popleft())
                sent, due = sent + 1, due - 1

    def is_free_to_move(self, seat):
        """Move now in an unpaced run; in a paced one, or between runs, wait for its time."""
        if self.options.rate or self.left <= 0:
            self.ready.append(seat)
            return False
        return True

    def count(self, sent_at):
        self.latencies.append(time.perf_counter() - sent_at)
        self.done += 1
        if self.left <= 0 and self.done >= self.asked:
            self.finished.set()

    asked = 0

    def start_move(self):
        self.left -= 1


class Seat:
    """One player of the product's."""

    def __init__(self, load, shared):
        self.load, self.shared, self.line = load, shared, None
        self.next_id, self.sent_at, self.shown, self.answered = 10, 0.0, None, None


class Product(Load):
    """Plays random legal moves of real games."""

    async def set_up(self):
        self.acknowledged = {}
        games = self.options.games.split(",")
        seats = []
        for number in range(self.options.matches):
            shared = {"game": games[number % len(games)], "match": None}
            pair = [Seat(self, shared), Seat(self, shared)]
            shared["pair"] = pair
            for name, seat in zip(("Ann", "Bob"), pair, strict=True):
                seat.welcomed = self.loop.create_future()
                seat.line = await self.connect(lambda _, body, seat=seat: self.on_frame(seat, body))
                seat.line.send({"type": "hello", "version": 1, "name": name})
                await seat.welcomed
            seats.append(pair)
        self.waiting = len(seats)
        self.all_set = asyncio.Event()
        for pair in seats:
            self.create(pair[0])
        if seats:
            await self.all_set.wait()

    def create(self, seat):
        seat.next_id += 1
        seat.line.send({"type": "create", "id": seat.next_id, "game": seat.shared["game"], "private": True})

    def on_frame(self, seat, body):
        if IS_SHOWN in body and NO_LEGAL in body:
            # Nothing to choose: looking for what was answered is enough, and keeps the generator ahead.
            if NO_RE not in body:
                self.acknowledge(seat)
            return
        frame = msgpack.unpackb(body)
        kind = frame["type"]
        if kind == "shown":
            seat.shown = frame
            if frame["re"] is not None:
                self.acknowledge(seat)
            if frame["legal"] and seat.answered != (frame["match"], frame["turn"]):
                # The second of two who choose at the same time is shown the question twice.
                seat.answered = (frame["match"], frame["turn"])
                if self.is_free_to_move(seat):
                    self.move(seat)
                if self.waiting:
                    self.waiting -= 1
                    if not self.waiting:
                        self.all_set.set()
        elif kind == "seated" and not frame["begun"]:
            partner = seat.shared["pair"][1]
            partner.next_id += 1
            partner.line.send({"type": "join", "id": partner.next_id, "match": frame["match"]})
        elif kind == "seated":
            seat.shared["match"], seat.shared["moves"] = frame["match"], 0
        elif kind == "ended":
            seat.next_id += 1
            seat.line.send({"type": "leave", "id": seat.next_id, "match": frame["match"]})
            if seat is seat.shared["pair"][0]:
                self.create(seat)
        elif kind == "welcome":
            seat.welcomed.set_result(None)
        elif kind not in ("left", "sighted"):
            raise SystemExit(f"unexpected: {frame}")

    def acknowledge(self, seat):
        shared = seat.shared
        shared["moves"] += 1
        self.acknowledged[shared["match"]] = shared["moves"]
        self.count(seat.sent_at)

    def move(self, seat):
        shown = seat.shown
        choice = self.random.choice(shown["legal"])
        move = {"kind": choice["kind"]}
        for name, values in choice["values"].items():
            move[name] = self.random.choice(values)
        seat.next_id += 1
        self.start_move()
        seat.sent_at = time.perf_counter()
        seat.line.send(
            {"type": "play", "id": seat.next_id, "match": shown["match"], "turn": shown["turn"], "move": move}
        )


class Idle(Load):
    """Connects players who do nothing."""

    async def set_up(self):
        self.acknowledged = {}
        self.lines = []
        for _ in range(2 * self.options.matches):
            welcomed = self.loop.create_future()
            line = await self.connect(lambda _, body, welcomed=welcomed: welcomed.set_result(body))
            line.send({"type": "hello", "version": 1, "name": "Ann"})
            await welcomed
            self.lines.append(line)


class Raw(Load):
    """Sends frames of a move's size through a baseline and waits for them to come back."""

    BODY = framed(
        pack({"type": "play", "id": 1234, "match": "7K3M9QXZ", "turn": 99, "move": {"kind": "attack"}})
    )

    async def set_up(self):
        self.acknowledged = {}
        for _ in range(self.options.matches):
            lines = [await self.connect(self.on_frame), await self.connect(self.on_frame)]
            for line, partner in zip(lines, reversed(lines), strict=True):
                line.partner, line.sent_at, line.is_mover = partner, 0.0, False
            self.ready.append(lines[0])
        self.both = self.options.kind == "relay"

    def on_frame(self, line, body):
        if line.is_mover:
            line.is_mover = False
            self.count(line.sent_at)
            if not self.both and self.is_free_to_move(line):
                self.move(line)
        elif self.is_free_to_move(line):
            self.move(line)

    def move(self, line):
        self.start_move()
        line.is_mover = True
        line.sent_at = time.perf_counter()
        line.transport.write(self.BODY)


async def main(options):
    load = {"product": Product, "idle": Idle}.get(options.kind, Raw)(options)
    await load.set_up()
    print("ready", flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        load.asked = int(line)
        print(json.dumps(await load.run(load.asked)), flush=True)
    print(json.dumps(load.acknowledged), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=("product", "idle", "relay", "echo"))
    parser.add_argument("port", type=int)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--games", default=",".join(TITLES))
    parser.add_argument("--rate", type=float, default=0, help="moves a second in all; 0: as fast as possible")
    parser.add_argument("--tls", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
    asyncio.run(main(parser.parse_args()))
