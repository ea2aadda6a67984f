"""Two people at one keyboard, from the first question to the rematch, at a real server."""

import asyncio
from pathlib import Path

import pytest

from client.core.command import CALLOFF_QUESTION, NO_SECRET_HINT, NOT_APART
from client.core.failure import CouldNot
from client.flow.errand import carry_out
from client.flow.two import QUIT_QUESTION
from client.flow.wanted import PlayTwo, Terms
from client.net.history import History
from protocol.catalogue import TITLES
from tests.client.people import LOOPBACK, PROMPT, Player
from tests.client.scripted import ScriptedTerminal

FIRST = Terms(first="creator", hints=True)
PICK = "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: "


@pytest.fixture
def at_terminal(ann: Player, tmp_path: Path) -> Player:
    return Player("Ann", tmp_path / "terminal", is_terminal=True)


def playing(ann: Player, game: str = "conquer", terms: Terms = FIRST) -> asyncio.Task[None]:
    return asyncio.create_task(carry_out(ann.person, PlayTwo(game, "Bob", terms, LOOPBACK)))


async def through(ann: ScriptedTerminal, *typed: tuple[str, str]) -> None:
    """Wait for each prompt and answer it."""
    for prompt, answer in typed:
        await ann.until(prompt)
        await ann.type(answer)


async def challenged(ann: Player) -> None:
    """Come to the first secret number, which Ann owes."""
    action, cell = "Enter your action: ", "cells: 1): "
    await through(ann, (action, "claim 5"), (action, "claim 1"), (action, "challenge"), (cell, "1"))


@pytest.mark.parametrize("game", TITLES)
async def test_each_game_begins_with_the_one_who_is_player_1_and_ends_by_resigning(
    ann: Player, game: str
) -> None:
    task = playing(ann, game, Terms(first="guest"))
    text = await ann.until("Enter ")
    assert "Player 1 is Bob, Player 2 is Ann.\n" in text
    await ann.type("/resign", "/quit")
    assert "Bob resigned. Ann wins!" in await ann.until("Score: Ann 1, Bob 0.")
    await task


async def test_after_a_rematch_the_seats_are_swapped_and_the_score_goes_on(ann: Player) -> None:
    task = playing(ann)
    await through(ann, *((PROMPT, each) for each in "47352"))
    await ann.until("Score: Ann 1, Bob 0.")
    await ann.type("/rematch")
    text = await ann.until(PROMPT)
    assert "Player 1 is Bob, Player 2 is Ann.\n" in text
    assert "Score: Ann 1, Bob 0." in text
    assert "offer" not in text
    ann.hang_up()
    with pytest.raises(CouldNot, match="The input ended before the game did"):
        await task


async def test_what_cannot_be_undone_is_asked_once_and_of_whom_it_is_about(at_terminal: Player) -> None:
    ann = at_terminal
    task = playing(ann)
    await through(ann, (PROMPT, "4"), (PROMPT, "/resign"))
    await through(ann, ("Bob: Resign the match? (y/n) ", "n"), (PROMPT, "/calloff"))
    await through(ann, (f"{CALLOFF_QUESTION} (y/n) ", "y"))
    text = await ann.until("> ")
    assert "Both players agreed to call the match off." in text
    assert "offer" not in text
    await ann.type("/quit")
    await task


async def test_leaving_ends_the_match_for_both_so_it_is_asked(at_terminal: Player) -> None:
    ann = at_terminal
    task = playing(ann)
    await through(ann, (PROMPT, "/quit"), (f"{QUIT_QUESTION} (y/n) ", "y"))
    await task


async def test_what_is_for_players_apart_is_refused_and_not_listed(ann: Player) -> None:
    task = playing(ann)
    await ann.until(PROMPT)
    for name in ("accept", "chat hi", "claim", "decline"):
        await ann.type(f"/{name}")
        await ann.until(NOT_APART)
    await ann.type("/help", "/board")
    text = await ann.until("Territories")
    assert "/resign" in text
    assert "/chat" not in text
    ann.hang_up()
    with pytest.raises(CouldNot):
        await task


async def test_a_secret_number_is_asked_of_one_after_the_other_and_no_hint_given(
    at_terminal: Player,
) -> None:
    ann = at_terminal
    task = playing(ann, "grid")
    await challenged(ann)
    text = await ann.until(PICK)
    assert "Bob, look away. Ann, what you type now is not shown." in text
    assert ann.hidden[-1]
    await ann.type("/hint")
    await ann.until(NO_SECRET_HINT)
    await ann.until(PICK)
    await ann.type("4")
    text = await ann.until(PICK)
    assert "Waiting for Player 2 to select their challenge number..." in text
    assert "Ann, look away. Bob, what you type now is not shown." in text
    # Between the two nothing that is typed could be seen.
    assert ann.hidden == [True]
    await ann.type("3")
    text = await ann.until("Enter your action: ")
    assert "- Your number: 4\n- Opponent's number: 3\nYou win the challenge and now control cell 1." in text
    assert ann.hidden == [True, False]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_the_clock_runs_for_the_one_who_is_asked(ann: Player) -> None:
    task = playing(ann, terms=Terms(first="creator", clock_s=600))
    await through(ann, (PROMPT, "4"), (PROMPT, "/clock"))
    assert "Bob has 10 minutes." in await ann.until("minutes.\n")
    ann.hang_up()
    with pytest.raises(CouldNot):
        await task


async def test_a_finished_match_is_saved_and_looked_at_again(ann: Player, tmp_path: Path) -> None:
    task = playing(ann)
    await through(ann, *((PROMPT, each) for each in "47352"))
    await ann.type(f"/save {tmp_path / 'match.jsonl'}", "/review", "/quit")
    await ann.until("Nobody made a mistake.")
    assert (tmp_path / "match.jsonl").exists()
    # It is in the history of the one whose machine this is, too.
    (played,) = History(ann.store).matches()
    assert (played.opponent, played.result) == ("Bob", "won")
    await task
