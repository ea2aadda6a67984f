"""What a mistake of our own leaves behind: a trace in a file, and one sentence that says where it is.

Nothing of it is written to the terminal, which belongs to the game. The file is readable by its owner alone
and is set aside when it gets long; where the usual folder cannot be written, a temporary file takes it.
"""

import logging
import os
import platform
import tempfile
import traceback
from pathlib import Path

from protocol.process.home import home
from protocol.version import VERSION

LOG = "conquest.log"
LOG_MAX = 1024 * 1024
SORRY = "Conquest made a mistake of its own and had to stop."


class Log(logging.Handler):
    """Writes what is logged to the end of a file, which is made when there is something to write."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        self.path: Path | None = None
        """Where the last record was written, if it was."""
        self._spare: Path | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record down; where that cannot be done at all, nobody is any wiser."""
        text = f"{self.format(record)}\n"
        try:
            self.path = _append(home() / LOG, text)
        except OSError:
            self.path = self._written_elsewhere(text)

    def _written_elsewhere(self, text: str) -> Path | None:
        try:
            if self._spare is None:
                descriptor, name = tempfile.mkstemp(prefix="conquest-", suffix=".log")
                os.close(descriptor)
                self._spare = Path(name)
            return _append(self._spare, text)
        except OSError:
            return None


_LOG = Log()


def log_to_file() -> None:
    """Write down what goes wrong in the background, ours and that of libraries."""
    logging.getLogger().handlers[:] = [_LOG]


def explain(fault: BaseException) -> str:
    """Write down a fault that ends the program; return the sentence for the player."""
    return noted(SORRY, "".join(traceback.format_exception(fault)))


def noted(sentence: str, trace: str) -> str:
    """Write down what went wrong; return the sentence for the player, with where to read about it."""
    about = f"conquest {VERSION}, Python {platform.python_version()}, {platform.platform()}"
    text = f"{sentence} {about}\n{trace.rstrip()}"
    _LOG.emit(logging.LogRecord("conquest", logging.ERROR, "", 0, text, None, None))
    if _LOG.path is None:
        return f"{sentence} The details could not be written down anywhere."
    return f"{sentence} The details are in {_LOG.path}"


def _append(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
    if path.stat().st_size > LOG_MAX:
        path.replace(path.with_suffix(".old.log"))
    return path
