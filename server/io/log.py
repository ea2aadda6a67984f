"""The server's log: for people on a terminal, or as JSON lines for programs.

What is logged are facts about connections and matches. Tokens, picks, codes and what players write never are.
Nobody fills a disk with lines: of each kind only some are written in a minute, and the others counted.
"""

import contextlib
import json
import logging
import math
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import TextIO

MOST = 20
"""Lines of one kind in a minute."""
WITHIN_S = 60.0


@dataclass(slots=True)
class Kind:
    """Lines that say the same of different connections or matches."""

    since: float
    seen: int = 0
    last: logging.LogRecord | None = None
    """The latest of those that were not written."""


class Human(logging.Formatter):
    """One readable line for each event."""

    def format(self, record: logging.LogRecord) -> str:
        facts = " ".join(f"{key}={value}" for key, value in getattr(record, "facts", {}).items())
        stamp = _time_of_day(int(record.created))
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return f"{stamp} {record.getMessage()}{' ' if facts else ''}{facts}{trace}"


@lru_cache(maxsize=1)
def _time_of_day(second: int) -> str:
    """Write down a second; on a busy server many lines share one."""
    return time.strftime("%H:%M:%S", time.localtime(second))


class JsonLines(logging.Formatter):
    """One JSON object for each event."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class Counting(logging.StreamHandler[TextIO]):
    """Writes so many lines of a kind, and then how many more there were until the minute is over."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._kinds: dict[object, Kind] = {}

    def emit(self, record: logging.LogRecord) -> None:
        facts = getattr(record, "facts", {})
        kind = self._kinds.setdefault((record.msg, facts.get("code")), Kind(record.created))
        if record.created >= kind.since + WITHIN_S:
            self._finish(kind)
            kind.since, kind.seen = record.created, 0
        kind.seen += 1
        if kind.seen <= MOST:
            super().emit(record)
        else:
            kind.last = record

    def finish(self, now: float) -> None:
        """Tell how many more there were of the kinds whose minute is over by now."""
        with self.lock or contextlib.nullcontext():
            for name in [name for name, kind in self._kinds.items() if now >= kind.since + WITHIN_S]:
                self._finish(self._kinds.pop(name))

    def _finish(self, kind: Kind) -> None:
        last, kind.last = kind.last, None
        if last is not None:
            facts = getattr(last, "facts", {})
            more = {"code": facts["code"]} if "code" in facts else {}
            vars(last).update(facts={**more, "more": kind.seen - MOST}, exc_info=None)
            super().emit(last)

    def close(self) -> None:
        self.finish(math.inf)
        super().close()


def finish_minute(now: float) -> None:
    """Let every log that counts say what it has counted, where a minute is over."""
    for handler in logging.getLogger("conquest").handlers:
        if isinstance(handler, Counting):
            handler.finish(now)


class Discreet(logging.Filter):
    """Leaves out where people are."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.facts = {key: value for key, value in getattr(record, "facts", {}).items() if key != "address"}
        return True


def set_up(is_json: bool, shows_addresses: bool = True) -> None:
    """Send the server's log to standard error."""
    # What no line shows need not be found out for each.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None
    handler = Counting(sys.stderr)
    handler.setFormatter(JsonLines() if is_json else Human())
    if not shows_addresses:
        handler.addFilter(Discreet())
    logger = logging.getLogger("conquest")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
