"""Hints and reviews in line mode: when they are said, what waits for them, and how they are stopped."""

import asyncio

import pytest

from client.core.advice import Advice, Prospect
from client.core.review import Decision, Review
from client.line.advice import progress
from client.line.terminal import Interrupted
from client.local import advice
from protocol.client_frame import Export, Play
from protocol.games.conquer import Claim
from protocol.process.child import Died, Tell
from tests.client.frames import ended, seated, shown, welcome
from tests.client.line.line_mode import PROMPT, LineMode, exported, line_mode, playing
from tests.client.scripted import ScriptedTerminal, settle

HINT = Advice(1.0, (Prospect(Claim(territory=4), 1.0, 1.0, 1, False, 1.0),))
REVIEW = Review("conquer", 1.0, 1.0, 1.0, (Decision(1, 1, Claim(territory=4), 1.0, 1.0, 1.0),))
BEGUN = "Looking at 1 moves again."


class Process:
    """Stands in for the process that works things out: the test says when, and what."""

    def __init__(self) -> None:
        self.asked: list[object] = []
        self.answer: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def ask(self, module: str, question: object, tell: Tell) -> object:
        self.asked.append(question)
        return await self.answer


@pytest.fixture
async def process(monkeypatch: pytest.MonkeyPatch) -> Process:
    made = Process()
    monkeypatch.setattr(advice, "ask", made.ask)
    return made


async def with_hints(made: LineMode) -> None:
    await made.hear(welcome(), seated(re=made.request, hints=True), shown())


async def test_a_hint_is_made_of_what_the_player_sees_and_is_told_before_the_next_move(
    process: Process,
) -> None:
    async with line_mode() as made:
        await with_hints(made)
        assert await made.type("/hint", "4") == "/hint\n"
        position = process.asked[0]
        assert isinstance(position, advice.Undecided)
        assert (position.view, position.options) == (shown().view, {})
        assert made.line.wire.count(Play) == 0
        process.answer.set_result(HINT)
        await settle()
        assert made.tty.take() == f"Claim territory 4: wins at once.\n{PROMPT}4\n"
        assert made.line.wire.count(Play) == 1


async def test_a_hint_that_was_not_agreed_on_is_refused_here(process: Process) -> None:
    async with playing() as made:
        assert "This match is played without hints" in await made.type("/hint")
    assert not process.asked


async def test_one_hint_at_a_time(process: Process) -> None:
    async with line_mode(is_terminal=True) as made:
        await with_hints(made)
        await made.type("/hint")
        assert "Your last hint or review is still being worked out.\n" in await made.type("/hint")


async def test_a_hint_that_cannot_be_worked_out_is_a_sentence_and_the_match_goes_on(
    process: Process, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(tmp_path))
    async with line_mode() as made:
        await with_hints(made)
        await made.type("/hint")
        process.answer.set_exception(Died("nobody thought of this"))
        await settle()
        log = tmp_path / "conquest.log"
        assert made.tty.take() == (f"The hint could not be worked out. The details are in {log}\n{PROMPT}")
        assert "nobody thought of this" in log.read_text()
        await made.type("4")
        assert made.line.wire.count(Play) == 1


async def test_a_fault_of_ours_while_a_hint_is_worked_out_ends_the_match_here(process: Process) -> None:
    async with line_mode() as made:
        await with_hints(made)
        await made.type("/hint")
        process.answer.set_exception(KeyError("nobody thought of this"))
        with pytest.raises(KeyError):
            await made.ended()


async def over(made: LineMode) -> str:
    """End the match and ask for a review."""
    await made.hear(ended())
    await made.type("/review")
    return await made.hear(exported(made.line.wire.last(Export).id))


async def test_a_pipe_waits_for_a_review(process: Process) -> None:
    async with playing() as made:
        assert await over(made) == f"{BEGUN}\n"
        await made.type("/save")
        assert made.tty.take() == ""
        process.answer.set_result(REVIEW)
        await settle()
        reviewed, _, saved = made.tty.take().partition("Nobody made a mistake.\n")
        assert "claim territory 4" in reviewed
        assert saved.startswith("Saved as ")


async def test_a_person_does_not_wait_for_a_review_and_can_stop_it(process: Process) -> None:
    async with playing(is_terminal=True) as made:
        assert await over(made) == f"{BEGUN} (Ctrl-C stops that.)\n> "
        made.tty.terminal.inbox.put_nowait(Interrupted())
        await settle()
        assert made.tty.take() == "\nThe review was stopped.\n> "
        assert process.answer.cancelled()
        assert not made.is_left


async def test_to_leave_is_to_give_a_review_up(process: Process) -> None:
    async with playing(is_terminal=True) as made:
        await over(made)
        await made.type("/quit")
        await made.ended()
    assert process.answer.cancelled()


def told(tty: ScriptedTerminal, at: list[tuple[float, float]]) -> str:
    now = 0.0
    tell = progress(tty.terminal, lambda: now)
    for now, share in at:  # noqa: B007 (the clock reads it)
        tell(share)
    return tty.take()


def test_a_person_who_has_to_wait_is_told_of_each_quarter_once() -> None:
    at = [(1.0, 0.25), (2.0, 0.3), (3.0, 0.45), (4.0, 0.8), (5.0, 0.9), (9.0, 1.0)]
    assert told(ScriptedTerminal(is_terminal=True), at) == "25 % of them are done.\n75 % of them are done.\n"


def test_what_is_done_at_once_and_what_goes_to_a_file_is_not_interspersed_with_progress() -> None:
    assert told(ScriptedTerminal(is_terminal=True), [(0.1, 0.5), (0.2, 1.0)]) == ""
    assert told(ScriptedTerminal(), [(3.0, 0.5), (6.0, 0.8)]) == ""
