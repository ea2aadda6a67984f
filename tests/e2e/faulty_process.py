"""The process of hints and reviews, which fails: see `tests/e2e/faulty_client.py`."""

import os
import signal

from protocol.process.child import Tell, answer
from tests.e2e.faulty import Unforeseen


def fail(question: object, tell: Tell) -> object:
    """End as `FAULT` says."""
    if os.environ["FAULT"] == "a hint's process, killed":
        os.kill(os.getpid(), signal.SIGKILL)
    raise Unforeseen("nobody thought of this")


if __name__ == "__main__":
    answer(fail)
