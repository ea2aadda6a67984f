"""What has come in: in order, never refused, and with a word when it is too much."""

import asyncio

from client.net.inbox import MOST, Inbox
from tests.client.scripted import settle


async def test_there_is_room_until_too_much_waits_and_again_when_some_of_it_is_taken() -> None:
    inbox: Inbox[int] = Inbox()
    for number in range(MOST):
        await inbox.room()
        inbox.put_nowait(number)
    waiting = asyncio.create_task(inbox.room())
    await settle()
    assert not waiting.done()
    # A key is taken in all the same.
    inbox.put_nowait(MOST)
    assert [await inbox.get() for _ in range(2)] == [0, 1]
    await waiting
