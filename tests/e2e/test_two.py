"""Two people at one keyboard: the books' sample games as one transcript, and secrets that are never on it.

The program is a real process at a real terminal, of which every byte is recorded, or between pipes.
"""

import re
from itertools import zip_longest
from pathlib import Path

import pytest

from client.flow.name import OTHER_NAME_QUESTION
from tests.e2e.line import LineClient, holds_in_order, line_client
from tests.e2e.test_line_books import (
    ACTIONS,
    CONQUER,
    DIGIT,
    DUEL,
    DUEL_READ,
    GALAXY,
    GRID,
    PLANETS,
    Sample,
    added,
    attacks,
    claim,
    conquered,
    turn,
)

FLAGS = ("--two", "--first", "creator", "--name", "Ann")


def seat_turn(seat: int, planet: int) -> list[str]:
    return [f"Player {seat}'s Turn:", *attacks((planet, planet)), conquered(seat, planet)]


def claims(seat: int, territory: int, *available: int) -> list[str]:
    return [f"Player {seat}'s turn.", *claim(territory, *available)]


def cell_claimed(seat: int, cell: int, *available: int) -> list[str]:
    cells = ", ".join(map(str, available))
    return [
        f"It's your turn, Player {seat}.",
        ACTIONS,
        "Enter your action: claim",
        f"Enter the cell number you wish to claim (available cells: {cells}): {cell}",
        f"You have claimed cell {cell}.",
    ]


def select(*available: int) -> str:
    """The question for a secret number, with nothing behind it."""
    return f"Select a challenge number from your available numbers [{', '.join(map(str, available))}]: "


ONE_TRANSCRIPT = {
    "galaxy": [
        "Welcome to Galaxy Conquest!",
        "Planets:",
        PLANETS,
        "Player 1 Ships Available: 1, 2, 3, 4, 5, 6, 7",
        "Player 2 Ships Available: 1, 2, 3, 4, 5, 6, 7",
        *seat_turn(1, 7),
        *seat_turn(2, 6),
        *seat_turn(1, 5),
        "Player 2's Turn:",
        # Turn 4 of the playthrough: planet 5 is taken, so the planet is asked for again.
        "Enter the planet number to attack: 5",
        *attacks((4, 4)),
        conquered(2, 4),
        *seat_turn(1, 3),
        *seat_turn(2, 2),
        *seat_turn(1, 1),
        "Player 1 wins the game by conquering four planets!",
    ],
    "conquer": [
        *claims(1, 4, 1, 2, 3, 4, 5, 6, 7),
        *claims(2, 7, 1, 2, 3, 5, 6, 7),
        *claims(1, 3, 1, 2, 3, 5, 6),
        *claims(2, 5, 1, 2, 5, 6),
        *claims(1, 2, 1, 2, 6),
        "Player 1 has claimed territories 2, 3, 4.",
        "Player 1 wins!",
    ],
    "grid": [
        *cell_claimed(1, 5, 1, 2, 3, 4, 5, 6, 7, 8, 9),
        *cell_claimed(2, 1, 1, 2, 3, 4, 6, 7, 8, 9),
        "It's your turn, Player 1.",
        ACTIONS,
        "Enter your action: challenge",
        "Enter the cell number you wish to challenge (opponent's cells: 1): 1",
        select(1, 2, 3, 4, 5),
        "Waiting for Player 2 to select their challenge number...",
        select(1, 2, 3, 4, 5),
        "Challenge results:",
        "- Your number: 4",
        "- Opponent's number: 3",
        "You win the challenge and now control cell 1.",
        *cell_claimed(2, 2, 2, 3, 4, 6, 7, 8, 9),
        "Enter the cell number you wish to challenge (opponent's cells: 2): 2",
        select(1, 2, 3, 5),
        "Error: Number 4 has already been used. Please select a valid number.",
        select(1, 2, 3, 5),
        "Waiting for Player 2 to select their challenge number...",
        select(1, 2, 4, 5),
        "- Your number: 1",
        "- Opponent's number: 5",
        "Player 1 controls cells: 1, 4, 5, 6, 8 (5 cells).",
        "Player 2 controls cells: 2, 3, 7, 9 (4 cells).",
        "All cells are claimed.",
        "Player 1 wins!",
    ],
    "digit": [
        "Welcome to Digit Conquest!",
        "Player 1 and Player 2 start with 0 points.",
        *turn(1, 7, 1, added(7), (7, 0)),
        *turn(2, 5, 1, added(5), (7, 5)),
        *turn(1, 8, 1, added(8), (15, 5)),
        *turn(2, 9, 2, "You subtracted 9 from Player 1's score.", (6, 5)),
        *turn(1, 6, 1, added(6), (12, 5)),
        *turn(2, 3, 1, added(3), (12, 8)),
        *turn(1, 3, 1, added(3), None),
        "Congratulations! You reached exactly 50 points.",
        "Player 1 wins the game!",
    ],
    "duel": DUEL_READ,
}
"""What the books show, in order, on the one screen that both players look at."""

