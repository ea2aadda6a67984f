"""A game with the computer."""

import asyncio
from pathlib import Path

import pytest

from client.core.failure import CouldNot
from client.flow.play import play
from client.flow.wanted import PlayHere, Terms
from protocol.catalogue import TITLES
from tests.client.people import LOOPBACK, PROMPT, TERMS, Player


@pytest.mark.parametrize("game", TITLES)
async def test_the_computer_plays_every_game(ann: Player, game: str) -> None:
    wanted = PlayHere(game, "easy", Terms(first="guest", private=True), LOOPBACK, is_hasty=True)
    task = asyncio.create_task(play(ann.person, wanted))
    await ann.until("You are Player 2.")
    text = await ann.until(": ")
    assert "Computer" not in text
    await ann.type("/resign")
    assert "Computer wins!" in await ann.until("> ")
    await ann.type("/rematch")
    await ann.until("You are Player 1.")
    ann.hang_up()
    with pytest.raises(CouldNot, match=r"^The input ended before the game did\.$"):
        await task
    assert "The game with the computer ends here.\n" in ann.take()


async def test_the_computer_agrees_to_call_a_match_off(ann: Player) -> None:
    task = asyncio.create_task(
        play(ann.person, PlayHere("conquer", "perfect", TERMS, LOOPBACK, is_hasty=True))
    )
    await ann.until(PROMPT)
    await ann.type("/calloff")
    await ann.until("Both players agreed to call the match off.")
    await ann.type("/quit")
    await task


async def test_the_computer_takes_its_time_at_a_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.local.pause.NATURAL_S", (0.0, 0.0))
    ann = Player("Ann", tmp_path)
    task = asyncio.create_task(
        play(ann.person, PlayHere("conquer", "perfect", TERMS, LOOPBACK, is_hasty=False))
    )
    await ann.until(PROMPT)
    await ann.type("4")
    await ann.until(PROMPT)
    await ann.type("/resign", "/quit")
    await task
