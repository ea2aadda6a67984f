"""The books' sample games between two line clients and a real server, through pipes and terminals.

What is asserted are the books' own lines, as each of the two players reads them.
"""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.e2e.line import LineClient, holds_in_order, line_client
from tests.e2e.process import serving


@dataclass(frozen=True)
class Sample:
    """A sample game: what both players type, and what they read."""

    game: str
    typed: tuple[list[str], list[str]]
    read: tuple[list[str], list[str]]
    flags: list[str] = field(default_factory=list)


PLANETS = "  ".join(f"[{number}] Unconquered" for number in range(1, 8))


def attacks(*turns: tuple[int, int]) -> list[str]:
    """What the player whose attacks these are reads of them."""
    return [
        line
        for planet, ship in turns
        for line in (
            f"Enter the planet number to attack: {planet}",
            f"Enter the ship number to deploy: {ship}",
        )
    ]


def conquered(seat: int, planet: int) -> str:
    return f"Attack successful! Planet {planet} is now conquered by Player {seat}."


GALAXY = Sample(
    "galaxy",
    typed=(
        ["7", "7", "5", "5", "3", "3", "1", "1"],
        ["6", "6", "5", "4", "4", "2", "2"],
    ),
    read=(
        [
            "Welcome to Galaxy Conquest!",
            "Planets:",
            PLANETS,
            "Player 1 Ships Available: 1, 2, 3, 4, 5, 6, 7",
            "Player 2 Ships Available: 1, 2, 3, 4, 5, 6, 7",
            "Player 1's Turn:",
            *attacks((7, 7)),
            conquered(1, 7),
            "Player 2's Turn:",
            conquered(2, 6),
            "Player 1's Turn:",
            *attacks((5, 5)),
            conquered(1, 5),
            conquered(2, 4),
            *attacks((3, 3)),
            conquered(1, 3),
            conquered(2, 2),
            *attacks((1, 1)),
            conquered(1, 1),
            "Player 1 wins the game by conquering four planets!",
        ],
        [
            "Player 1's Turn:",
            conquered(1, 7),
            "Player 2's Turn:",
            *attacks((6, 6)),
            conquered(2, 6),
            conquered(1, 5),
            # Turn 4 of the playthrough: planet 5 is taken, so the planet is asked for again.
            "Enter the planet number to attack: 5",
            *attacks((4, 4)),
            conquered(2, 4),
            *attacks((2, 2)),
            "Player 1 wins the game by conquering four planets!",
        ],
    ),
)


def claim(territory: int, *available: int) -> list[str]:
    return [
        f"Available territories: {', '.join(map(str, available))}",
        f"Enter the territory number to claim: {territory}",
    ]


CONQUER = Sample(
    "conquer",
    typed=(["4", "3", "2"], ["7", "5"]),
    read=(
        [
            "Player 1's turn.",
            *claim(4, 1, 2, 3, 4, 5, 6, 7),
            "Player 2's turn.",
            "Player 1's turn.",
            *claim(3, 1, 2, 3, 5, 6),
            "Player 2's turn.",
            "Player 1's turn.",
            *claim(2, 1, 2, 6),
            "Player 1 has claimed territories 2, 3, 4.",
            "Player 1 wins!",
        ],
        [
            "Player 1's turn.",
            "Player 2's turn.",
            *claim(7, 1, 2, 3, 5, 6, 7),
            "Player 1's turn.",
            "Player 2's turn.",
            *claim(5, 1, 2, 5, 6),
            "Player 1 has claimed territories 2, 3, 4.",
            "Player 1 wins!",
        ],
    ),
)

ACTIONS = "Available actions: [claim] an empty cell, [challenge] an opponent's cell."

