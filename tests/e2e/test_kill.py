"""Fifty kills of a real server under live matches: nothing acknowledged is lost, nothing is done twice."""

import signal
from pathlib import Path

import pytest

from tests.e2e.kill import Trial
from tests.e2e.process import ServerProcess
from tests.e2e.rigged import BEFORE_COMMIT, BEFORE_SCHEMA

KILLS = 10
"""In each of five tests, which different workers can run."""


@pytest.mark.parametrize("seed", range(5))
async def test_a_killed_server_loses_nothing_and_repeats_nothing(tmp_path: Path, seed: int) -> None:
    trial = Trial(tmp_path, KILLS, seed)
    await trial.run()
    assert trial.kills.total() == KILLS
    assert trial.resumed >= KILLS
    assert len(trial.acknowledged) > 100


async def test_kills_amid_commits_show_a_server_that_sends_before_it_saves(tmp_path: Path) -> None:
    """So the fifty kills above do not go well by chance."""
    trial = Trial(tmp_path, 3, seed=0, points=(BEFORE_COMMIT,), rig={"RIG_BROKEN_ORDER": "1"})
    with pytest.raises((ExceptionGroup, AssertionError)) as seen:
        await trial.run()
    failures = seen.value.exceptions if isinstance(seen.value, ExceptionGroup) else [seen.value]
    assert any(isinstance(failure, AssertionError) for failure in failures)


async def test_a_kill_while_the_journal_is_made_leaves_one_that_can_be_used(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path, module="tests.e2e.rigged", rig={"RIG_DIE": f"{BEFORE_SCHEMA}:1"})
    try:
        await server.launch()
        assert await server.ended() == -signal.SIGKILL
        server.rig = {}
        await server.start()
        assert await server.stop() == 0
    finally:
        await server.kill()
