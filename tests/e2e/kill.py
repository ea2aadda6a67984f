"""Kills a real server again and again under live matches, and holds what everybody saw against the journal.

As many kills as are asked for: `python -m tests.e2e.kill --kills 500`. A kill comes after a random number of
frames, or from within, at a chosen point of a commit or a write. Always by SIGKILL.
"""

import argparse
import asyncio
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from protocol.client_frame import ClientFrame, Play, Request, Watch
from protocol.games import TITLES
from protocol.games.grid import Pick
from protocol.games.grid import View as GridView
from protocol.server_frame import ServerFrame, Shown
from tests.e2e.client import Lost, Player, RawMove, Sight, Where, is_cannot_save
from tests.e2e.ledger import account, opened
from tests.e2e.process import ROOMY, ServerProcess
from tests.e2e.rigged import POINTS
from tests.e2e.script import steady, wild

OUTSIDE = "outside"
"""The point of a kill that comes from another process, at any moment."""
FRAMES_AT_MOST = 600
VISITS_AT_MOST = 150
DEATH_S = 60.0

Key = tuple[str, int, int]
"""A move: the match's code, the seat, the request's id."""


class Trial:
    """A server that is killed, and what its players remember."""

    def __init__(
        self,
        home: Path,
        kills: int,
        seed: int,
        points: Sequence[str] = (OUTSIDE, *POINTS),
        rig: Mapping[str, str] | None = None,
        flags: Sequence[str] = ROOMY,
        module: str = "tests.e2e.rigged",
    ) -> None:
        self.random = random.Random(seed)
        self.server = ServerProcess(home, *flags, module=module)
        self.where: Where = self.server
        """Where the players find it."""
        self.up = asyncio.Event()
        self.is_over = False
        self.kills = Counter[str]()
        self.sent: dict[Key, RawMove] = {}
        self.acknowledged: dict[Key, RawMove] = {}
        self.memories: list[tuple[str, Sight]] = []
        self.resumed = 0
        self.journal = str(self.server.db)
        self.players: list[Survivor] = []
        self.pause_s = 0.0
        """For how long a player waits before trying again."""
        self._kills = kills
        self._points = points
        self._rig = rig or {}
        self._frames_left = 0
        self._enough = asyncio.Event()
        self._playing = 0
        self.all_done = asyncio.Event()
        """Set when all players have finished."""

    def frame_passed(self) -> None:
        """Count towards the next kill."""
        self._frames_left -= 1
        if self._frames_left <= 0:
            self._enough.set()

    async def run(self) -> None:
        """Let everybody play while the server dies, finish what is open, and check all of it."""
        try:
            async with asyncio.TaskGroup() as group:
                games = (*TITLES, "grid")
                self._playing = len(games)
                for number, game in enumerate(games):
                    group.create_task(self._pair(f"{game}{number}", game))
                group.create_task(self._reap())
            await self._stop()
        finally:
            await self.server.kill()
        self._check()

    async def _stop(self) -> None:
        assert await self.server.stop() == 0

    async def _reap(self) -> None:
        for _ in range(self._kills):
            point = self.random.choice(self._points)
            visit = self.random.randint(1, VISITS_AT_MOST)
            self.server.rig = {**self._rig, "RIG_DIE": f"{point}:{visit}"}
            await self.server.start()
            self._enough.clear()
            self._frames_left = self.random.randint(1, FRAMES_AT_MOST)
            self.up.set()
            if point == OUTSIDE:
                await self._enough.wait()
                await self.server.kill()
            else:
                await self.server.ended(DEATH_S)
            self.up.clear()
            self.kills[point] += 1
        self.server.rig = dict(self._rig)
        await self.server.start()
        self.is_over = True
        self.up.set()

    async def _pair(self, name: str, game: str) -> None:
        """Play pairs of matches at once, one after the other, until the trial is over."""
        await self.up.wait()
        first, second = Survivor(self, f"{name}a"), Survivor(self, f"{name}b")
        while not self.is_over:
            codes = [await first.create(game), await second.create(game)]
            await second.join(codes[0])
            await first.join(codes[1])
            watcher = Watcher(self, f"{name}w")
            choose = steady if game == "digit" else wild(self.random)
            await asyncio.gather(
                first.play_all(codes, choose), second.play_all(codes, choose), watcher.watch(codes[0])
            )
            for player in (first, second):
                self.memories += [(code, await player.leave(code)) for code in list(player.sights)]
        for player in (first, second):
            self.resumed += player.resumed
            player.cut()
        self._playing -= 1
        if not self._playing:
            self.all_done.set()

    def _check(self) -> None:
        assert self.memories
        assert self.acknowledged.items() <= self.sent.items()
        kept = Counter[Key]()
        with opened(self.journal) as journal:
            for code, sight in self.memories:
                account(journal, code).agrees_with(sight)
            for code in {code for code, _ in self.memories}:
                for body in account(journal, code).moves:
                    key = (code, body["seat"], body["id"])
                    kept[key] += 1
                    assert self.sent[key] == body["move"]
        assert set(kept.values()) == {1}, "a move was applied twice"
        assert self.acknowledged.keys() <= kept.keys(), "an acknowledged move was lost"