TYPED = {
    # By turns: the answers of each of a player's turns together.
    "galaxy": [["7", "7"], ["6", "6"], ["5", "5"], ["5", "4", "4"], ["3", "3"], ["2", "2"], ["1", "1"]],
    "conquer": [["4"], ["7"], ["3"], ["5"], ["2"]],
    "grid": [
        *(["claim", "5"], ["claim", "1"], ["challenge", "1", "4", "3"], ["claim", "2"]),
        *(["challenge", "2", "4", "1", "5"], ["claim", "3"], ["claim", "4"], ["claim", "7"], ["claim", "8"]),
        *(["claim", "9"], ["claim", "6"]),
    ],
    "digit": [
        [digit, action]
        for first, second in zip_longest(
            zip(*[iter(DIGIT.typed[0])] * 2, strict=True), zip(*[iter(DIGIT.typed[1])] * 2, strict=True)
        )
        for digit, action in filter(None, (first, second))
    ],
    "duel": [[action] for pair in zip(*DUEL.typed, strict=True) for action in pair],
}
SAMPLES = [GALAXY, CONQUER, GRID, DIGIT, DUEL]


def answers(game: str) -> list[str]:
    return [answer for turn in TYPED[game] for answer in turn]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.game)
async def test_a_sample_game_is_one_transcript_between_pipes(sample: Sample, tmp_path: Path) -> None:
    async with line_client(tmp_path, "play", sample.game, *FLAGS, *sample.flags) as client:
        client.type(*answers(sample.game))
        client.end_input()
        assert await client.ended() == 0
        assert client.errors == ""
        holds_in_order(client.transcript, ONE_TRANSCRIPT[sample.game])


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.game)
async def test_a_sample_game_is_one_transcript_at_a_terminal(sample: Sample, tmp_path: Path) -> None:
    async with line_client(tmp_path, "play", sample.game, *FLAGS, *sample.flags, is_terminal=True) as client:
        await introduced(client)
        await client.answer(*answers(sample.game))
        await client.until("/quit leaves.\n")
        client.type("/quit")
        assert await client.ended() == 0
        holds_in_order(client.transcript, ONE_TRANSCRIPT[sample.game])


async def introduced(client: LineClient) -> None:
    """Say who the other player is."""
    await client.until(f"{OTHER_NAME_QUESTION} (Enter for Guest): ")
    client.type("Bob")


UP = "\x1b[A"


async def recorded(home: Path, secrets: tuple[str, ...], term: str) -> str:
    """Play up to both secret numbers and record all that the terminal was sent before they are shown."""
    async with line_client(home, "play", "grid", *FLAGS, is_terminal=True, term=term) as client:
        await introduced(client)
        await client.answer("claim", "5", "claim", "1", "challenge", "1", *secrets)
        await client.until("Challenge results:")
        await client.until("Enter your action: ")
        if term != "dumb":
            # What was typed before comes back, but no secret.
            client.press(UP)
            await client.until("1")
            client.press(UP)
            await client.until("challenge")
        shown, _, _ = client.transcript.partition("Challenge results:")
        return re.sub(r"match \w{4}-\w{4}", "match", shown)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
async def test_a_recording_of_the_terminal_is_the_same_whatever_the_secrets_are(
    tmp_path: Path, term: str
) -> None:
    """Not a byte that the terminal is sent before the reveal depends on them; their length is none either."""
    secrets = [("4", "3"), ("5", "1"), (" 5 ", "2"), ("pick 3", "1")]
    recordings = {await recorded(tmp_path / str(at), typed, term) for at, typed in enumerate(secrets)}
    assert len(recordings) == 1
    assert recordings.pop().count(select(1, 2, 3, 4, 5) + "\n") == 2
