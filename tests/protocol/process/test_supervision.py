"""Tasks and threads have an owner that notices their end, on plain and on eager loops."""

import asyncio
import sys
import threading

import pytest

from protocol.process import supervision


class Unforeseen(Exception):
    pass


async def fail():
    await asyncio.sleep(0)
    raise Unforeseen("nobody thought of this")


async def fail_at_once():
    raise Unforeseen("before the first await")


async def wait_for_ever():
    await asyncio.Event().wait()


@pytest.fixture(params=["plain", "eager"])
def loop_kind(request):
    """Textual turns eager tasks on, where the interpreter has them."""

    def arrange():
        if request.param == "eager" and sys.version_info >= (3, 12):
            asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)

    return arrange


@pytest.mark.parametrize("work", [fail, fail_at_once])
async def test_the_owner_of_a_task_is_told_of_its_failure(loop_kind, work):
    loop_kind()
    told = asyncio.get_running_loop().create_future()
    supervision.start(work(), "failing", told.set_result)
    assert isinstance(await told, Unforeseen)


async def test_a_task_that_is_stopped_is_no_fault(loop_kind):
    loop_kind()
    told = []
    task = supervision.start(wait_for_ever(), "waiting", told.append)
    await supervision.stop(task)
    assert task.cancelled()
    assert told == []


@pytest.mark.parametrize("work", [fail, fail_at_once])
async def test_a_block_does_not_outlive_what_runs_alongside_it(loop_kind, work):
    loop_kind()
    with pytest.raises(Unforeseen):
        async with supervision.alongside(work(), "failing"):
            await wait_for_ever()
    assert asyncio.current_task().cancelling() == 0


async def test_a_block_may_outlive_what_ends_in_order(loop_kind):
    loop_kind()
    async with supervision.alongside(asyncio.sleep(0), "short") as task:
        await asyncio.wait([task])
        await asyncio.sleep(0)
    assert not task.cancelled()


async def test_what_runs_alongside_ends_with_the_block(loop_kind):
    loop_kind()
    async with supervision.alongside(wait_for_ever(), "waiting") as task:
        await asyncio.sleep(0)
    assert task.cancelled()


async def test_an_exception_of_the_block_comes_out_as_it_is(loop_kind):
    loop_kind()
    with pytest.raises(Unforeseen) as caught:
        async with supervision.alongside(wait_for_ever(), "waiting"):
            await fail()
    assert str(caught.value) == "nobody thought of this"


async def test_a_block_that_is_cancelled_from_outside_stays_cancelled(loop_kind):
    loop_kind()

    async def block():
        async with supervision.alongside(wait_for_ever(), "waiting"):
            await wait_for_ever()

    task = asyncio.get_running_loop().create_task(block())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_the_owner_of_a_thread_is_told_of_its_failure():
    told, has_ended = [], threading.Event()

    def note(fault):
        told.append(fault)
        has_ended.set()

    def work():
        raise Unforeseen("in a thread")

    supervision.start_thread(work, "failing", note).join()
    assert has_ended.is_set()
    assert [str(fault) for fault in told] == ["in a thread"]


async def test_work_in_a_thread_gives_its_result_and_keeps_nobody_from_ending():
    thread = await supervision.in_thread(threading.current_thread, "working")
    assert thread is not threading.main_thread()
    assert thread.name == "working"
    assert thread.daemon


async def test_what_work_in_a_thread_raises_is_raised_where_it_is_awaited():
    def work():
        raise Unforeseen("in a thread")

    with pytest.raises(Unforeseen, match="in a thread"):
        await supervision.in_thread(work, "failing")


async def test_work_that_nobody_waits_for_any_more_may_fail():
    begun, may_end, ended = asyncio.Event(), threading.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def work():
        loop.call_soon_threadsafe(begun.set)
        may_end.wait()
        ended.set()
        raise Unforeseen("too late")

    waiting = supervision.start(supervision.in_thread(work, "slow"), "waiting", lambda fault: None)
    await begun.wait()
    await supervision.stop(waiting)
    may_end.set()
    await supervision.in_thread(ended.wait, "looking")
    assert waiting.cancelled()


async def test_what_a_thread_reports_comes_out_of_the_block_that_owns_it(loop_kind):
    loop_kind()

    def work():
        raise Unforeseen("in a thread")

    async def block():
        async with supervision.answerable() as on_fault:
            supervision.start_thread(work, "failing", on_fault)
            await wait_for_ever()

    with pytest.raises(Unforeseen, match="in a thread"):
        await block()


async def test_a_report_after_the_block_changes_nothing(loop_kind):
    loop_kind()
    async with supervision.answerable() as on_fault:
        pass
    on_fault(Unforeseen("too late"))
    await asyncio.sleep(0)
    assert asyncio.current_task().cancelling() == 0


async def test_a_guarded_callback_reports_and_does_not_raise():
    told = []

    def work(number):
        raise Unforeseen(str(number))

    supervision.guarded(work, told.append)(7)
    assert [str(fault) for fault in told] == ["7"]