class Survivor(Player):
    """A player who comes back to a server that was killed, and never sees a secret."""

    def __init__(self, trial: Trial, name: str) -> None:
        super().__init__(trial.where, name)
        self._trial = trial
        self._picks: dict[str, RawMove] = {}
        trial.players.append(self)

    async def reachable(self) -> None:
        await asyncio.sleep(self._trial.pause_s)
        await self._trial.up.wait()

    def passed(self) -> None:
        super().passed()
        self._trial.frame_passed()

    def send(self, frame: ClientFrame) -> None:
        if isinstance(frame, Play):
            known = self._trial.sent.setdefault(self._key(frame), frame.move)
            assert known == frame.move
            if frame.move["kind"] == Pick.model_fields["kind"].default:
                self._picks[frame.match] = frame.move
        super().send(frame)

    async def receive(self) -> ServerFrame:
        frame = await super().receive()
        self.heard.clear()
        if isinstance(frame, Shown) and isinstance(frame.view, GridView):
            self._look_for_secrets(frame.match, frame.view)
        return frame

    def _look_for_secrets(self, code: str, view: GridView) -> None:
        """A pick that stands is one's own, and the one that was made, however often the server died."""
        seat = self.sights[code].seated.seat
        has_picked = view.challenge is not None and seat in view.challenge.picked
        assert view.pick == (self._picks[code]["number"] if has_picked else None)

    async def answer(self, request: Request) -> ServerFrame:
        frame = await super().answer(request)
        if isinstance(request, Play) and isinstance(frame, Shown):
            self._trial.acknowledged[self._key(request)] = request.move
        return frame

    async def insist(self, kind: type[Request], **fields: Any) -> Any:
        """Ask the same again, too, when the server could not save."""
        request = self.request(kind, **fields)
        while True:
            try:
                self.send(request)
                answer = await self.answer(request)
                if not is_cannot_save(answer):
                    return answer
                await asyncio.sleep(self._trial.pause_s)
            except Lost:
                await self.come_back()

    def _key(self, play: Play) -> Key:
        return play.match, self.sights[play.match].seated.seat, play.id


class Watcher(Survivor):
    """A spectator, whom the server need not remember when it dies."""

    async def watch(self, code: str) -> None:
        """Watch a match to its end, from its beginning after each kill, and see no pick."""
        while True:
            self.token = None
            self.sights.clear()
            try:
                await self.connect()
                if is_cannot_save(await self.ask(Watch, match=code)):
                    raise Lost
                await self.until(lambda: self.sights[code].ended)
            except Lost:
                await self.reachable()
            else:
                self._trial.memories.append((code, self.sights[code]))
                self.cut()
                return


def main() -> int:
    """Kill as often as asked, and say what was seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.kill", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    with tempfile.TemporaryDirectory() as home:

        async def trial() -> Trial:
            made = Trial(Path(home), given.kills, given.seed)
            await made.run()
            return made

        done = asyncio.run(trial())
    deaths = ", ".join(f"{count} {point.replace('_', ' ')}" for point, count in sorted(done.kills.items()))
    print(f"{done.kills.total()} kills ({deaths})")
    print(f"{len({code for code, _ in done.memories})} matches, {done.resumed} resumed connections")
    print(
        f"{len(done.sent)} moves sent, {len(done.acknowledged)} acknowledged: none lost, none applied twice"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
