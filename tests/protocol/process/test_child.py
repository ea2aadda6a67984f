"""A process that works something out: one question, how far it is, one answer, and an end in any case."""

import asyncio
import os

import pytest

from protocol.process.child import Died, ask
from tests.protocol.process import answering

MODULE = answering.__name__


def ignore(share: float) -> None:
    pass


async def test_a_question_is_answered_and_progress_is_told_on_the_way() -> None:
    shares: list[float] = []
    assert await ask(MODULE, ("add", 2, 3), shares.append) == 5
    assert shares == [0.5]


async def test_what_is_printed_does_not_come_between() -> None:
    assert await ask(MODULE, ("print", "gibberish"), ignore) == "gibberish"


async def test_a_large_question_and_a_large_answer_pass() -> None:
    assert await ask(MODULE, ("echo", "x" * 1_000_000), ignore) == "x" * 1_000_000


@pytest.mark.parametrize(
    ("how", "trace"),
    [
        ("raise", "ZeroDivisionError"),
        ("kill", "code -9"),
        ("close", "code 0"),
        ("babble", "The process ended"),
    ],
)
async def test_a_process_that_does_not_answer_leaves_what_is_known(how: str, trace: str) -> None:
    with pytest.raises(Died, match=trace):
        await ask(MODULE, (how,), ignore)


async def test_to_be_cancelled_is_to_end_the_process() -> None:
    pids: asyncio.Queue[float] = asyncio.Queue()
    asked = asyncio.create_task(ask(MODULE, ("wait",), pids.put_nowait))
    pid = int(await pids.get())
    os.kill(pid, 0)
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
