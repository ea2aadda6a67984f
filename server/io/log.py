"""The server's log: for people on a terminal, or as JSON lines for programs.

What is logged are facts about connections and matches. Tokens, picks, codes and what players write never are.
"""

import json
import logging
import sys
import time
from datetime import UTC, datetime
from functools import lru_cache


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


def set_up(is_json: bool) -> None:
    """Send the server's log to standard error."""
    # What no line shows need not be found out for each.
    logging.logThreads = logging.logProcesses = logging.logMultiprocessing = False
    logging._srcfile = None
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if is_json else Human())
    logger = logging.getLogger("conquest")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.INFO)
    logger.propagate = False
