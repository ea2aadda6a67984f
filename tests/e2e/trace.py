"""Reads what a rigged server noted, and finds what it sent before it had saved what that shows."""

import json
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from protocol.codec import Splitter, decode_server
from protocol.server_frame import Ended, Seated, ServerFrame, Shown, Told
from server.core.entry import Entry
from server.core.match import rebuild
from server.io.sqlite import SqliteJournal


@dataclass
class Finding:
    """How many frames were held against the journal, and which of them left too early."""

    checked: int
    early: list[ServerFrame]


def examine(trace: Path, journal: SqliteJournal) -> Finding:
    """Check that each frame left after the commit that holds everything it shows."""
    lines = [json.loads(line) for line in trace.read_text().splitlines()]
    commits = [line for line in lines if line["what"] == "commit"]
    assert all((line["synchronous"], line["mode"]) == (2, "wal") for line in commits), (
        "not every commit syncs"
    )
    needs: dict[str, Needs] = {}
    finding = Finding(0, [])
    for at, frame in sent(line for line in lines if line["what"] == "write"):
        if not isinstance(frame, Seated | Shown | Told | Ended):
            continue
        if frame.match not in needs:
            needs[frame.match] = Needs(journal, frame.match)
        place = bisect_left([line["through"] for line in commits], needs[frame.match].of(frame))
        finding.checked += 1
        if place == len(commits) or commits[place]["at"] > at:
            finding.early.append(frame)
    return finding


def sent(writes: Iterator[dict[str, Any]]) -> Iterator[tuple[int, ServerFrame]]:
    """List all frames with the moment at which their first byte left."""
    splitters: dict[int, Splitter] = defaultdict(Splitter)
    began: dict[int, int] = {}
    for line in writes:
        splitter, at = splitters[line["peer"]], line["at"]
        for body in splitter.feed(bytes.fromhex(line["data"])):
            yield began.pop(line["peer"], at), decode_server(body)
        if splitter.is_amid_frame():
            began.setdefault(line["peer"], at)


class Needs:
    """Which entry of a match must be durable before a frame about it may leave."""

    def __init__(self, journal: SqliteJournal, code: str) -> None:
        entries = journal.history(code)
        self._numbers = _numbers(journal, entries)
        matches = [rebuild(entries[: n + 1]) for n in range(len(entries))]
        self._events = [len(match.events) for match in matches]
        self._end = next((n for n, match in enumerate(matches) if match.outcome is not None), -1)

    def of(self, frame: Seated | Shown | Told | Ended) -> int:
        """Return the number of the last entry that the frame shows."""
        if isinstance(frame, Seated):
            return self._numbers[1 if frame.begun else 0]
        if isinstance(frame, Ended):
            return self._numbers[self._end]
        # The entry that brought the last event which the frame shows.
        return self._numbers[bisect_left(self._events, frame.first_event + len(frame.events))]


def _numbers(journal: SqliteJournal, entries: list[Entry]) -> list[int]:
    rows = journal._connection.execute(
        "SELECT seq FROM entry WHERE stream = ? ORDER BY place", (entries[0].stream,)
    )
    return [seq for (seq,) in rows]