GRID = Sample(
    "grid",
    typed=(
        [
            "claim",
            "5",
            "challenge",
            "1",
            "4",
            "challenge",
            "2",
            "4",
            "1",
            "claim",
            "4",
            "claim",
            "8",
            "claim",
            "6",
        ],
        ["claim", "1", "3", "claim", "2", "5", "claim", "3", "claim", "7", "claim", "9"],
    ),
    read=(
        [
            "It's your turn, Player 1.",
            ACTIONS,
            "Enter your action: claim",
            "Enter the cell number you wish to claim (available cells: 1, 2, 3, 4, 5, 6, 7, 8, 9): 5",
            "You have claimed cell 5.",
            "It's your turn, Player 1.",
            "Enter your action: challenge",
            "Enter the cell number you wish to challenge (opponent's cells: 1): 1",
            "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: 4",
            "Challenge results:",
            "- Your number: 4",
            "- Opponent's number: 3",
            "You win the challenge and now control cell 1.",
            "Enter the cell number you wish to challenge (opponent's cells: 2): 2",
            "Select a challenge number from your available numbers [1, 2, 3, 5]: 4",
            "Error: Number 4 has already been used. Please select a valid number.",
            "Select a challenge number from your available numbers [1, 2, 3, 5]: 1",
            "Challenge results:",
            "- Your number: 1",
            "- Opponent's number: 5",
            "X | O | O",
            "Player 1 controls cells: 1, 4, 5, 6, 8 (5 cells).",
            "Player 2 controls cells: 2, 3, 7, 9 (4 cells).",
            "All cells are claimed.",
            "Player 1 wins!",
        ],
        [
            "It's your turn, Player 2.",
            ACTIONS,
            "Enter your action: claim",
            "Enter the cell number you wish to claim (available cells: 1, 2, 3, 4, 6, 7, 8, 9): 1",
            "You have claimed cell 1.",
            "Select a challenge number from your available numbers [1, 2, 3, 4, 5]: 3",
            "Challenge results:",
            "- Your number: 3",
            "- Opponent's number: 4",
            "You have claimed cell 2.",
            "Select a challenge number from your available numbers [1, 2, 4, 5]: 5",
            "Challenge results:",
            "Player 1 wins!",
        ],
    ),
)


def turn(seat: int, digit: int, action: int, did: str, scores: tuple[int, int] | None) -> list[str]:
    """A turn of Digit Conquest as the player whose turn it is reads it."""
    lines = [
        f"Player {seat}'s turn.",
        f"Enter the digit to draw: {digit}",
        "Drawing a card...",
        f"You drew: {digit}",
        "Choose an action:",
        f"1. Add {digit} to your score.",
        f"2. Subtract {digit} from your opponent's score.",
        f"Enter 1 or 2: {action}",
        did,
    ]
    if scores is not None:
        lines.append(f"Current Scores - Player 1: {scores[0]}, Player 2: {scores[1]}")
    return lines


def added(digit: int) -> str:
    return f"You added {digit} to your score."


DIGIT = Sample(
    "digit",
    typed=(
        [word for digit in (7, 8, 6, 9, 9, 9, 8, 3) for word in (str(digit), "1")],
        ["5", "1", "9", "2", "3", "1", "1", "1", "1", "1", "1", "1", "1", "1"],
    ),
    read=(
        [
            "Welcome to Digit Conquest!",
            "Player 1 and Player 2 start with 0 points.",
            *turn(1, 7, 1, added(7), (7, 0)),
            *turn(1, 8, 1, added(8), (15, 5)),
            *turn(1, 6, 1, added(6), (12, 5)),
            *turn(1, 3, 1, added(3), None),
            "Congratulations! You reached exactly 50 points.",
            "Player 1 wins the game!",
        ],
        [
            "Welcome to Digit Conquest!",
            *turn(2, 5, 1, added(5), (7, 5)),
            *turn(2, 9, 2, "You subtracted 9 from Player 1's score.", (6, 5)),
            *turn(2, 3, 1, added(3), (12, 8)),
            "Player 1 wins the game!",
        ],
    ),
    # The book's cards come in an order that chance will not repeat; players who choose can.
    flags=["--option", "draw=choose"],
)

