"""The pause before a move that nobody has to think about."""

import asyncio
import random
import time

from client.local.autoplay import Pause
from protocol.limit import Limits
from server.core.rate import Bucket

NATURAL_S = (0.5, 1.2)
"""How long the computer seems to think, so that one can follow."""


def pause_before_moves(is_hasty: bool) -> Pause:
    """Make the pause before a move: none that could be helped, or a natural one."""
    return within_limits() if is_hasty else _natural


async def _natural() -> None:
    await asyncio.sleep(random.uniform(*NATURAL_S))


def within_limits() -> Pause:
    """Make a pause that is as short as servers allow: who sends too fast is disconnected."""
    limits = Limits()
    bucket = Bucket(limits.frames_per_s * 0.8, limits.frames_burst // 2, time.monotonic())

    async def pause() -> None:
        if not bucket.take(time.monotonic()):
            await asyncio.sleep(2 / limits.frames_per_s)
            bucket.take(time.monotonic())

    return pause
