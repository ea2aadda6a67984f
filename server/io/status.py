"""Counts for those who run a server: in a file, or on ports of this machine, as JSON and for Prometheus."""

import asyncio
import json
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from protocol.process.supervision import guarded, start
from server.core.kernel import Kernel
from server.io import metrics
from server.io.journal import Journal

FILE_EVERY_S = 5.0

log = logging.getLogger("conquest.server")


def counts(kernel: Kernel, journal: Journal, up_s: float) -> dict[str, Any]:
    """Gather the numbers."""
    world = kernel.world
    times = sorted(journal.commit_times)
    matches = world.matches.values()
    return {
        "up_s": round(up_s, 1),
        "connections": len(world.connections),
        "sessions": len(world.sessions),
        "matches_waiting": sum(1 for match in matches if match.seats is None),
        "matches_running": sum(1 for match in matches if match.is_running()),
        "matches_finished": sum(1 for match in matches if match.outcome is not None),
        "matches_frozen": sum(1 for match in matches if match.is_frozen),
        "spectators": sum(len(match.spectators) for match in matches),
        "is_saving": world.is_saving,
        "commits": journal.commits,
        "commit_ms": {
            "median": _milliseconds(times, 0.5),
            "p99": _milliseconds(times, 0.99),
            "longest": _milliseconds(times, 1.0),
        },
        "since_start": dict(sorted(world.counts.items())),
    }


def _milliseconds(times: list[float], share: float) -> float | None:
    if not times:
        return None
    return round(1000 * times[min(len(times) - 1, int(share * len(times)))], 3)


class Status:
    """Gives the counts to anybody who asks on a local port, or keeps a file up to date."""

    def __init__(self, kernel: Kernel, journal: Journal) -> None:
        self._kernel = kernel
        self._journal = journal
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()
        self._listeners: list[asyncio.Server] = []
        self._writer: asyncio.TimerHandle | None = None
        self._answering: set[asyncio.Task[object]] = set()

    async def start(self, where: str) -> None:
        """Listen on a port of this machine, or write to a file every few seconds. Raises OSError."""
        if where.isdecimal():
            await self._listen(int(where), "application/json", self._text)
        else:
            self._write(Path(where))
            self._writer = self._loop.call_later(FILE_EVERY_S, self._keep_written, Path(where))

    async def start_metrics(self, port: int) -> None:
        """Listen on another port, for Prometheus. Raises OSError."""
        await self._listen(port, metrics.CONTENT_TYPE, lambda: metrics.to_text(self._counts()))

    async def _listen(self, port: int, content_type: str, text: Callable[[], str]) -> None:
        answer = partial(self._asked, content_type, text)
        self._listeners.append(await asyncio.start_server(answer, "127.0.0.1", port))

    def stop(self) -> None:
        """Answer no more."""
        for listener in self._listeners:
            listener.close()
        if self._writer is not None:
            self._writer.cancel()

    def _counts(self) -> dict[str, Any]:
        return counts(self._kernel, self._journal, self._loop.time() - self._began)

    def _text(self) -> str:
        return json.dumps(self._counts(), indent=2) + "\n"

    def _asked(
        self,
        content_type: str,
        text: Callable[[], str],
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        """Answer in a task of its own; keep it, or it might be collected before it has answered."""
        task = start(_answer(content_type, text, reader, writer), "counts", self._could_not_count)
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)
        task.add_done_callback(lambda _: writer.close())

    def _could_not_count(self, fault: BaseException) -> None:
        """Leave it at that: nobody's match needs the counts."""
        log.error("A fault of ours while counting.", exc_info=fault)

    def _keep_written(self, path: Path) -> None:
        guarded(self._write_if_possible, self._could_not_count)(path)
        self._writer = self._loop.call_later(FILE_EVERY_S, self._keep_written, path)

    def _write_if_possible(self, path: Path) -> None:
        try:
            self._write(path)
        except OSError as error:
            # A full disk is when people look at the counts; they are to be right again once there is room.
            log.warning("The counts cannot be written to %s: %s.", path, error.strerror)

    def _write(self, path: Path) -> None:
        draft = path.with_name(path.name + ".new")
        draft.write_text(self._text())
        draft.replace(path)


async def _answer(
    content_type: str, text: Callable[[], str], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer any request with the counts, as HTTP so that any tool can read them."""
    body = text().encode()
    head = f"HTTP/1.0 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    try:
        await asyncio.wait_for(reader.read(4096), 1.0)
        writer.write_eof()
    except (OSError, TimeoutError):
        pass
