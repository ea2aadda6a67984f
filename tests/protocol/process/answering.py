"""A process that answers as it is told to, for `test_child.py`."""

import os
import signal
import sys
from typing import Any

from protocol.process.child import Tell, answer


def work(question: tuple[Any, ...], tell: Tell) -> object:
    """Do what the first word of the question says."""
    match question:
        case ("add", first, second):
            tell(0.5)
            return first + second
        case ("print", text):
            print(text, flush=True)
            return text
        case ("echo", text):
            return text
        case ("raise",):
            return 1 / 0
        case ("kill",):
            os.kill(os.getpid(), signal.SIGKILL)
        case ("close",):
            os._exit(0)
        case ("babble",):
            os.write(1, b"this is no pickle")
            os._exit(0)
        case ("wait",):
            tell(float(os.getpid()))
            signal.pause()
    sys.exit(f"{question} is not known")


if __name__ == "__main__":
    answer(work)
