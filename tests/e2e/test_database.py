"""Live matches on PostgreSQL: whatever is troubled, nothing that was acknowledged is lost or made twice."""

import asyncio
from pathlib import Path

import pytest

from tests import postgres
from tests.e2e.client import paired
from tests.e2e.database import TROUBLES, DatabaseTrial
from tests.e2e.process import refused, run_to_end, serving
from tests.e2e.script import steady


@pytest.mark.parametrize("seed", range(2))
async def test_no_trouble_loses_or_repeats_a_move(
    tmp_path: Path, database: postgres.Database, seed: int
) -> None:
    troubles = list(TROUBLES)[seed::2]
    trial = DatabaseTrial(tmp_path, database.server, troubles, seed)
    await trial.run()
    assert sorted(trial.kills) == sorted(troubles)
    assert trial.woken == troubles.count("server asleep")
    assert len(trial.acknowledged) > 50


async def test_troubles_show_a_server_that_sends_before_it_saves(
    tmp_path: Path, database: postgres.Database
) -> None:
    """So the trials above do not go well by chance."""
    trial = DatabaseTrial(tmp_path, database.server, ["both killed"] * 3, seed=0, planted="early")
    with pytest.raises((ExceptionGroup, AssertionError)) as seen:
        await trial.run()
    failures = seen.value.exceptions if isinstance(seen.value, ExceptionGroup) else [seen.value]
    assert any(isinstance(failure, AssertionError) for failure in failures)


async def test_a_server_on_a_database_is_a_server_like_any_other(
    tmp_path: Path, database: postgres.Database
) -> None:
    flags = ("--journal", database.url)
    async with serving(tmp_path, *flags) as server:
        first, second, code = await paired(server, "grid")
        other = await refused(tmp_path / "other", *flags)
        assert other == f"conquest: Another server is using {database.url}.\n"
        assert await server.stop() == 0
        await server.start()
        assert server.restored == 1
        for player in (first, second):
            player.cut()
            await player.come_back()
        await asyncio.gather(first.play_out(code, steady), second.play_out(code, steady))
        status, output, _ = await run_to_end(tmp_path, *flags, f"--export={code}")
        assert status == 0
        assert code in output
    assert postgres.PASSWORD not in server.log.read_text()
