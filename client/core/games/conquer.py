"""Conquer in line mode, in the words of its book."""

from collections.abc import Sequence
from functools import partial
from itertools import groupby

from client.core.games.answer import read_number, values_of
from client.core.games.phrase import Phrases
from client.core.games.renderer import Answer, Lines, Move, Question, Renderer, Tally
from client.core.games.wording import listed, player
from protocol.choice import Choice
from protocol.games.conquer import ID, TITLE, Claimed, Event, View, Won
from protocol.model import Owner, Seat

MARKS = {0: "--", 1: "P1", 2: "P2"}
PHRASES = Phrases({"claim": "claim territory {territory}"})


def welcome(view: View) -> Lines:
    return (f"Welcome to {TITLE}!",)


def board(view: View) -> Lines:
    row = (f"[{number}] {MARKS[owner]}" for number, owner in enumerate(view.territories, start=1))
    return ("Territories (P1: Player 1, P2: Player 2, --: unclaimed):", "  ".join(row))


def turn(view: View) -> Lines:
    return tuple(f"{player(seat)}'s turn." for seat in view.to_act)


def ask(view: View, choices: tuple[Choice, ...], answers: tuple[Answer, ...]) -> Question | Move:
    if answers:
        return {"kind": "claim", "territory": answers[0]}
    unclaimed = values_of(choices, "claim", "territory")
    return Question(
        lead=(f"Available territories: {listed(unclaimed)}",),
        prompt="Enter the territory number to claim: ",
        accept=partial(_read_territory, unclaimed),
    )


def _read_territory(unclaimed: tuple[int, ...], text: str) -> int:
    return read_number(
        text, "territory", unclaimed, lambda _: "Invalid choice. Please select an unclaimed territory."
    )


def announce(event: Event, viewer: Owner) -> Lines:
    match event:
        case Claimed():
            return (f"{player(event.seat)} claims territory {event.territory}.",)
        case Won():
            return _won(event)


def _won(event: Won) -> Lines:
    winner = player(event.seat)
    match event.reason:
        case "three_adjacent":
            return (f"{winner} has claimed territories {listed(event.chain)}.", f"{winner} wins!")
        case "longest_chain":
            return (
                "All territories have been claimed.",
                f"{winner} wins with the longest chain of adjacent territories.",
                f"Longest chain: territories {listed(event.chain)} (length {len(event.chain)}).",
            )
        case "most_territories":
            return (
                "All territories have been claimed.",
                f"Both players have a chain of length {len(event.chain)}.",
                f"{winner} wins with the most total territories claimed.",
            )


def tally(view: View) -> Tally:
    return (
        ("Territories", (view.territories.count(1), view.territories.count(2))),
        ("Longest chain", (longest(view.territories, 1), longest(view.territories, 2))),
    )


def chains(territories: Sequence[Owner]) -> list[tuple[Owner, tuple[int, ...]]]:
    """Split the row into stretches of neighbours with one owner.

    >>> chains((1, 1, 0, 0, 2, 2, 2))
    [(1, (1, 2)), (0, (3, 4)), (2, (5, 6, 7))]
    """
    numbered = enumerate(territories, start=1)
    stretches = ((owner, list(stretch)) for owner, stretch in groupby(numbered, key=lambda pair: pair[1]))
    return [(owner, tuple(number for number, _ in stretch)) for owner, stretch in stretches]


def longest(territories: Sequence[Owner], seat: Seat) -> int:
    """Count the territories of a seat's longest chain."""
    return max((len(chain) for owner, chain in chains(territories) if owner == seat), default=0)


RENDERER = Renderer(
    id=ID,
    welcome=welcome,
    board=board,
    turn=turn,
    ask=ask,
    announce=announce,
    tally=tally,
    describe=PHRASES.describe,
    parse_line=PHRASES.parse_line,
    any_of={"claim": "claim any territory"},
)
