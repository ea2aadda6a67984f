"""A sixth game is new files and one line: it is played over TCP, simulated, and tested as the others are."""

import asyncio
import sys
from pathlib import Path

from protocol.catalogue import TITLES
from tests.e2e.line import ROOT, LineClient, holds_in_order
from tests.sixth import FILES, ID

MODULE = "tests.sixth"
CONQUEST = "client.command.main"
EVERY_GAME = (
    "tests/server/games/test_contract.py",
    "tests/client/core/games/test_renderer.py",
    "tests/client/core/test_step.py",
    "tests/client/tui/games/test_drawing.py",
    "tests/client/tui/test_board.py",
    "tests/simulation/test_world.py",
)
"""Tests that run over all games there are."""


async def said_by(*words: str) -> tuple[int | None, str]:
    """Run Python to its end, and return its exit code and what it printed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, *words, cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    return process.returncode, output.decode()


async def test_it_is_played_in_lines_by_two_processes_over_tcp(tmp_path: Path) -> None:
    where = ("--bind", "127.0.0.1", "--port", "0", "--first", "creator")
    ann = LineClient(tmp_path / "ann", CONQUEST, "host", ID, *where, "--name", "Ann")
    ann.module = MODULE
    try:
        await ann.start()
        bob = LineClient(tmp_path / "bob", CONQUEST, "join", await ann.link(), "--name", "Bob")
        bob.module = MODULE
        try:
            await bob.start()
            ann.type("3", "2")
            bob.type("9", "take 1", "1")
            bob.end_input()
            assert await bob.ended() == 0
        finally:
            await bob.close()
    finally:
        await ann.close()
    told = ["Welcome to Nim!", "Player 1 takes 3 sticks.", "Player 2 has the last stick and wins!"]
    for client in (ann, bob):
        holds_in_order(client.transcript, told)
    assert "Please take one to three sticks." in bob.transcript


async def test_the_tests_of_every_game_test_it_and_the_simulator_plays_it() -> None:
    pytest = ("-m", "pytest", "-q", "-p", "tests.sixth.plugin", "-p", "no:cacheprovider", "-k", ID)
    code, said = await said_by(*pytest, *EVERY_GAME)
    assert code == 0, said


async def test_its_rules_are_printed_with_the_others() -> None:
    code, said = await said_by("-m", MODULE, CONQUEST, "rules")
    assert code == 0
    assert [line.split()[0] for line in said.splitlines()[:6]] == [*TITLES, ID]


def test_the_page_for_contributors_lists_what_a_new_game_needs() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## A new game\n")[1].split("\n## ")[0]
    for place in FILES:
        assert f"`{place}`" in page
        for game in TITLES:
            assert (ROOT / place.replace(ID, game)).exists()
