"""Hints and reviews from a process of their own, as faces get them."""

from dataclasses import replace

import pytest

from client.core.failure import CouldNot
from client.core.record import BadRecord
from client.core.state import ClientState, MatchState, reduced
from client.local import advice
from protocol.catalogue import TITLES
from protocol.process.child import Died
from server.games import GAMES
from tests.client.bots.partner import dice, recorded
from tests.client.frames import CODE, seated


def ignore(share: float) -> None:
    pass


def at_the_start(game: str) -> MatchState:
    """Be Player 1 in a match that has just begun."""
    rules = GAMES[game]
    state, _ = rules.setup(rules.agree({}), dice(1))
    frame = seated(game=game, options=rules.agree({}), hints=True)
    match = reduced(ClientState(), frame)[0].matches[CODE]
    return replace(match, view=rules.view(state, 1), legal=rules.legal_moves(state, 1))


@pytest.mark.parametrize("game", TITLES)
async def test_there_is_a_hint_for_every_game(game: str) -> None:
    lines = await advice.hint(at_the_start(game), ignore)
    assert lines
    assert all(line.endswith(".") for line in lines)


async def test_a_review_tells_how_far_it_is() -> None:
    shares: list[float] = []
    turns = [(1, {"kind": "claim", "territory": 4}, ()), (2, {"kind": "claim", "territory": 1}, ())]
    record = recorded("conquer", {}, turns)
    lines = await advice.review(record, shares.append)
    assert shares == [0.5, 1.0]
    assert lines[1].startswith("    1. Ann: claim territory 4")
    assert not all(line.isascii() for line in lines)
    assert all(
        line.isascii() for line in await advice.review(recorded("conquer", {}, turns), shares.append, True)
    )


async def test_a_record_that_makes_no_match_is_said_to_be_none() -> None:
    with pytest.raises(BadRecord, match="There is no game 'chess'"):
        await advice.review(recorded("chess", {}, []), ignore)


async def test_a_process_that_dies_leaves_a_sentence_and_a_trace(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    monkeypatch.setattr(advice, "PROCESS", "client.local.there_is_no_such_process")
    with pytest.raises(CouldNot) as raised:
        await advice.hint(at_the_start("conquer"), ignore)
    log = tmp_path / "conquest.log"
    assert str(raised.value) == f"The hint could not be worked out. The details are in {log}"
    assert isinstance(raised.value.__cause__, Died)
    assert "there_is_no_such_process" in log.read_text()
    assert "The process ended with code 1." in log.read_text()
