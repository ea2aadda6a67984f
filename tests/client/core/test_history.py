"""What a person reads of the matches played before: results, totals, and those that were looked for."""

import pytest

from client.core.history import COLUMNS, Played, fitting, row, summary, totals
from client.core.table import table_line
from protocol.model import Owner
from protocol.outcome import Outcome
from tests.client.core.test_record import HEADER, record


def played(
    seat: Owner = 1, winner: int | None = 1, names: tuple[str, str] = ("Ann", "Bob"), game: str = "conquer"
) -> Played:
    outcome = Outcome.model_validate({"winner": winner, "reason": "resigned"})
    header = HEADER.model_copy(update={"seat": seat, "outcome": outcome, "names": names, "game": game})
    return summary("file", "2026-11-19 06:15", record(4, 7, 3, header=header))


@pytest.mark.parametrize(
    ("seat", "winner", "opponent", "result"),
    [
        (1, 1, "Bob", "won"),
        (2, 1, "Ann", "lost"),
        (1, None, "Bob", "no winner"),
        (0, 2, "Ann and Bob", "Bob won"),
        (0, None, "Ann and Bob", "no winner"),
    ],
)
def test_a_match_is_told_from_the_seat_of_whoever_kept_it(
    seat: Owner, winner: int | None, opponent: str, result: str
) -> None:
    match = played(seat, winner)
    assert (match.opponent, match.result) == (opponent, result)


def test_matches_are_found_by_game_and_by_the_beginning_of_a_name() -> None:
    with_bob, with_eve = played(), played(names=("Ann", "Eve"), game="duel")
    watched = played(seat=0)
    everything = [with_bob, with_eve, watched]
    assert fitting(everything) == everything
    assert fitting(everything, "duel") == [with_eve]
    assert fitting(everything, opponent=" bO") == [with_bob, watched]
    assert fitting(everything, opponent="ann") == [watched]


def test_results_are_added_up_for_each_opponent_the_most_frequent_first() -> None:
    eve = played(names=("Ann", "Eve"))
    assert totals([eve, played(), played(winner=2), played(winner=2), played(winner=None), played(0)]) == (
        "Against Bob: 1 won, 2 lost, 1 without a winner.",
        "Against Eve: 1 won.",
    )


def test_a_row_is_as_wide_as_its_columns_and_strangers_names_are_harmless() -> None:
    match = played(names=("Ann", "\x1b[2J" + 60 * "b"))
    line = table_line(row(1, match), COLUMNS)
    assert line.startswith("1     2026-11-19 06:15  Conquer")
    assert "\x1b" not in line
    assert len(line) <= sum(column.width + 2 for column in COLUMNS)
    assert "won         3      0 s" in line