DUEL_TURNS = [{"A": "Attack", "D": "Defend", "H": "Heal"}[letter] for letter in "ADAHAADAHAHADHHAAAHA"]
DUEL_READ = """\
Player 1 attacks Player 2.
Player 2 is not defending.
Player 2 takes 2 damage.
Player 2 HP: 10 - 2 = 8
Player 2 prepares to block the next attack.
Player 2 is now defending.
Player 1 attacks Player 2.
Player 2 is defending.
Attack is blocked; Player 2 takes no damage.
Player 2 heals for 1 HP.
Player 2's HP increases from 8 to 9.
Player 1 attacks Player 2.
Player 2 is not defending or healing.
Player 2 takes 2 damage.
Player 2 HP: 9 - 2 = 7
Player 2 attacks Player 1.
Player 1 is not defending.
Player 1 takes 2 damage.
Player 1 HP: 10 - 2 = 8
Player 1 prepares to block the next attack.
Player 1 is now defending.
Player 2 attacks Player 1.
Player 1 is defending.
Attack is blocked; Player 1 takes no damage.
Player 1 heals for 1 HP.
Player 1's HP increases from 8 to 9.
Player 2 attacks Player 1.
Player 1 is not defending or healing.
Player 1 takes 2 damage.
Player 1 HP: 9 - 2 = 7
Player 1 heals for 1 HP.
Player 1's HP increases from 7 to 8.
Player 2 attacks Player 1.
Player 1 is healing.
Player 1 takes double damage (4 damage).
Player 1 HP: 8 - 4 = 4
Player 1 prepares to block the next attack.
Player 1 is now defending.
Player 2 heals for 1 HP.
Player 2's HP increases from 7 to 8.
Player 1 heals for 1 HP.
Player 1's HP increases from 4 to 5.
Player 2 attacks Player 1.
Player 1 is not defending or healing.
Player 1 takes 2 damage.
Player 1 HP: 5 - 2 = 3
Player 1 attacks Player 2.
Player 2 takes 2 damage.
Player 2 HP: 8 - 2 = 6
Player 2 attacks Player 1.
Player 1 is not defending.
Player 1 takes 2 damage.
Player 1 HP: 3 - 2 = 1
Player 1 heals for 1 HP.
Player 1's HP increases from 1 to 2.
Player 2 attacks Player 1.
Player 1 is healing.
Player 1 takes double damage (4 damage).
Player 1 HP: 2 - 4 = -2
Player 1's HP is -2, which is 0 or below.
Player 2 Wins the game.
""".splitlines()
"""All twenty turns; both players read the same."""

DUEL = Sample("duel", typed=(DUEL_TURNS[::2], DUEL_TURNS[1::2]), read=(DUEL_READ, DUEL_READ))

SAMPLES = [GALAXY, CONQUER, GRID, DIGIT, DUEL]


async def seated(stack: AsyncExitStack, sample: Sample, home: Path, is_terminal: bool) -> list[LineClient]:
    """Start a server and two clients at a match on it."""
    server = await stack.enter_async_context(serving(home / "server", "--tls"))
    at = f"127.0.0.1:{server.port}"
    flags = ["--at", at, "--first", "creator", "--name", "Ann", *sample.flags]
    ann = await stack.enter_async_context(
        line_client(home / "ann", "host", sample.game, *flags, is_terminal=is_terminal)
    )
    bob = await stack.enter_async_context(
        line_client(home / "bob", "join", await ann.link(), "--name", "Bob", is_terminal=is_terminal)
    )
    return [ann, bob]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.game)
async def test_a_sample_game_is_played_through_pipes(sample: Sample, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        clients = await seated(stack, sample, tmp_path, is_terminal=False)
        for client, typed in zip(clients, sample.typed, strict=True):
            client.type(*typed)
            client.end_input()
        for client, read in zip(clients, sample.read, strict=True):
            assert await client.ended() == 0
            assert client.errors == ""
            holds_in_order(client.transcript, read)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.game)
async def test_a_sample_game_is_played_at_terminals(sample: Sample, tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        clients = await seated(stack, sample, tmp_path, is_terminal=True)
        typing = (client.answer(*typed) for client, typed in zip(clients, sample.typed, strict=True))
        await asyncio.gather(*typing)
        for client, read in zip(clients, sample.read, strict=True):
            await client.until("/quit leaves.\n")
            client.type("/quit")
            assert await client.ended() == 0
            holds_in_order(client.transcript, read)
